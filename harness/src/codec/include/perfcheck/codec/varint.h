// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole numbers in few bytes: unsigned LEB128, seven bits a byte, the lowest first; signed numbers in zigzag form.
#pragma once

#include "perfcheck/codec/deflate.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace perfcheck::codec {

void put_varint(std::string& bytes, uint64_t value);
/// Reads one number and moves `at` behind it. Throws DecodeError at the end of the bytes and for more than 64 bits.
uint64_t get_varint(std::string_view bytes, std::size_t& at);

/// 0, -1, 1, -2, 2, ... become 0, 1, 2, 3, 4, ...
constexpr uint64_t zigzag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
constexpr int64_t unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

}  // namespace perfcheck::codec
