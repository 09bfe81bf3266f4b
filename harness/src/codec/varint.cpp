// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/codec/varint.h"

namespace perfcheck::codec {

void put_varint(std::string& bytes, uint64_t value) {
  while (value >= 0x80) {
    bytes += static_cast<char>(0x80 | (value & 0x7f));
    value >>= 7;
  }
  bytes += static_cast<char>(value);
}

uint64_t get_varint(std::string_view bytes, std::size_t& at) {
  uint64_t value = 0;
  for (int shift = 0; at < bytes.size(); shift += 7) {
    uint64_t const byte = static_cast<unsigned char>(bytes[at++]);
    uint64_t const digits = byte & 0x7f;
    if (shift > 63 || (shift == 63 && digits > 1)) {
      throw DecodeError("a number has more than 64 bits");
    }
    value |= digits << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  throw DecodeError("bytes end in the middle of a number");
}

}  // namespace perfcheck::codec
