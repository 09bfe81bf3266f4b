// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Simple changes of an input, the same in every run and on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace perfcheck::fuzz {

/// Changes `input` in a few places: bytes, bits, parts left out, doubled, or repeated until the input is large, numbers
/// made hostile, or a part of `other` put in.
std::string mutated(std::string input, std::string const& other, std::mt19937_64& random);

}  // namespace perfcheck::fuzz
