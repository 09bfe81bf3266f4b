// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/chunk.h"

#include "decode.h"

#include <gtest/gtest.h>

#include <random>

namespace perfcheck::report {
namespace {

std::string arbitrary_bytes(std::mt19937_64& random, std::size_t size) {
  std::string bytes(size, '\0');
  bool const flat = random() % 2 == 0;
  for (char& byte : bytes) byte = static_cast<char>(flat ? random() % 3 : random());
  return bytes;
}

TEST(Chunk, UnpacksToTheSameBytes) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    std::string const bytes = arbitrary_bytes(random, seed < 5 ? seed : random() % 100000);
    EXPECT_EQ(decode::chunk(packed(bytes)), bytes);
  }
}

TEST(Chunk, IsAZlibStreamAndSmaller) {
  std::string const stream = decode::base64(packed(std::string(100000, 'x')));
  EXPECT_EQ(stream[0], '\x78') << "RFC 1950: a zlib stream with a window of 32 KiB, neither gzip nor raw deflate";
  EXPECT_LT(stream.size(), 1000u);
}

}  // namespace
}  // namespace perfcheck::report
