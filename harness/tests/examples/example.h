// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the real program on a project of examples/, with the project's configuration and the test's own baselines.
#pragma once

#include "program.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <set>
#include <string>

namespace perfcheck::examples {

/// The value of an environment variable, or `fallback` from the build. With the variable, these tests run on another
/// machine too.
inline std::string place(char const* variable, char const* fallback) {
  char const* const value = std::getenv(variable);
  return value != nullptr ? value : fallback;
}

/// Kernels that have a case with this outcome in --json output.
inline std::set<std::string> kernels_with(std::string const& outcome, nlohmann::json const& result) {
  std::set<std::string> kernels;
  for (auto const& [id, of_case] : cli::testing::outcomes(result)) {
    if (of_case == outcome) kernels.insert(id.substr(0, id.find('@')));
  }
  return kernels;
}

class ExampleTest : public cli::testing::ProgramTest {
 protected:
  /// `command` on the example with this worker; JSON on standard output.
  cli::testing::Finished run(std::string const& command, std::string const& worker,
                             std::vector<std::string> const& more = {}) const {
    std::vector<std::string> args{command, "--json", "--worker", worker, "--config", config()};
    if (command == "check" || command == "ab") {
      // Tests run in parallel and disturb each other: an inconclusive case is not a wrong answer. Its outcome tells.
      args.insert(args.end(), {"--demote", "inconclusive"});
      for (std::string const& glob : timed()) args.insert(args.end(), {"--filter", glob});
    }
    args.insert(args.end(), more.begin(), more.end());
    return perfcheck(args);
  }
  /// `perfcheck check` of this worker, against the test's own baselines.
  cli::testing::Finished check(std::string const& worker, std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--baselines", file("baselines").string()});
    return run("check", worker, more);
  }
  /// Records the test's baselines anew from this worker. If perfcheck records nothing because the sessions differ too
  /// much, the machine was too busy: it gets two more attempts.
  void record_with(std::string const& worker) const {
    std::filesystem::remove_all(file("baselines"));
    auto recorded = check(worker, {"--record-missing-baseline"});
    for (int times = 0; times < 2 && recorded.err.find("nothing is recorded: ") != std::string::npos; ++times) {
      recorded = check(worker, {"--record-missing-baseline"});
    }
    ASSERT_EQ(recorded.code, 0) << recorded.err << recorded.out;
  }
  /// Expects the gate to accept `worker`, from which the baselines were recorded. If the report says that neighbours
  /// disturb the machine, the gate may wrongly accuse a case without a reference: then the baselines are recorded anew
  /// and the check is repeated, at most twice. An accusation without that note fails the test at once.
  void expect_accepted(std::string const& worker) const {
    auto same = check(worker);
    for (int times = 0; times < 2 && same.code == 1 && same.out.find("machine_disturbed") != std::string::npos;
         ++times) {
      record_with(worker);
      same = check(worker);
    }
    EXPECT_EQ(same.code, 0) << same.out;
    EXPECT_THAT(kernels_with("regressed", same.json()), ::testing::IsEmpty()) << same.out;
  }
  /// Expects `measure()` to end with 1 and to name only `kernel`. If the gate calls the kernel inconclusive, the
  /// machine was too busy: the measurement is repeated, at most twice. A wrong answer fails the test at once.
  template <class Measure>
  static void expect_regressed(std::string const& kernel, Measure const& measure) {
    auto finished = measure();
    for (int times = 0; times < 2 && undecided(finished, kernel); ++times) finished = measure();
    expect_only_regressed(kernel, finished);
  }
  /// Expects `check` of `worker`, whose `kernel` is slower than that of `base`, to name only this kernel. On a machine
  /// that neighbours disturb, the check may be inconclusive twice and advise a comparison with the base build: then
  /// `ab` must find the kernel.
  void expect_found(std::string const& kernel, std::string const& worker, std::string const& base) const {
    auto finished = check(worker);
    if (undecided(finished, kernel)) {
      ASSERT_NO_FATAL_FAILURE(record_with(base));
      finished = check(worker);
    }
    if (undecided(finished, kernel)) {
      return expect_regressed(kernel, [&] { return run("ab", worker, {"--base", base}); });
    }
    expect_only_regressed(kernel, finished);
  }
  virtual std::string config() const = 0;
  /// Globs of the cases that check and ab measure; none means all.
  virtual std::vector<std::string> timed() const { return {}; }

 private:
  static void expect_only_regressed(std::string const& kernel, cli::testing::Finished const& finished) {
    EXPECT_EQ(finished.code, 1) << finished.out << finished.err;
    EXPECT_THAT(kernels_with("regressed", finished.json()), ::testing::ElementsAre(kernel)) << finished.out;
  }
  static bool undecided(cli::testing::Finished const& finished, std::string const& kernel) {
    return finished.code == 0 && kernels_with("inconclusive", finished.json()).contains(kernel);
  }
};

}  // namespace perfcheck::examples
