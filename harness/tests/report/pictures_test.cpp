// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// PERFCHECK_APPROVE=1 in the environment rewrites the golden pictures: a person must look at them when they change.
#include "perfcheck/report/pictures.h"

#include "decode.h"
#include "report_samples.h"
#include "svg/axis.h"
#include "svg/canvas.h"
#include "text/markup.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

namespace perfcheck::report {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

void expect_golden(std::string const& text, std::string const& name) {
  std::string const path = std::string(PERFCHECK_GOLDEN_DIR) + "/" + name;
  if (std::getenv("PERFCHECK_APPROVE") != nullptr) std::ofstream(path) << text;
  std::stringstream golden;
  golden << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, golden.str()) << "look at the picture; if it is right, PERFCHECK_APPROVE=1 writes " << name;
}

struct Trend {
  ReportDevice device;
  Series series;
  SeriesFacts facts;

  std::string svg(Metric metric = Metric::ratio) const { return trend_svg(device, 1, series, facts, metric); }
};

/// A series made from a sine: random distributions differ between standard libraries.
Trend trend(int runs, std::vector<std::pair<int, double>> const& steps = {}) {
  std::mt19937_64 random(1);
  Trend result{.device = samples::small_device(runs), .series = samples::plain_series(runs, random)};
  for (std::size_t i = 0; i < result.series.size(); ++i) {
    double const wobble = 1 + 0.0015 * std::sin(12.9898 * static_cast<double>(i * i));
    result.series.ratio[i] = 1.4 * wobble;
    result.series.time_ns[i] = 240e3 * wobble;
    result.series.cycles[i] = 400e3 * wobble;
  }
  for (auto const& [run, factor] : steps) samples::add_step(result.series, run, factor);
  result.facts = facts_of(result.series, Metric::ratio);
  return result;
}

TEST(LadderPicture, IsTheGoldenOne) { expect_golden(ladder_svg(samples::small_device(3), 0), "ladder.svg"); }

TEST(TrendPicture, IsTheGoldenOne) {
  Trend one = trend(80, {{30, 1.031}, {55, 0.94}});
  for (std::size_t const gap : {12, 13, 70}) one.series.ratio[gap] = kMissing;
  one.series.ratio_hw[40] = kMissing;
  expect_golden(one.svg(), "trend.svg");
}

TEST(LadderPicture, NamesKernelsFromSlowToFastAndTheFailedOneFirst) {
  std::string const svg = ladder_svg(samples::small_device(3), 0);
  std::size_t at = 0;
  for (char const* name : {">wgmma/f16_broken<", ">simt/naive<", ">mma/f16_pipeline<", ">library/cublas<"}) {
    std::string const mark = std::string("</title>") + (name + 1);
    EXPECT_GT(svg.find(mark), at) << name;
    EXPECT_NE(svg.find(mark), std::string::npos) << name;
    at = svg.find(mark);
  }
  std::vector<std::string> const texts = decode::xml_texts(svg);
  for (char const* text :
       {"crashed", "6.250", "0.9 %", "633.5", "90.5 %", "reference", "peak 989.4", "reference 700.0"})
    EXPECT_THAT(texts, Contains(text));
}

TEST(LadderPicture, LeavesSkippedCasesOutAndThoseOfOtherProblems) {
  ReportDevice device = samples::small_device(3);
  device.cases[0].latest->status = model::CaseStatus::skipped;
  device.problems.push_back(device.problems[0]);
  device.cases[1].problem = 1;
  std::string const svg = ladder_svg(device, 0);
  EXPECT_THAT(svg, Not(HasSubstr("naive")));
  EXPECT_THAT(svg, Not(HasSubstr("pipeline")));
  EXPECT_THAT(svg, HasSubstr("cublas"));
}

TEST(LadderPicture, SaysThatATreeWithChangesIsNotItsCommit) {
  ReportDevice device = samples::small_device(3);
  std::string const commit = "commit " + device.commits.at(device.runs.back().commit).id.substr(0, 7);
  EXPECT_THAT(ladder_svg(device, 0), AllOf(HasSubstr(commit), Not(HasSubstr(commit + " with changes"))));
  device.runs.back().dirty = true;
  EXPECT_THAT(ladder_svg(device, 0), HasSubstr(commit + " with changes"));
}

TEST(LadderPicture, SaysWhenThereIsNothingToShow) {
  ReportDevice device = samples::small_device(3);
  device.cases.clear();
  std::string const svg = ladder_svg(device, 0);
  decode::xml_texts(svg);
  EXPECT_THAT(svg, HasSubstr("No speed is known"));
  EXPECT_THROW(ladder_svg(device, 1), std::invalid_argument);
  EXPECT_THROW(ladder_svg(device, -1), std::invalid_argument);
}

TEST(TrendPicture, NamesTheCommitAndTheSizeOfEachChange) {
  Trend const one = trend(80, {{30, 1.031}, {55, 0.94}});
  std::vector<std::string> const texts = decode::xml_texts(one.svg());
  EXPECT_THAT(texts, Contains("\xe2\x96\xb2 +3.1 % 1000030"));
  EXPECT_THAT(texts, Contains("\xe2\x96\xbc -6.0 % 1000055"));
  EXPECT_THAT(texts, Contains(HasSubstr("95 %: +3.0 % to +3.2 %")))
      << "users who cannot see the picture need this text";
}

