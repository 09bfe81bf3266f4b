// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Values of PostgreSQL's answers: the first byte chooses the type, the rest is the value.
#include "perfcheck/history/history.h"
#include "postgres_decoding.h"
#include "support/property.h"

#include <array>
#include <cmath>

using namespace perfcheck;
namespace oid = history::oid;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  constexpr std::array<unsigned, 12> kTypes{oid::kBool,   oid::kBytea,   oid::kName,    oid::kInt8,
                                            oid::kInt2,   oid::kInt4,    oid::kText,    oid::kFloat4,
                                            oid::kFloat8, oid::kVarchar, oid::kNumeric, oid::kUnknown};
  if (size == 0) {
    return 0;
  }
  unsigned const type = kTypes[data[0] % kTypes.size()];
  std::string_view const bytes = fuzz::text_of(data, size).substr(1);
  history::PostgresValue const value("postgresql://host/history", 0, type, bytes);
  auto const integer = fuzz::accepted<history::HistoryError>([&] { return value.integer(); });
  auto const real = fuzz::accepted<history::HistoryError>([&] { return value.real(); });
  if (integer && real) {
    // A sum is rounded to a whole number; beyond 2^53 not every one of them is a double.
    fuzz::require(std::abs(static_cast<double>(*integer) - *real) <= 0.5 + std::abs(*real) * 0x1p-52,
                  "a whole number is a number");
  }
  fuzz::require(!real || type == oid::kFloat4 || type == oid::kFloat8 || std::isfinite(*real), "sums are finite");
  for (auto const& given : {fuzz::accepted<history::HistoryError>([&] { return value.text(); }),
                            fuzz::accepted<history::HistoryError>([&] { return value.bytes(); })}) {
    fuzz::require(!given || *given == bytes, "texts and bytes are as they came");
  }
  return 0;
}
