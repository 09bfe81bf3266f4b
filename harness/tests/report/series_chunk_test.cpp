// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "decode.h"
#include "perfcheck/report/run_blocks.h"
#include "report_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace perfcheck::report {
namespace {

struct NumberColumn {
  char const* name;
  std::vector<double> Series::* values;
  double relative;  ///< largest relative error of a value
  double absolute;
};
NumberColumn const kColumns[] = {
    {"time_ns", &Series::time_ns, 1.001e-5, 0},    {"ratio", &Series::ratio, 1.001e-5, 0},
    {"cycles", &Series::cycles, 1.001e-5, 0},      {"clock_mhz", &Series::clock_mhz, 1.001e-5, 0},
    {"power_w", &Series::power_w, 5.01e-4, 0},     {"temperature_c", &Series::temperature_c, 5.01e-4, 0},
    {"time_hw", &Series::time_hw, 0, 5.01e-6},     {"ratio_hw", &Series::ratio_hw, 0, 5.01e-6},
    {"cycles_hw", &Series::cycles_hw, 0, 5.01e-6},
};

bool can_be_written(NumberColumn const& column, double value) {
  return std::isfinite(value) && (column.relative == 0 || value > 0);
}

void expect_same(NumberColumn const& column, double decoded, double value) {
  if (!can_be_written(column, value)) {
    EXPECT_TRUE(std::isnan(decoded)) << column.name << " " << value;
  } else if (value > 1e-307 && value < 1e307) {
    EXPECT_NEAR(decoded, value, value * column.relative + column.absolute) << column.name;
  } else {
    EXPECT_TRUE(std::isfinite(decoded)) << "values at the limits of double must stay finite";
  }
}

/// Expects value `at` of the decoded columns to equal value `i` of the series.
void expect_value(decode::Columns const& decoded, std::size_t at, Series const& series, std::size_t i) {
  for (NumberColumn const& column : kColumns)
    expect_same(column, decoded.values.at(column.name).at(at), (series.*column.values)[i]);
  auto const text = [&](char const* table) {
    return decoded.header.at("tables")
        .at(table)
        .at(static_cast<std::size_t>(decoded.values.at(table).at(at)))
        .get<std::string>();
  };
  EXPECT_EQ(text("status"), model::to_text(series.status[i]));
  EXPECT_EQ(text("verdict"), series.verdict[i] ? model::to_text(*series.verdict[i]) : "");
  EXPECT_EQ(decoded.values.at("sessions").at(at), series.sessions[i]);
}

TEST(SeriesChunk, GivesBackWhatItWasMadeOf) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    Series const series = samples::arbitrary_series(random, static_cast<int>(random() % 80));
    decode::Columns const decoded = decode::columns(series_chunk(series));
    for (auto const& [name, values] : decoded.values) ASSERT_EQ(values.size(), series.size()) << name;
    for (std::size_t i = 0; i < series.size(); ++i) {
      expect_value(decoded, i, series, i);
      EXPECT_EQ(decoded.values.at("run")[i], series.run[i]);
      EXPECT_EQ(decoded.values.at("attributes")[i], series.attributes[i]);
    }
    EXPECT_EQ(decoded.header.at("tables").at("attributes").at(1).at("machine_code"), "<&>");
  }
}

TEST(SeriesChunk, HasTheColumnsOfTheContractInItsOrder) {
  decode::Columns const decoded = decode::columns(series_chunk({}));
  std::vector<std::string> names;
  for (nlohmann::json const& column : decoded.header.at("columns")) {
    names.push_back(column.at("name"));
    if (column.at("kind") != "index") {
      EXPECT_TRUE(column.contains("quantum")) << names.back();
    }
  }
  EXPECT_EQ(names, (std::vector<std::string>{"run", "attributes", "status", "verdict", "time_ns", "ratio", "cycles",
                                             "clock_mhz", "power_w", "temperature_c", "time_hw", "ratio_hw",
                                             "cycles_hw", "sessions"}));
}

TEST(SeriesChunk, KeepsTheFirstValueAfterAGapAndAHugeJump) {
  std::mt19937_64 random(1);
  Series series = samples::plain_series(4, random);
  series.time_hw = {1e300, -1e300, 0, 0.001};  // not valid intervals, but they must not break what follows
  series.time_ns = {1e9, std::numeric_limits<double>::quiet_NaN(), 1e9, 1e-3};
  decode::Columns const decoded = decode::columns(series_chunk(series));
  std::vector<double> const& times = decoded.values.at("time_ns");
  EXPECT_NEAR(times[0], 1e9, 1e4);
  EXPECT_TRUE(std::isnan(times[1]));
  EXPECT_EQ(times[2], times[0]) << "a gap must not affect other values";
  EXPECT_NEAR(times[3], 1e-3, 1e-8);
  std::vector<double> const& widths = decoded.values.at("time_hw");
  EXPECT_GT(widths[0], 1000);
  EXPECT_LT(widths[1], -1000);
  EXPECT_NEAR(widths[3], 0.001, 1e-5);
}

