// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/codec/base64.h"
#include "perfcheck/codec/deflate.h"
#include "perfcheck/codec/varint.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

namespace perfcheck::codec {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string random_bytes(std::mt19937_64& random, std::size_t size, int alphabet) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) {
    bytes += static_cast<char>(random() % static_cast<unsigned>(alphabet));
  }
  return bytes;
}

TEST(Deflate, GivesBackWhatItTookWhateverTheSizeAndContent) {
  std::mt19937_64 random(1);
  for (std::size_t const size : {0U, 1U, 2U, 1000U, 65535U, 65536U, 65537U, 300000U}) {
    for (int const alphabet : {1, 3, 256}) {
      std::string const bytes = random_bytes(random, size, alphabet);
      EXPECT_EQ(inflate(deflate(bytes), size), bytes) << size << " bytes of " << alphabet;
    }
  }
}

TEST(Deflate, MakesRepetitionsShorter) { EXPECT_LT(deflate(std::string(100000, 'x')).size(), 1000U); }

TEST(Inflate, RefusesAStreamThatIsCutChangedOrFollowedBySomething) {
  std::mt19937_64 random(2);
  std::string const bytes = random_bytes(random, 2000, 20);
  std::string const stream = deflate(bytes);
  for (std::size_t size = 0; size < stream.size(); size += 7) {
    EXPECT_THROW(inflate(stream.substr(0, size), 2000), DecodeError) << size;
  }
  EXPECT_THROW(inflate(stream + "x", 2000), DecodeError);
  std::string damaged = stream;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);  // the checksum
  EXPECT_THROW(inflate(damaged, 2000), DecodeError);
}

TEST(Inflate, StopsAtItsLimitBeforeAStreamOfOneMegabyteFillsTheMemory) {
  std::string const bomb = deflate(std::string(std::size_t{1} << 28, '\0'));
  EXPECT_LT(bomb.size(), 1U << 20);
  EXPECT_THAT([&] { inflate(bomb, 100000); }, ThrowsMessage<DecodeError>(HasSubstr("larger than it may be")));
  EXPECT_THROW(inflate(deflate("abcd"), 3), DecodeError);
  EXPECT_EQ(inflate(deflate("abcd"), 4), "abcd");
}

TEST(Base64, GivesTheExamplesOfRfc4648) {
  std::pair<char const*, char const*> const examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (auto const& [bytes, text] : examples) {
    EXPECT_EQ(base64(bytes), text);
  }
  EXPECT_EQ(base64("\xff\xfe\xfb"), "//77");
}

TEST(Varint, GivesBackEveryNumberInAsManyBytesAsItsSizeAsksFor) {
  std::pair<uint64_t, std::size_t> const sizes[] = {{0, 1},     {127, 1},   {128, 2},
                                                    {16383, 2}, {16384, 3}, {std::numeric_limits<uint64_t>::max(), 10}};
  for (auto const& [value, size] : sizes) {
    std::string bytes;
    put_varint(bytes, value);
    EXPECT_EQ(bytes.size(), size) << value;
    std::size_t at = 0;
    EXPECT_EQ(get_varint(bytes, at), value);
    EXPECT_EQ(at, size);
  }
}

TEST(Varint, RefusesBytesThatEndEarlyAndNumbersOfMoreThan64Bits) {
  std::size_t at = 0;
  EXPECT_THROW(get_varint("", at), DecodeError);
  at = 0;
  EXPECT_THROW(get_varint("\x80\x80", at), DecodeError);
  at = 0;
  EXPECT_THROW(get_varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", at), DecodeError);
  at = 0;
  EXPECT_THROW(get_varint("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", at), DecodeError);
}

TEST(Zigzag, OrdersNumbersByTheirSizeAndGivesThemBack) {
  EXPECT_EQ(zigzag(0), 0U);
  EXPECT_EQ(zigzag(-1), 1U);
  EXPECT_EQ(zigzag(1), 2U);
  for (int64_t const value :
       {int64_t{-2}, int64_t{123456789}, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(unzigzag(zigzag(value)), value);
  }
}

}  // namespace
}  // namespace perfcheck::codec
