// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A short hash of a longer text. Two texts may collide, by chance or on purpose: compare texts where that matters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perfcheck::model {

/// FNV-1a, 64 bits (draft-eastlake-fnv).
class Digest {
 public:
  /// A separator after each text keeps "ab","c" apart from "a","bc".
  void add(std::string_view text);
  uint64_t value() const { return hash_; }
  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  void mix(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3ULL; }

  uint64_t hash_ = 0xcbf29ce484222325ULL;
};

std::string digest_of(std::string_view text);

}  // namespace perfcheck::model
