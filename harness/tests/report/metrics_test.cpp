// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/metrics.h"

#include "ci_samples.h"
#include "perfcheck/report/page_json.h"
#include "perfcheck/report/result_formats.h"
#include "report_samples.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <set>

namespace perfcheck::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Figures some() {
  return {.time_ns = 1000,
          .cycles = 1700,
          .clock_mhz = 1700,
          .ratio = 2,
          .noise = 0.001,
          .flop = 2e6,
          .bytes = 5e5,
          .peak_tflops = 10,
          .peak_gb_s = 3000,
          .naive_time_ns = 8000};
}

TEST(Metrics, FollowFromTheFiguresOfACase) {
  for (auto const& [key, value] : std::map<std::string, double>{{"time_ns", 1000},
                                                                {"tflops", 2},
                                                                {"gb_s", 500},
                                                                {"reference_share", 0.5},
                                                                {"naive_speedup", 8},
                                                                {"peak_share", 0.2},
                                                                {"ratio", 2},
                                                                {"cycles", 1700},
                                                                {"clock_mhz", 1700},
                                                                {"noise", 0.001}}) {
    EXPECT_DOUBLE_EQ(value_of(some(), key).value_or(-1), value) << key;
    EXPECT_FALSE(value_of({}, key)) << key << " of a case without data";
  }
  EXPECT_THROW((void)value_of(some(), "speed"), std::logic_error);
}

TEST(Metrics, OfNothingAreNoneAndNotInfinite) {
  Figures none = some();
  none.time_ns = none.ratio = none.peak_tflops = 0;
  for (char const* key : {"tflops", "gb_s", "reference_share", "naive_speedup", "peak_share"}) {
    EXPECT_FALSE(value_of(none, key)) << key;
  }
}

TEST(Metrics, HaveOneKeyEachAndAUnitWhereOneIsPrinted) {
  std::set<std::string> keys, gauges;
  for (MetricRow const& metric : metrics()) {
    EXPECT_TRUE(keys.insert(metric.key).second) << metric.key;
    EXPECT_STRNE(metric.name, "") << metric.key;
    if (metric.gauge.name != nullptr) {
      EXPECT_TRUE(gauges.insert(metric.gauge.name).second) << metric.key;
      EXPECT_TRUE(std::string(metric.gauge.name).ends_with(metric.gauge.unit)) << metric.key;
    }
  }
}

/// Everything that iterates over the table of metrics contains each of its rows: to add a metric is to add a row.
TEST(Metrics, AreAllInWhateverWalksTheTable) {
  ReportDevice device = samples::small_device(1);
  device.cases.front().latest = ReportLatest{.figures = some()};
  nlohmann::json const page =
      nlohmann::json::parse(device_json(device, std::vector<SeriesFacts>(device.cases.size()), 0));
  std::set<std::string> shown;
  for (nlohmann::json const& metric : page.at("metrics")) {
    shown.insert(metric.at("key"));
  }
  std::string const csv = "," + write_result(ResultFormat::csv, samples::measured_result());
  std::string const gauges = write_result(ResultFormat::openmetrics, samples::measured_result());
  for (MetricRow const& metric : metrics()) {
    EXPECT_EQ(shown.contains(metric.key), metric.readers.page) << metric.key;
    EXPECT_EQ(page.at("cases").at(0).at("latest").contains(metric.key), metric.readers.page) << metric.key;
    std::string const column = std::string(",") + metric.key + ",";
    EXPECT_THAT(csv.substr(0, csv.find('\r')),
                metric.readers.results ? ::testing::Matcher<std::string>(HasSubstr(column)) : Not(HasSubstr(column)));
    if (metric.gauge.name != nullptr) {
      EXPECT_THAT(gauges, HasSubstr(std::string("# TYPE ") + metric.gauge.name));
    }
  }
}

}  // namespace
}  // namespace perfcheck::report
