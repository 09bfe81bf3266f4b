// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a made-up history, for load tests of reports and databases. Every run says so in its origin, and every page
// drawn from it at its top.
//
//   usage: perfcheck_made_up_history PLACE [cases] [runs] [seed]          (200 cases, 500 runs, seed 1)
//
// How the data are made: kernels of 20 problems each, an hour between runs. A case's time is a level, times noise of
// one run (normal, sd 0.15 %), times noise of its rounds (sd 0.2 %, four rounds). The level changes with a chance of 1
// in 500 per run by a normal step of sd 4 %, and one kernel in a hundred commits changes as a whole; registers and the
// hash of the machine code change with it. The reference stays where it is and shares the noise of the run. Clocks
// follow a slow wave of 1 %. One case in 5000 fails. Decisions compare with the first run and allow 3 %.
#include "perfcheck/history/history.h"
#include "perfcheck/model/summary.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <random>
#include <string_view>

namespace {

using namespace perfcheck;

constexpr int kProblems = 20;
constexpr int kRounds = 4;
constexpr double kAllowed = 0.03;

std::string time_text(int hours) {
  std::time_t const time = 1767225600 + 3600LL * hours;  // from 2026-01-01 on
  std::tm utc{};
  ::gmtime_r(&time, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

class World {
 public:
  World(int cases, uint64_t seed)
      : random_(seed),
        origin_(fmt::format("{}: made up by perfcheck_made_up_history with seed {}", history::kSynthetic, seed)) {
    for (int i = 0; i < cases; ++i) {
      int const n = 256 * (1 + i % kProblems);
      cases_.push_back({.id = fmt::format("gemm/made_up/kernel_{:02}@f32,nn,m{}n{}k{}", i / kProblems, n, n, n),
                        .reference = fmt::format("gemm/library/reference@f32,nn,m{}n{}k{}", n, n, n),
                        .flop = 2.0 * n * n * n,
                        .level = 2.0 * n * n * n / 4e4 * (1 + 0.05 * (i / kProblems))});
    }
  }

  model::Run run(int number) {
    change_levels();
    model::Run run;
    run.id = fmt::format("made-up-{:06}", number);
    run.started = time_text(number);
    run.seconds = 60;
    run.tool_version = "0";
    run.imported_from = origin_;
    // Multiplied by an odd number, which scatters them like real ones and keeps them distinct.
    uint64_t const scattered = 0x9e3779b97f4a7c15ULL * (static_cast<unsigned>(number) + 1U);
    run.source = {.commit = fmt::format("{0:016x}{0:016x}{1:08x}", scattered, number),
                  .branch = "main",
                  .subject = fmt::format("Change number {} of a made-up history", number),
                  .author = fmt::format("Author {}", number % 7),
                  .committed = time_text(number)};
    run.worker = {.name = "made-up", .backend = "cuda", .operation = "gemm", .build = {.version = "0"}};
    run.suite = "default";
    run.sessions.push_back(session(run.started, number));
    return run;
  }

  /// The verdict of a gate that compares with the first run and allows 3 %.
  history::RunDecision decision(model::Run const& run) {
    history::RunDecision decision{.exit_code = model::ExitCode::ok, .notes = {}, .cases = {}};
    for (model::CaseResult const& result : run.sessions.front().cases) {
      history::StoredDecision& one = decision.cases[result.id];
      auto const summary = model::summarize(result);
      if (!summary) {
        one.verdict = model::Verdict::failed;
        one.reason = result.message;
        decision.exit_code = model::ExitCode::broken;
        continue;
      }
      double const first = first_.try_emplace(result.id, *summary->ratio).first->second;
      one.decided_by = "ratio";
      one.change = *summary->ratio / first - 1;
      one.low = *one.change - 0.004;
      one.high = *one.change + 0.004;
      one.margin = kAllowed;
      one.verdict = *one.low > kAllowed     ? model::Verdict::regressed
                    : *one.high < -kAllowed ? model::Verdict::improved
                                            : model::Verdict::pass;
      if (one.verdict == model::Verdict::regressed) {
        one.reason = fmt::format("ratio {:+.1f} % against the first run", *one.change * 100);
        decision.exit_code = model::worse(decision.exit_code, model::ExitCode::regressed);
      }
    }
    return decision;
  }

 private:
  struct Case {
    std::string id, reference;
    double flop, level;
    unsigned version = 1;  ///< of its code; another one at each change of level
  };

  double normal(double sd) { return sd * normal_(random_); }
  bool chance(int one_in) { return random_() % static_cast<unsigned>(one_in) == 0; }

  void change_levels() {
    std::size_t const kernels = (cases_.size() + kProblems - 1) / kProblems;
    std::size_t const changed = chance(100) ? random_() % kernels : kernels;
    double const step = normal(0.04);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (i / kProblems == changed) change_level(cases_[i], step);
      if (chance(500)) change_level(cases_[i], normal(0.04));
    }
  }
  static void change_level(Case& one, double step) {
    one.level *= std::exp(step);
    ++one.version;
  }

  model::Session session(std::string const& started, int number) {
    model::Session session;
    session.id = "s1";
    session.started = started;
    session.device = {.backend = "cuda",
                      .name = "Made-up Device",
                      .slug = "made-up-device",
                      .uuid = "GPU-made-up",
                      .compute_capability = "9.0",
                      .multiprocessors = 100,
                      .memory_bytes = int64_t{1} << 36,
                      .cache_bytes = 1 << 25,
                      .max_clock_mhz = 2000,
                      .peak_tflops = {{"f32", 60}},
                      .peak_gb_s = 3000};
    session.environment.driver = fmt::format("made-up {}", 1 + number / 700);
    double const clock = 1800 * (1 + 0.01 * std::sin(number / 50.0));
    double const of_run = normal(0.001);
    for (Case const& one : cases_) {
      session.cases.push_back(result(one, clock, of_run));
    }
    return session;
  }

  model::CaseResult result(Case const& one, double clock, double of_run) {
    model::CaseResult result{.id = one.id, .reference = one.reference};
    result.work = {.flop = one.flop, .bytes = one.flop / 100};
    result.arithmetic = "f32";
    result.seconds = 0.05;
    if (chance(5000)) {
      result.status = model::CaseStatus::failed;
      result.message = "made up: this one failed";
      return result;
    }
    result.status = model::CaseStatus::measured;
    model::Rounds rounds{.launches = 10, .reference_launches = 10};
    double const level = one.level * std::exp(of_run + normal(0.0015));
    for (int i = 0; i < kRounds; ++i) {
      rounds.time_ns.push_back(level * (1 + normal(0.002)));
      rounds.reference_time_ns.push_back(one.flop / 5e4 * std::exp(of_run) * (1 + normal(0.002)));
      rounds.clock_mhz.push_back(clock * (1 + normal(0.0005)));
    }
    result.rounds = std::move(rounds);
    result.launches = {{.function = "made_up()",
                        .grid = {64, 64, 1},
                        .block = {256, 1, 1},
                        .registers = 96 + static_cast<int>(one.version * 40 % 128),
                        .shared_bytes = 32768,
                        .blocks_per_sm = 2,
                        .occupancy = 0.25,
                        .machine_code = fmt::format("{:016x}", one.version * 0x9e3779b97f4a7c15ULL)}};
    return result;
  }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::string const origin_;
  std::vector<Case> cases_;
  std::map<std::string, double> first_;
};

}  // namespace

int main(int argc, char** argv) {
  std::array<uint64_t, 3> numbers{200, 500, 1};  // cases, runs, seed
  bool understood = argc >= 2 && argc <= 5 && argv[1][0] != '-';
  for (int i = 2; understood && i < argc; ++i) {
    std::string_view const text = argv[i];
    auto const [end, error] = std::from_chars(text.begin(), text.end(), numbers.at(static_cast<std::size_t>(i) - 2));
    understood = error == std::errc() && end == text.end();
  }
  if (!understood) {
    fmt::print(stderr, "usage: {} PLACE [cases] [runs] [seed]\n", argv[0]);
    return 64;
  }
  World world(static_cast<int>(numbers[0]), numbers[2]);
  history::History history(argv[1], history::Mode::write);
  auto const runs = static_cast<int>(numbers[1]);
  for (int number = 0; number < runs; ++number) {
    model::Run const run = world.run(number);
    history.add(run, world.decision(run));
    if (number % 100 == 99) {
      fmt::print(stderr, "{} of {} runs\n", number + 1, runs);
    }
  }
}
