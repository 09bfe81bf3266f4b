// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled for its precompiled headers alone; see CMakeLists.txt.
