// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "postgres_decoding.h"

#include "perfcheck/history/history.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace perfcheck::history {
namespace {

uint64_t from_network(std::string_view bytes) {
  uint64_t bits = 0;
  for (char const byte : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
  }
  return bits;
}

/// False for NaN.
bool fits_int64(long double value) { return value >= -0x1p63L && value < 0x1p63L; }

}  // namespace

int64_t PostgresValue::integer() const {
  switch (type_) {
    case oid::kBool: return fixed(1);
    case oid::kInt8: return fixed(8);
    case oid::kInt4: return static_cast<int32_t>(fixed(4));
    case oid::kInt2: return static_cast<int16_t>(fixed(2));
    case oid::kNumeric: {
      long double const whole = std::round(numeric());
      if (!fits_int64(whole)) {
        fail_malformed("whole number of 64 bits");
      }
      return static_cast<int64_t>(whole);
    }
    default: fail_type("whole number");
  }
}

double PostgresValue::real() const {
  switch (type_) {
    case oid::kFloat8: return std::bit_cast<double>(fixed(8));
    case oid::kFloat4: return std::bit_cast<float>(static_cast<uint32_t>(fixed(4)));
    case oid::kNumeric: {
      auto const value = static_cast<double>(numeric());
      if (!std::isfinite(value)) {
        fail_malformed("number");
      }
      return value;
    }
    case oid::kInt8:
    case oid::kInt4:
    case oid::kInt2: return static_cast<double>(integer());
    default: fail_type("number");
  }
}

std::string_view PostgresValue::text() const {
  if (type_ != oid::kText && type_ != oid::kVarchar && type_ != oid::kName) {
    fail_type("text");
  }
  return bytes_;
}

std::string_view PostgresValue::bytes() const {
  if (type_ != oid::kBytea) {
    fail_type("sequence of bytes");
  }
  return bytes_;
}

int64_t PostgresValue::fixed(std::size_t size) const {
  if (bytes_.size() != size) {
    fail_malformed("number");
  }
  return static_cast<int64_t>(from_network(bytes_));
}

/// The type numeric, which sums of whole numbers have. Four 16-bit words: the number of base-10000 digits that follow,
/// the power of 10000 of the first digit, the sign, and the number of decimals to show.
long double PostgresValue::numeric() const {
  constexpr std::size_t kHeadWords = 4;
  constexpr uint16_t kPositive = 0, kNegative = 0x4000;  // others stand for NaN and the infinities
  constexpr int kBase = 10000;
  auto const word = [&](std::size_t i) { return static_cast<uint16_t>(from_network(bytes_.substr(2 * i, 2))); };
  if (bytes_.size() < 2 * kHeadWords || bytes_.size() != 2 * (kHeadWords + word(0))) {
    fail_malformed("number");
  }
  uint16_t const sign = word(2);
  if (sign != kPositive && sign != kNegative) {
    fail_malformed("finite number");
  }
  auto const digits = static_cast<std::size_t>(word(0));
  long double value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    uint16_t const digit = word(kHeadWords + i);
    if (digit >= kBase) {
      fail_malformed("number");
    }
    value = value * kBase + digit;
  }
  int const weight = static_cast<int16_t>(word(1));
  value *= std::pow(static_cast<long double>(kBase), static_cast<long double>(weight + 1 - static_cast<int>(digits)));
  return sign == kPositive ? value : -value;
}

void PostgresValue::fail_type(char const* wanted) const {
  throw HistoryError(
      fmt::format("{}: column {} of an answer has the type {}, which is no {}; are these tables of perfcheck? Name "
                  "another place for the history, or restore them from a copy",
                  history_, column_, type_, wanted));
}

void PostgresValue::fail_malformed(char const* wanted) const {
  throw HistoryError(
      fmt::format("{}: column {} of an answer has {} bytes of the type {} that are no {}; try again, and if it stays, "
                  "look at the server",
                  history_, column_, bytes_.size(), type_, wanted));
}

}  // namespace perfcheck::history
