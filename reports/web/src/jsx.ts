// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The bundler turns TSX into calls of this h(), which take less code than those of the automatic runtime.

export { Fragment, h } from "preact";
