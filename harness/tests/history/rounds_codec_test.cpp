// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "rounds_codec.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace perfcheck::history {
namespace {

/// Rounds to six significant digits, as files hold measurements.
double six_digits(double value) {
  return std::stod([&] {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return std::string(text);
  }());
}

void expect_equal(model::Rounds const& a, model::Rounds const& b) {
  EXPECT_EQ(a.launches, b.launches);
  EXPECT_EQ(a.reference_launches, b.reference_launches);
  EXPECT_EQ(a.time_ns, b.time_ns);
  EXPECT_EQ(a.reference_time_ns, b.reference_time_ns);
  EXPECT_EQ(a.clock_mhz, b.clock_mhz);
  EXPECT_EQ(a.reference_clock_mhz, b.reference_clock_mhz);
}

TEST(RoundsCodec, GivesBackEveryDigitAtEverySizeOfNumbers) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, 0.003);
  for (double level = 1e-6; level < 1e13; level *= 7.3) {
    model::Rounds rounds{.launches = 3, .reference_launches = 1000};
    for (int i = 0; i < 40; ++i) {
      rounds.time_ns.push_back(six_digits(level * (1 + noise(random))));
      rounds.reference_time_ns.push_back(six_digits(level * 0.7 * (1 + noise(random))));
      rounds.clock_mhz.push_back(six_digits(1755 * (1 + noise(random))));
    }
    expect_equal(unpack_rounds(pack(rounds)), rounds);
  }
}

TEST(RoundsCodec, GivesBackNumbersThatHaveMoreDigitsAsWell) {
  model::Rounds const rounds{.launches = 1, .reference_launches = 1, .time_ns = {M_PI, 1e300, 5e-324, 1.0 / 3}};
  expect_equal(unpack_rounds(pack(rounds)), rounds);
}

TEST(RoundsCodec, TakesAboutTwoBytesForARoundOfAColumn) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> noise(0, 0.002);
  model::Rounds rounds{.launches = 3, .reference_launches = 3};
  for (int i = 0; i < 100; ++i) {
    rounds.time_ns.push_back(six_digits(85.4321 * (1 + noise(random))));
    rounds.reference_time_ns.push_back(six_digits(712345 * (1 + noise(random))));
  }
  EXPECT_LT(pack(rounds).size(), 500U);
}

TEST(RoundsCodec, RefusesEveryPrefixAndWhateverFollows) {
  std::string const bytes =
      pack({.launches = 3, .reference_launches = 3, .time_ns = {1.5, 2.5}, .reference_time_ns = {M_PI}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(unpack_rounds(bytes.substr(0, size)), codec::DecodeError) << size;
  }
  EXPECT_THROW(unpack_rounds(bytes + "x"), codec::DecodeError);
}

TEST(RoundsCodec, SurvivesAnyBytes) {
  std::mt19937_64 random(5);
  std::string const good = pack({.launches = 3, .reference_launches = 3, .time_ns = {1.5, 2.5, 3.25}});
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good;
    for (std::size_t k = 0; k <= random() % 3; ++k) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    try {
      (void)unpack_rounds(bytes);
    } catch (codec::DecodeError const&) {
    }
  }
}

}  // namespace
}  // namespace perfcheck::history
