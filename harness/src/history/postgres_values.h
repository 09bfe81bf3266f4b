// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Values to and from PostgreSQL in its binary format: a double keeps every bit, and bytes are not escaped.
#pragma once

#include "database.h"
#include "libpq.h"
#include "postgres_decoding.h"

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::history {

/// The text with everything that PostgreSQL's type text cannot hold replaced by U+FFFD: the character U+0000, and bytes
/// that are not UTF-8. nullopt when there is nothing to replace.
std::optional<std::string> storable(std::string_view text);

/// The values of one statement, as libpq takes them. Texts and bytes that were added must outlive it.
class PostgresParameters {
 public:
  /// NaN becomes NULL, as in SQLite.
  void add(Parameter const& parameter);

  int count() const { return static_cast<int>(types_.size()); }
  Oid const* types() const { return types_.data(); }
  char const* const* values() const { return values_.data(); }
  int const* lengths() const { return lengths_.data(); }
  int const* formats() const { return formats_.data(); }

 private:
  void add_bits(Oid type, uint64_t bits);
  void add_bytes(Oid type, std::string_view bytes);

  std::vector<Oid> types_;
  std::vector<char const*> values_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
  // Deques, so that pointers to their elements stay valid.
  std::deque<std::array<char, 8>> numbers_;
  std::deque<std::string> repaired_;
};

/// The first row of a result with binary columns. `history` names the history in error messages. The arguments must
/// outlive the row.
class PostgresRow : public Row {
 public:
  PostgresRow(Libpq const& api, PGresult const* result, std::string const& history)
      : api_(api), result_(result), history_(history) {}

  bool is_null(int column) const override { return api_.is_null(result_, 0, column) != 0; }
  int64_t integer(int column) const override;
  double real(int column) const override;
  std::string_view text(int column) const override;
  std::string_view bytes(int column) const override;

 private:
  PostgresValue value(int column) const;

  Libpq const& api_;
  PGresult const* result_;
  std::string const& history_;
};

}  // namespace perfcheck::history
