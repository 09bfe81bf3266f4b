// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "postgres_decoding.h"

#include "perfcheck/history/history.h"

#include <gmock/gmock.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>

namespace perfcheck::history {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

PostgresValue value(unsigned type, std::string_view bytes) { return {"postgresql://h/d", 3, type, bytes}; }

/// 16-bit words in network byte order.
std::string words(std::initializer_list<int> words) {
  std::string bytes;
  for (int const word : words) {
    bytes += static_cast<char>(word >> 8 & 0xff);
    bytes += static_cast<char>(word & 0xff);
  }
  return bytes;
}

auto refused() {
  return ThrowsMessage<HistoryError>(
      AllOf(HasSubstr("postgresql://h/d: column 3 of an answer"), HasSubstr("which is no")));
}
auto malformed() {
  return ThrowsMessage<HistoryError>(
      AllOf(HasSubstr("postgresql://h/d: column 3 of an answer"), HasSubstr("that are no")));
}

TEST(PostgresValue, GivesWholeNumbersOfEverySize) {
  EXPECT_EQ(value(oid::kBool, "\x01").integer(), 1);
  EXPECT_EQ(value(oid::kInt2, "\xff\xfe").integer(), -2);
  EXPECT_EQ(value(oid::kInt4, "\x7f\xff\xff\xff").integer(), 2147483647);
  EXPECT_EQ(value(oid::kInt8, words({0x8000, 0, 0, 0})).integer(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(value(oid::kInt4, "\xff\xff\xff\xff").real(), -1);
}

TEST(PostgresValue, GivesSumsAsNumbers) {
  EXPECT_EQ(value(oid::kNumeric, words({0, 0, 0, 0})).integer(), 0);
  EXPECT_EQ(value(oid::kNumeric, words({2, 1, 0, 0, 12, 3456})).integer(), 123456);
  EXPECT_EQ(value(oid::kNumeric, words({1, 1, 0x4000, 0, 12})).integer(), -120000);
  EXPECT_DOUBLE_EQ(value(oid::kNumeric, words({2, 0, 0, 1, 1, 5000})).real(), 1.5);
  // 9223372036854775807 and one more
  EXPECT_EQ(value(oid::kNumeric, words({5, 4, 0, 0, 922, 3372, 368, 5477, 5807})).integer(),
            std::numeric_limits<int64_t>::max());
  EXPECT_THAT([] { (void)value(oid::kNumeric, words({5, 4, 0, 0, 922, 3372, 368, 5477, 5808})).integer(); },
              malformed());
}

TEST(PostgresValue, GivesRealNumbersAsTheyWereStored) {
  EXPECT_EQ(value(oid::kFloat8, words({0x3ff8, 0, 0, 0})).real(), 1.5);
  EXPECT_EQ(value(oid::kFloat4, words({0x3fc0, 0})).real(), 1.5);
  EXPECT_TRUE(std::isinf(value(oid::kFloat8, words({0x7ff0, 0, 0, 0})).real()));
  EXPECT_TRUE(std::isnan(value(oid::kFloat8, words({0x7ff8, 0, 0, 0})).real()));
}

TEST(PostgresValue, GivesTextsAndBytes) {
  for (unsigned const type : {oid::kText, oid::kVarchar, oid::kName}) {
    EXPECT_EQ(value(type, "text").text(), "text");
  }
  EXPECT_EQ(value(oid::kBytea, std::string_view("\0b", 2)).bytes(), std::string_view("\0b", 2));
}

TEST(PostgresValue, RefusesNumbersOfAnotherSize) {
  for (unsigned const type : {oid::kBool, oid::kInt2, oid::kInt4, oid::kInt8, oid::kNumeric}) {
    for (std::size_t const size : {0U, 3U, 5U, 7U, 9U, 100U}) {
      EXPECT_THAT([&] { (void)value(type, std::string(size, '\0')).integer(); }, malformed()) << type << ' ' << size;
    }
  }
  for (unsigned const type : {oid::kFloat4, oid::kFloat8, oid::kInt4, oid::kNumeric}) {
    EXPECT_THAT([&] { (void)value(type, "abc").real(); }, malformed()) << type;
  }
}

TEST(PostgresValue, RefusesSumsThatAreNone) {
  for (std::string const& bytes : {words({1, 0, 0, 0}),         // a digit is missing
                                   words({0, 0, 0, 0, 7}),      // one too many
                                   words({-1, 0, 0, 0}),        // 65535 digits
                                   words({1, 0, 0, 0, 10000}),  // no digit
                                   words({1, 0, 0, 0, -1}),     // no digit
                                   words({0, 0, 0xc000, 0}),    // NaN
                                   words({0, 0, 0xd000, 0}),    // infinity
                                   words({0, 0, 0xf000, 0}),    // -infinity
                                   words({1, 32767, 0, 0, 1}),  // beyond every double
                                   words({1, 100, 0x4000, 0, 1})}) {
    EXPECT_THAT([&] { (void)value(oid::kNumeric, bytes).integer(); }, malformed());
    EXPECT_THAT([&] { (void)value(oid::kNumeric, bytes).real(); }, malformed());
  }
}

TEST(PostgresValue, RefusesAnotherType) {
  constexpr unsigned kJson = 114;
  for (unsigned const type : {kJson, oid::kUnknown}) {
    EXPECT_THAT([&] { (void)value(type, "1").integer(); }, refused());
    EXPECT_THAT([&] { (void)value(type, "1").real(); }, refused());
    EXPECT_THAT([&] { (void)value(type, "1").text(); }, refused());
    EXPECT_THAT([&] { (void)value(type, "1").bytes(); }, refused());
  }
  EXPECT_THAT([] { (void)value(oid::kText, "1").integer(); }, refused());
  EXPECT_THAT([] { (void)value(oid::kBool, "\x01").real(); }, refused());
  EXPECT_THAT([] { (void)value(oid::kBytea, "1").text(); }, refused());
  EXPECT_THAT([] { (void)value(oid::kText, "1").bytes(); }, refused());
}

}  // namespace
}  // namespace perfcheck::history