TEST(TrendPicture, ShowsOnlyTheChangesOfItsMetric) {
  Trend one = trend(80);
  one.facts.changes = {{.metric = Metric::cycles, .run = 30, .from = 30, .to = 30, .size = 0.5}};
  EXPECT_THAT(one.svg(Metric::ratio), Not(HasSubstr("+50.0 %")));
  EXPECT_THAT(one.svg(Metric::cycles), HasSubstr("+50.0 %"));
}

TEST(TrendPicture, ShowsNoValueWhereThereIsNone) {
  Trend one = trend(10);
  one.series.ratio[5] = kMissing;
  std::string const svg = one.svg();
  auto const count = [&](std::string const& part) {
    int result = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++result;
    return result;
  };
  EXPECT_EQ(count("<circle"), 9);
  EXPECT_EQ(count("class=\"line\""), 2) << "a gap must split the line in two";
  EXPECT_EQ(count("class=\"band\""), 2);
}

TEST(TrendPicture, DrawsEverySeriesThatCanBeWritten) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    int const runs = static_cast<int>(1 + random() % 60);
    Trend one{.device = samples::small_device(runs), .series = samples::arbitrary_series(random, runs)};
    one.facts = facts_of(one.series, Metric::time);
    for (Metric const metric : {Metric::ratio, Metric::cycles, Metric::time}) {
      std::string const svg = one.svg(metric);
      decode::xml_texts(svg);
      EXPECT_EQ(svg.find("nan"), std::string::npos) << "NaN must not appear as a coordinate";
      EXPECT_EQ(svg.find("inf"), std::string::npos);
    }
  }
}

TEST(TrendPicture, DrawsOneRunAndNone) {
  decode::xml_texts(trend(1).svg());
  Trend none = trend(2);
  none.series.cycles.assign(2, kMissing);
  EXPECT_THAT(none.svg(Metric::cycles), HasSubstr("No run knows the cycles of this case."));
  none.series = {};
  decode::xml_texts(none.svg());
}

TEST(TrendPicture, RefusesWhatIsNotThere) {
  Trend one = trend(5);
  EXPECT_THROW(trend_svg(one.device, 4, one.series, one.facts, Metric::time), std::invalid_argument);
  EXPECT_THROW(trend_svg(one.device, -1, one.series, one.facts, Metric::time), std::invalid_argument);
  one.device.runs.pop_back();
  EXPECT_THROW(one.svg(), std::invalid_argument);
}

TEST(Pictures, ShowHostileTextAsText) {
  for (std::string const& text : samples::hostile_texts()) {
    SCOPED_TRACE(text.substr(0, 40));
    Trend one = trend(3);
    std::string const plain = one.svg(), plain_ladder = ladder_svg(one.device, 0);
    one.device = samples::hostile_device(text);
    auto const elements = [](std::string const& svg) { return std::count(svg.begin(), svg.end(), '<'); };
    decode::xml_texts(one.svg());
    decode::xml_texts(ladder_svg(one.device, 0));
    EXPECT_LE(elements(one.svg()), elements(plain));
    EXPECT_LE(elements(ladder_svg(one.device, 0)), elements(plain_ladder));
  }
}

TEST(Coordinates, AreShortAndHaveNoNegativeZero) {
  EXPECT_EQ(coordinate(12.34), "12.3");
  EXPECT_EQ(coordinate(12), "12");
  EXPECT_EQ(coordinate(-0.04), "0");
  EXPECT_EQ(coordinate(-0.06), "-0.1");
}

TEST(Ticks, AreRoundNumbersWithinTheRange) {
  EXPECT_EQ(ticks_of(0, 1000, 5).values, (std::vector<double>{0, 200, 400, 600, 800, 1000}));
  Ticks const fine = ticks_of(1.394, 1.447, 5);
  EXPECT_EQ(fine.values.size(), 3u);
  EXPECT_EQ(fine.text(fine.values[0]), "1.40");
  EXPECT_TRUE(ticks_of(1, 1, 5).values.empty());
  EXPECT_TRUE(ticks_of(0, std::numeric_limits<double>::infinity(), 5).values.empty());
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    double const low = std::exp(std::uniform_real_distribution<double>(-9, 9)(random));
    double const high = low * (1 + std::exp(std::uniform_real_distribution<double>(-6, 6)(random)));
    Ticks const ticks = ticks_of(low, high, 5);
    ASSERT_GE(ticks.values.size(), 1u) << low << " " << high;
    EXPECT_LE(ticks.values.size(), 7u);
    std::set<std::string> texts;
    for (double const tick : ticks.values) {
      EXPECT_GE(tick, low * (1 - 1e-6));
      EXPECT_LE(tick, high * (1 + 1e-6));
      EXPECT_TRUE(texts.insert(ticks.text(tick)).second) << "two ticks with one text";
    }
  }
}

}  // namespace
}  // namespace perfcheck::report
