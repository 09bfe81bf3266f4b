// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Decodes values of query results in PostgreSQL's binary format. They come from a server, so they are not trusted.
#pragma once

#include <cstdint>
#include <string_view>

namespace perfcheck::history {

/// Type numbers (libpq's Oid) in the system catalog pg_type; they never change.
namespace oid {
inline constexpr unsigned kUnknown = 0;
inline constexpr unsigned kBool = 16;
inline constexpr unsigned kBytea = 17;
inline constexpr unsigned kName = 19;
inline constexpr unsigned kInt8 = 20;
inline constexpr unsigned kInt2 = 21;
inline constexpr unsigned kInt4 = 23;
inline constexpr unsigned kText = 25;
inline constexpr unsigned kFloat4 = 700;
inline constexpr unsigned kFloat8 = 701;
inline constexpr unsigned kVarchar = 1043;
inline constexpr unsigned kNumeric = 1700;
}  // namespace oid

/// A value that is not NULL. The accessors throw HistoryError if the value does not have a suitable type or is
/// malformed; the message names `history` and the column, counted from 0. The arguments must outlive the value.
class PostgresValue {
 public:
  PostgresValue(std::string_view history, int column, unsigned type, std::string_view bytes)
      : history_(history), column_(column), type_(type), bytes_(bytes) {}

  /// Of a numeric, which is the type of a sum: the nearest whole number.
  int64_t integer() const;
  /// Infinite or NaN only where the server stored that; sums are finite.
  double real() const;
  std::string_view text() const;
  std::string_view bytes() const;

 private:
  int64_t fixed(std::size_t size) const;
  long double numeric() const;
  [[noreturn]] void fail_type(char const* wanted) const;
  [[noreturn]] void fail_malformed(char const* wanted) const;

  std::string_view history_;
  int column_;
  unsigned type_;
  std::string_view bytes_;
};

}  // namespace perfcheck::history