TEST(SeriesChunk, NeedsAboutSixteenBytesARun) {
  std::mt19937_64 random(1);
  int const runs = 1000;
  EXPECT_LT(static_cast<double>(series_chunk(samples::plain_series(runs, random)).size()) / runs, 18);
}

TEST(SeriesChunk, RefusesColumnsThatDoNotBelongTogether) {
  std::mt19937_64 random(1);
  auto const refused = [&](auto change) {
    Series series = samples::plain_series(5, random);
    change(series);
    EXPECT_THROW(series_chunk(series), std::invalid_argument);
    RunBlocks blocks(5, 1);
    EXPECT_THROW(blocks.add(0, series), std::invalid_argument);
    EXPECT_THROW(facts_of(series, Metric::time), std::invalid_argument);
  };
  refused([](Series& series) { series.status.pop_back(); });
  refused([](Series& series) { series.verdict.pop_back(); });
  refused([](Series& series) { series.sessions.push_back(1); });
  for (NumberColumn const& column : kColumns) refused([&](Series& series) { (series.*column.values).pop_back(); });
  refused([](Series& series) { series.run[3] = series.run[2]; });
  refused([](Series& series) { series.run[0] = -1; });
  refused([](Series& series) { series.attributes[0] = 1; });
  refused([](Series& series) { series.attributes[0] = -1; });
}

TEST(SeriesChunk, RefusesAttributesThatAreNotJson) {
  std::mt19937_64 random(1);
  Series series = samples::plain_series(1, random);
  series.attribute_table[0] = "{";
  EXPECT_THROW(series_chunk(series), std::invalid_argument);
  series.attribute_table[0] = std::string(1000000, '[') + std::string(1000000, ']');
  EXPECT_THROW(series_chunk(series), std::invalid_argument);
}

TEST(RunBlocks, HoldEveryCaseOfEveryRun) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    int const runs = static_cast<int>(1 + random() % 200), cases = 4;
    std::map<int, Series> all;
    RunBlocks blocks(runs, cases);
    for (int one : {0, 2}) {  // the others never appear
      all[one] = samples::arbitrary_series(random, runs);
      blocks.add(one, all[one]);
    }
    ASSERT_EQ(blocks.blocks(), (runs + 63) / 64);
    for (int block = blocks.blocks() - 1; block >= 0; --block) {
      decode::Columns const decoded = decode::columns(blocks.finish(block));
      int const width = std::min(64, runs - 64 * block);
      EXPECT_FALSE(decoded.values.contains("run"));
      nlohmann::json const& table = decoded.header.at("tables").at("attributes");
      for (auto const& [name, values] : decoded.values) ASSERT_EQ(values.size(), cases * width) << name;
      for (int one = 0; one < cases; ++one) {
        for (int run = 0; run < width; ++run) {
          auto const at =
              static_cast<std::size_t>(one) * static_cast<std::size_t>(width) + static_cast<std::size_t>(run);
          Series const& series = all[one];
          auto const found = std::find(series.run.begin(), series.run.end(), 64 * block + run);
          if (found != series.run.end()) {
            auto const i = static_cast<std::size_t>(found - series.run.begin());
            expect_value(decoded, at, series, i);
            EXPECT_EQ(table.at(static_cast<std::size_t>(decoded.values.at("attributes")[at])),
                      nlohmann::json::parse(series.attribute_table[static_cast<std::size_t>(series.attributes[i])]));
          } else {
            EXPECT_EQ(decoded.values.at("status")[at], 0);
            EXPECT_EQ(decoded.values.at("verdict")[at], 0);
            EXPECT_TRUE(table.at(static_cast<std::size_t>(decoded.values.at("attributes")[at])).is_null());
            EXPECT_TRUE(std::isnan(decoded.values.at("time_ns")[at]));
          }
        }
      }
    }
  }
}

TEST(RunBlocks, RefuseWhatComesInAnotherOrderOrOutOfRange) {
  std::mt19937_64 random(1);
  Series const series = samples::plain_series(3, random);
  RunBlocks blocks(3, 3);
  blocks.add(1, series);
  EXPECT_THROW(blocks.add(1, series), std::invalid_argument);
  EXPECT_THROW(blocks.add(0, series), std::invalid_argument);
  EXPECT_THROW(blocks.add(3, series), std::invalid_argument);
  EXPECT_THROW(blocks.add(2, samples::plain_series(4, random)), std::invalid_argument);
  EXPECT_THROW(blocks.finish(1), std::invalid_argument);
  EXPECT_THROW(blocks.finish(-1), std::invalid_argument);
  std::ignore = blocks.finish(0);
  EXPECT_THROW(blocks.finish(0), std::invalid_argument);
  EXPECT_THROW(blocks.add(2, series), std::invalid_argument);
  EXPECT_EQ(RunBlocks(0, 5).blocks(), 0);
  EXPECT_EQ(RunBlocks(65, 1).blocks(), 2);
}

}  // namespace
}  // namespace perfcheck::report
