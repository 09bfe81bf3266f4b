// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how long a history takes to return one case's series, as for a trend.
//
//   usage: perfcheck_history_series_bench PLACE [reads] [seed]          (200 reads, seed 1)
//
// Opens the history anew for each read and asks for a random case, like a process that needs one trend.
// perfcheck_made_up_history makes histories of any size.
#include "perfcheck/history/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <random>
#include <string_view>
#include <vector>

namespace {

using namespace perfcheck;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void print(char const* what, std::vector<double> times) {
  std::ranges::sort(times);
  fmt::print("{:<28} median {:7.2f} ms, 95 % {:7.2f} ms, most {:7.2f} ms\n", what, times[times.size() / 2],
             times[times.size() * 95 / 100], times.back());
}

}  // namespace

int main(int argc, char** argv) {
  unsigned reads = 200, seed = 1;
  bool understood = argc >= 2 && argc <= 4 && argv[1][0] != '-';
  for (int i = 2; understood && i < argc; ++i) {
    std::string_view const text = argv[i];
    auto const [end, error] = std::from_chars(text.begin(), text.end(), i == 2 ? reads : seed);
    understood = error == std::errc() && end == text.end() && reads > 0;
  }
  if (!understood) {
    fmt::print(stderr, "usage: {} PLACE [reads] [seed]\n", argv[0]);
    return 64;
  }
  std::vector<history::SeriesEntry> const all = history::History(argv[1], history::Mode::read).series();
  if (all.empty()) {
    fmt::print(stderr, "{} holds no case\n", argv[1]);
    return 74;
  }
  std::mt19937_64 random(seed);
  std::vector<double> opening, reading;
  std::size_t rows = 0;
  for (unsigned i = 0; i < reads; ++i) {
    history::SeriesEntry const& one = all[random() % all.size()];
    auto const start = Clock::now();
    history::History history(argv[1], history::Mode::read);
    opening.push_back(ms_since(start));
    auto const read = Clock::now();
    history.read(one, [&](history::Result const&) { ++rows; });
    reading.push_back(ms_since(read));
  }
  fmt::print("{}: {} cases, {} results a read\n", argv[1], all.size(), rows / reads);
  print("open", opening);
  print("series of one case", reading);
}
