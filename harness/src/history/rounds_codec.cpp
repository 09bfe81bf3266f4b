// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "rounds_codec.h"

#include "perfcheck/codec/varint.h"

#include <bit>
#include <climits>
#include <cmath>
#include <optional>

namespace perfcheck::history {
namespace {

using codec::DecodeError;
using codec::get_varint;
using codec::put_varint;

constexpr unsigned char kFormat = 1;
constexpr unsigned char kRaw = 255;
constexpr int kMaxExponent = 15;
// A whole number below 2^53 divided by a power of ten below 10^22 is correctly rounded, just like a parsed decimal.
constexpr double kExact = 9007199254740992.0;

double power_of_ten(int exponent) {
  double power = 1;
  for (int i = 0; i < exponent; ++i) {
    power *= 10;
  }
  return power;
}

/// The values times ten to the exponent, as whole numbers; empty unless dividing them gives back exactly the same
/// values.
std::optional<std::vector<int64_t>> scaled(std::vector<double> const& values, int exponent) {
  double const power = power_of_ten(exponent);
  std::vector<int64_t> whole;
  whole.reserve(values.size());
  for (double const value : values) {
    double const rounded = std::nearbyint(value * power);
    if (!(std::abs(rounded) < kExact) || rounded / power != value) {
      return std::nullopt;
    }
    whole.push_back(static_cast<int64_t>(rounded));
  }
  return whole;
}

void put_column(std::string& bytes, std::vector<double> const& values) {
  put_varint(bytes, values.size());
  for (int exponent = 0; exponent <= kMaxExponent; ++exponent) {
    if (std::optional<std::vector<int64_t>> const whole = scaled(values, exponent)) {
      bytes += static_cast<char>(exponent);
      int64_t last = 0;
      for (int64_t const value : *whole) {
        put_varint(bytes, codec::zigzag(value - last));
        last = value;
      }
      return;
    }
  }
  bytes += static_cast<char>(kRaw);
  for (double const value : values) {
    auto const bits = std::bit_cast<uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) {
      bytes += static_cast<char>(bits >> shift & 0xff);
    }
  }
}

unsigned char get_byte(std::string_view bytes, std::size_t& at) {
  if (at >= bytes.size()) {
    throw DecodeError("rounds end too early");
  }
  return static_cast<unsigned char>(bytes[at++]);
}

double get_raw(std::string_view bytes, std::size_t& at) {
  uint64_t bits = 0;
  for (int shift = 0; shift < 64; shift += 8) {
    bits |= static_cast<uint64_t>(get_byte(bytes, at)) << shift;
  }
  return std::bit_cast<double>(bits);
}

std::vector<double> get_column(std::string_view bytes, std::size_t& at) {
  uint64_t const count = get_varint(bytes, at);
  // Every value takes at least one byte: a larger count is damaged and must not reserve memory.
  if (count > bytes.size() - at) {
    throw DecodeError("rounds end too early");
  }
  unsigned char const exponent = get_byte(bytes, at);
  if (exponent != kRaw && exponent > kMaxExponent) {
    throw DecodeError("rounds are of an unknown kind");
  }
  double const power = power_of_ten(exponent == kRaw ? 0 : exponent);
  std::vector<double> values;
  values.reserve(count);
  uint64_t last = 0;  // unsigned, so that an overflow by damaged bytes is defined
  for (uint64_t i = 0; i < count; ++i) {
    if (exponent == kRaw) {
      values.push_back(get_raw(bytes, at));
    } else {
      last += static_cast<uint64_t>(codec::unzigzag(get_varint(bytes, at)));
      values.push_back(static_cast<double>(static_cast<int64_t>(last)) / power);
    }
  }
  return values;
}

int get_count(std::string_view bytes, std::size_t& at) {
  uint64_t const value = get_varint(bytes, at);
  if (value > INT_MAX) {
    throw DecodeError("a number of launches is too large");
  }
  return static_cast<int>(value);
}

}  // namespace

std::string pack(model::Rounds const& rounds) {
  std::string bytes(1, static_cast<char>(kFormat));
  put_varint(bytes, static_cast<uint64_t>(rounds.launches));
  put_varint(bytes, static_cast<uint64_t>(rounds.reference_launches));
  for (std::vector<double> const* column :
       {&rounds.time_ns, &rounds.reference_time_ns, &rounds.clock_mhz, &rounds.reference_clock_mhz}) {
    put_column(bytes, *column);
  }
  return bytes;
}

model::Rounds unpack_rounds(std::string_view bytes) {
  std::size_t at = 0;
  if (get_byte(bytes, at) != kFormat) {
    throw DecodeError("rounds are of an unknown format");
  }
  model::Rounds rounds;
  rounds.launches = get_count(bytes, at);
  rounds.reference_launches = get_count(bytes, at);
  for (std::vector<double>* column :
       {&rounds.time_ns, &rounds.reference_time_ns, &rounds.clock_mhz, &rounds.reference_clock_mhz}) {
    *column = get_column(bytes, at);
  }
  if (at != bytes.size()) {
    throw DecodeError("rounds have bytes behind their end");
  }
  return rounds;
}

}  // namespace perfcheck::history
