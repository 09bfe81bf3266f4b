// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "postgres_values.h"

#include <fmt/format.h>

#include <bit>
#include <climits>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace perfcheck::history {
namespace {

// Types' numbers in the system catalog pg_type; they never change.
namespace oid {
constexpr Oid kUnknown = 0;
constexpr Oid kBool = 16;
constexpr Oid kBytea = 17;
constexpr Oid kName = 19;
constexpr Oid kInt8 = 20;
constexpr Oid kInt2 = 21;
constexpr Oid kInt4 = 23;
constexpr Oid kText = 25;
constexpr Oid kFloat4 = 700;
constexpr Oid kFloat8 = 701;
constexpr Oid kVarchar = 1043;
constexpr Oid kNumeric = 1700;
}  // namespace oid

constexpr char const* kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// Length of the character that the text begins with; 0 if that is U+0000 or not UTF-8.
std::size_t character_length(std::string_view text) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char const first = byte(0);
  if (first < 0x80) {
    return first == 0 ? 0 : 1;
  }
  std::size_t const length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return 0;
    }
  }
  // Longer than need be, half of a surrogate pair, beyond U+10FFFF.
  bool const wrong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
                     (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F);
  return wrong ? 0 : length;
}

uint64_t from_network(std::string_view bytes) {
  uint64_t bits = 0;
  for (char const byte : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
  }
  return bits;
}

/// What sums of whole numbers have: digits to the base 10000, the first of which counts 10000 to the power of `weight`.
double numeric(std::string_view bytes) {
  auto const word = [&](std::size_t i) { return static_cast<int16_t>(from_network(bytes.substr(2 * i, 2))); };
  auto const sign = static_cast<uint16_t>(word(2));
  if (sign != 0 && sign != 0x4000) {
    return std::numeric_limits<double>::quiet_NaN();  // or an infinity, which no column of ours gives
  }
  long double value = 0;
  for (int i = 0; i < word(0); ++i) {
    value = value * 10000 + word(4 + static_cast<std::size_t>(i));
  }
  value *= std::pow(10000.0L, static_cast<long double>(word(1) + 1 - word(0)));
  return static_cast<double>(sign == 0 ? value : -value);
}

[[noreturn]] void fail_type(int column, Oid type, char const* wanted) {
  throw std::logic_error(fmt::format("column {} of an answer has the type {}, which is no {}", column, type, wanted));
}

}  // namespace

std::optional<std::string> storable(std::string_view text) {
  std::optional<std::string> repaired;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const length = character_length(text.substr(at));
    if (length == 0 && !repaired) {
      repaired.emplace(text.substr(0, at));
    }
    if (repaired) {
      repaired->append(length == 0 ? std::string_view(kReplacement) : text.substr(at, length));
    }
    at += std::max<std::size_t>(length, 1);
  }
  return repaired;
}

void PostgresParameters::add_bits(Oid type, uint64_t bits) {
  std::array<char, 8>& bytes = numbers_.emplace_back();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(bits >> (56 - 8 * i) & 0xff);
  }
  add_bytes(type, {bytes.data(), bytes.size()});
}

void PostgresParameters::add_bytes(Oid type, std::string_view bytes) {
  if (bytes.size() > INT_MAX) {
    throw HistoryError("a value of more than 2 GiB cannot be stored in PostgreSQL; leave that run out");
  }
  types_.push_back(type);
  values_.push_back(bytes.data() == nullptr ? "" : bytes.data());  // a null pointer would be NULL
  lengths_.push_back(static_cast<int>(bytes.size()));
  formats_.push_back(1);
}

void PostgresParameters::add(Parameter const& parameter) {
  if (auto const* const integer = std::get_if<int64_t>(&parameter)) {
    add_bits(oid::kInt8, static_cast<uint64_t>(*integer));
  } else if (auto const* const real = std::get_if<double>(&parameter); real != nullptr && !std::isnan(*real)) {
    add_bits(oid::kFloat8, std::bit_cast<uint64_t>(*real));
  } else if (auto const* const text = std::get_if<std::string_view>(&parameter)) {
    std::optional<std::string> repaired = storable(*text);
    add_bytes(oid::kText, repaired ? repaired_.emplace_back(std::move(*repaired)) : *text);
  } else if (auto const* const blob = std::get_if<Bytes>(&parameter)) {
    add_bytes(oid::kBytea, blob->bytes);
  } else {
    add_bytes(oid::kUnknown, "");  // the server takes the type of the column
    values_.back() = nullptr;
  }
}

std::string_view PostgresRow::raw(int column) const {
  return {api_.value(result_, 0, column), static_cast<std::size_t>(api_.length(result_, 0, column))};
}

int64_t PostgresRow::integer(int column) const {
  if (is_null(column)) {
    return 0;
  }
  Oid const type = api_.column_type(result_, column);
  uint64_t const bits = from_network(raw(column));
  switch (type) {
    case oid::kBool:
    case oid::kInt8: return static_cast<int64_t>(bits);
    case oid::kInt4: return static_cast<int32_t>(bits);
    case oid::kInt2: return static_cast<int16_t>(bits);
    case oid::kNumeric: return std::llround(numeric(raw(column)));
    default: fail_type(column, type, "whole number");
  }
}

double PostgresRow::real(int column) const {
  if (is_null(column)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  Oid const type = api_.column_type(result_, column);
  switch (type) {
    case oid::kFloat8: return std::bit_cast<double>(from_network(raw(column)));
    case oid::kFloat4: return std::bit_cast<float>(static_cast<uint32_t>(from_network(raw(column))));
    case oid::kNumeric: return numeric(raw(column));
    case oid::kInt8:
    case oid::kInt4:
    case oid::kInt2: return static_cast<double>(integer(column));
    default: fail_type(column, type, "number");
  }
}

std::string_view PostgresRow::text(int column) const {
  if (is_null(column)) {
    return {};
  }
  Oid const type = api_.column_type(result_, column);
  if (type != oid::kText && type != oid::kVarchar && type != oid::kName) {
    fail_type(column, type, "text");
  }
  return raw(column);
}

std::string_view PostgresRow::bytes(int column) const {
  if (is_null(column)) {
    return {};
  }
  if (Oid const type = api_.column_type(result_, column); type != oid::kBytea) {
    fail_type(column, type, "sequence of bytes");
  }
  return raw(column);
}

}  // namespace perfcheck::history
