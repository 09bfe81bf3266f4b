// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Compressed bytes: zlib streams (RFC 1950), what SQL tools, browsers and zlib itself read.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace perfcheck::codec {

/// Bytes are not what they should be: cut off, damaged or of another kind.
class DecodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string deflate(std::string_view bytes);
/// Throws DecodeError for a damaged or cut stream, one with something behind it, and one of more than `limit` bytes.
std::string inflate(std::string_view stream, std::size_t limit);

}  // namespace perfcheck::codec
