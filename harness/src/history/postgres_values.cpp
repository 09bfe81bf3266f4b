// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "postgres_values.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <limits>

namespace perfcheck::history {
namespace {

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

PostgresValue PostgresRow::value(int column) const {
  return {history_,
          column,
          api_.column_type(result_, column),
          {api_.value(result_, 0, column), static_cast<std::size_t>(api_.length(result_, 0, column))}};
}

int64_t PostgresRow::integer(int column) const { return is_null(column) ? 0 : value(column).integer(); }

double PostgresRow::real(int column) const {
  return is_null(column) ? std::numeric_limits<double>::quiet_NaN() : value(column).real();
}

std::string_view PostgresRow::text(int column) const {
  return is_null(column) ? std::string_view() : value(column).text();
}

std::string_view PostgresRow::bytes(int column) const {
  return is_null(column) ? std::string_view() : value(column).bytes();
}

}  // namespace perfcheck::history
