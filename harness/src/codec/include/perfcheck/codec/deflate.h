// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Compressed bytes: zlib streams (RFC 1950), which SQL tools, browsers and zlib itself can read.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace perfcheck::codec {

/// The bytes are truncated, damaged or of another format.
class DecodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string deflate(std::string_view bytes);
/// Throws DecodeError if the stream is damaged or truncated, if bytes follow it, or if it holds more than `limit`
/// bytes.
std::string inflate(std::string_view stream, std::size_t limit);

}  // namespace perfcheck::codec
