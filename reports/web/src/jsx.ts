// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The bundler turns TSX into calls of h() from here: shorter than those of the automatic runtime.

export { Fragment, h } from "preact";
