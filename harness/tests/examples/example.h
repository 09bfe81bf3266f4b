// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the real program on a project of examples/, with its configuration and baselines of the test's own.
#pragma once

#include "program.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <set>
#include <string>

namespace perfcheck::examples {

/// The environment's value, else the build's: these tests can be carried to another machine.
inline std::string place(char const* variable, char const* fallback) {
  char const* const value = std::getenv(variable);
  return value != nullptr ? value : fallback;
}

/// Kernels with a case of this outcome in --json output.
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
      // Tests run beside each other: a case that this leaves open is told by its outcome, and no wrong answer.
      args.insert(args.end(), {"--demote", "inconclusive"});
      for (std::string const& glob : timed()) args.insert(args.end(), {"--filter", glob});
    }
    args.insert(args.end(), more.begin(), more.end());
    return perfcheck(args);
  }
  /// The same, compared with the test's own baselines.
  cli::testing::Finished check(std::string const& worker, std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--baselines", file("baselines").string()});
    return run("check", worker, more);
  }
  /// Makes the test's baselines anew from this worker. Where the harness itself says that sessions differ too much, the
  /// machine was too busy just then: it is asked again, twice at most.
  void record_with(std::string const& worker) const {
    std::filesystem::remove_all(file("baselines"));
    auto recorded = check(worker, {"--record-missing-baseline"});
    for (int times = 0; times < 2 && recorded.err.find("nothing is recorded: ") != std::string::npos; ++times) {
      recorded = check(worker, {"--record-missing-baseline"});
    }
    ASSERT_EQ(recorded.code, 0) << recorded.err << recorded.out;
  }
  /// Expects the gate to accept `worker`, from which the baselines were recorded. Where the report says that neighbours
  /// disturb the machine, a case without a reference may be accused of it: baselines are made anew, and it is asked
  /// once more, twice at most. An accusation of a machine that is not said to be disturbed is taken the first time.
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
  /// Expects `measure()` to end with 1 and to name `kernel` and no other. Where the gate says of it that it cannot
  /// tell, the machine was too busy just then: it is asked once more, twice at most. A wrong answer is taken the first
  /// time.
  template <class Measure>
  static void expect_regressed(std::string const& kernel, Measure const& measure) {
    auto finished = measure();
    for (int times = 0; times < 2 && undecided(finished, kernel); ++times) finished = measure();
    expect_only_regressed(kernel, finished);
  }
  /// Expects `check` of `worker`, whose `kernel` is slower than that of `base`, to name it and no other. On a machine
  /// that its neighbours disturb it may say twice that it cannot tell, and to compare with the base build beside: then
  /// that must find it.
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
  /// Cases that check and ab are asked about; none: all.
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
