// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Times the work for a report of a large history, except reading it: 1,000 cases of 5,000 runs, on one core.
//
//   usage: perfcheck_report_encoding_bench [cases] [runs]
#include "perfcheck/report/chunk.h"
#include "perfcheck/report/run_blocks.h"
#include "perfcheck/report/series.h"

#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

namespace {

using namespace perfcheck::report;

/// Runs scatter by 0.2 % and 0.1 %; every 500 runs a new level.
Series make(int runs, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Series series;
  series.attribute_table = {R"({"launches":[],"machine_code":"0123456789abcdef"})"};
  double level = 0;
  for (int run = 0; run < runs; ++run) {
    if (run % 500 == 0) level += 0.03 * normal(random);
    series.run.push_back(run);
    series.status.push_back(perfcheck::model::CaseStatus::measured);
    series.verdict.emplace_back(perfcheck::model::Verdict::pass);
    series.attributes.push_back(0);
    series.time_ns.push_back(1e6 * std::exp(level + 0.002 * normal(random)));
    series.ratio.push_back(1.4 * std::exp(level + 0.001 * normal(random)));
    series.cycles.push_back(1.7e6 * std::exp(level + 0.001 * normal(random)));
    series.clock_mhz.push_back(1700 * std::exp(0.002 * normal(random)));
    series.power_w.push_back(std::round(400 + 20 * normal(random)));
    series.temperature_c.push_back(std::round(60 + 3 * normal(random)));
    for (std::vector<double>* column : {&series.time_hw, &series.ratio_hw, &series.cycles_hw})
      column->push_back(0.0005 * std::exp(0.3 * normal(random)));
    series.sessions.push_back(1);
  }
  return series;
}

struct Part {
  char const* name;
  double seconds = 0;
  double bytes = 0;
};

template <typename F>
void time(Part& part, F f) {
  std::clock_t const begin = std::clock();  // of the processor, so that other work on the machine does not count
  part.bytes += static_cast<double>(f());
  part.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

int main(int argc, char** argv) {
  int const cases = argc > 1 ? std::atoi(argv[1]) : 1000;
  int const runs = argc > 2 ? std::atoi(argv[2]) : 5000;
  std::mt19937_64 random(1);
  Part encode{"series: columns"}, pack{"series: deflate and base64"}, collect{"run blocks: collect"},
      finish{"run blocks: columns, deflate, base64"}, changes{"facts: change points of 3 metrics"};
  RunBlocks blocks(runs, cases);
  std::size_t found = 0;
  for (int one = 0; one < cases; ++one) {
    Series const series = make(runs, random);
    std::string bytes;
    time(encode, [&] { return (bytes = series_chunk(series)).size(); });
    time(pack, [&] { return packed(bytes).size(); });
    time(collect, [&] { return blocks.add(one, series), 0; });
    time(changes, [&] { return found += facts_of(series, Metric::ratio).changes.size(), 0; });
  }
  for (int block = 0; block < blocks.blocks(); ++block)
    time(finish, [&] { return packed(blocks.finish(block)).size(); });
  double const points = static_cast<double>(cases) * runs;
  for (Part const& part : {encode, pack, collect, finish, changes})
    std::printf("%-38s %7.2f s  %6.2f bytes a point\n", part.name, part.seconds, part.bytes / points);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%.0f points, %zu changes, at most %.0f MB of memory\n", points, found,
              static_cast<double>(usage.ru_maxrss) / 1024);
}
