// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Lossless compression of a case's rounds.
#pragma once

#include "perfcheck/codec/deflate.h"
#include "perfcheck/model/run.h"

#include <string>
#include <string_view>

namespace perfcheck::history {

/// Measurements have six significant digits. So a column is stored as a power of ten and whole numbers, written as
/// differences of neighbours: about two bytes a value instead of eight. A column that does not fit is stored as
/// doubles.
///
///     byte     format, 1
///     varint   launches, reference_launches
///     four columns (time, reference time, clock, reference clock), each
///       varint   number of values
///       byte     0 to 15: values are whole numbers over ten to this power; 255: values as IEEE 754, little-endian
///       varints  first value, then differences, zigzag
std::string pack(model::Rounds const& rounds);
/// Throws codec::DecodeError for bytes that pack() did not write.
model::Rounds unpack_rounds(std::string_view bytes);

}  // namespace perfcheck::history
