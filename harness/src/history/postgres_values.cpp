// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "postgres_values.h"

#include "perfcheck/model/utf8.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <limits>

namespace perfcheck::history {

std::optional<std::string> storable(std::string_view text) {
  std::optional<std::string> repaired;
  for (std::size_t at = 0; at < text.size();) {
    model::Utf8Character const character = model::first_character(text.substr(at));
    bool const kept = character.length > 0 && character.code != 0;
    std::size_t const length = std::max<std::size_t>(character.length, 1);
    if (!kept && !repaired) {
      repaired.emplace(text.substr(0, at));
    }
    if (repaired) {
      repaired->append(kept ? text.substr(at, length) : model::kReplacement);
    }
    at += length;
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
