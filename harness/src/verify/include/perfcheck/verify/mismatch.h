// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains a wrong result: how much of it, where, by how much, and what it looks like.
#pragma once

#include "perfcheck/verify/engine.h"

#include <string>

namespace perfcheck::verify {

/// For example "1024 of 262144 elements wrong, first at row 480 column 0: got 13, expected 17; all in rows 480-511,
/// columns 480-511 (the last tile); never written". `comparison` is what Engine::compare found, with wrong elements.
/// Reads the affected rows back to the host: slow, and needed only once something is wrong.
std::string describe_mismatch(device::Backend& backend, MatrixView const& result, Expectation const& expectation,
                              Comparison const& comparison);

/// "rows 480-511, columns 480-511 (the last tile)": a box of elements within a matrix.
std::string describe_box(Found const& found, std::int64_t rows, std::int64_t columns);

}  // namespace perfcheck::verify
