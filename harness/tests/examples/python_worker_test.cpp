// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// examples/python-worker: a worker that speaks the protocol and links no library of perfcheck.
#include "example.h"

#include "perfcheck/session/child_process.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <system_error>

namespace perfcheck::examples {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr char const* kChanged = "dot/python/zip";

class PythonWorker : public ExampleTest {
 protected:
  void SetUp() override {
    try {
      session::ChildProcess python({"python3", "--version"});
      (void)python.wait_or_kill(session::deadline_after(20));
    } catch (std::system_error const&) {
      GTEST_SKIP() << "no python3 here";
    }
  }
  std::string folder() const { return place("PERFCHECK_EXAMPLES", PERFCHECK_EXAMPLES) + "/python-worker"; }
  std::string config() const override { return folder() + "/perfcheck.toml"; }
  /// Python is slow: the longer vector would make these tests take three times as long.
  std::vector<std::string> timed() const override { return {timed_}; }
  std::string worker() const { return fmt::format("python3 '{}/worker.py'", folder()); }
  /// A worker whose kernel kChanged is replaced.
  std::string changed(std::string const& change) const {
    return fmt::format("python3 '{}' '{}' {}", PERFCHECK_CHANGED_WORKER, folder(), change);
  }

  std::string timed_ = "*@n1000";
};

TEST_F(PythonWorker, ListsItsKernelsAndCases) {
  auto const finished = run("list", worker());
  ASSERT_EQ(finished.code, 0) << finished.err;
  auto const listed = finished.json();
  std::vector<std::string> kernels;
  for (auto const& kernel : listed.at("kernels")) kernels.push_back(kernel.at("id"));
  EXPECT_THAT(kernels, UnorderedElementsAre("dot/python/fsum", "dot/python/map", "dot/python/zip"));
  EXPECT_EQ(listed.at("cases").size(), 6U);
}

TEST_F(PythonWorker, VerifiesEveryCase) {
  auto const finished = run("run", worker(), {"--verify-only"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(kernels_with("verified", finished.json()).size(), 3U);
}

TEST_F(PythonWorker, PassesItsOwnGateAndFailsItWhenOneKernelReallyIsSlower) {
  ASSERT_NO_FATAL_FAILURE(record_with(worker()));
  expect_accepted(worker());
  expect_found(kChanged, changed("slower"), worker());
}

TEST_F(PythonWorker, AnInjectedSlowdownIsMeasuredAsOne) {
  timed_ = std::string(kChanged) + "@n1000";
  expect_regressed(kChanged, [&] {
    return run("ab", worker(), {"--base", worker(), "--inject-slowdown", std::string(kChanged) + "=200"});
  });
}

TEST_F(PythonWorker, AWrongKernelFailsTheGateAndNoOther) {
  auto const finished = check(changed("leaves_out"));
  EXPECT_EQ(finished.code, 2) << finished.err;
  EXPECT_THAT(kernels_with("incorrect", finished.json()), ElementsAre(kChanged));
}

TEST_F(PythonWorker, EveryKindOfWrongKernelIsFoundByItsCheck) {
  struct {
    char const* change;
    char const* check;
  } const kinds[] = {{"leaves_out", "exact: "},      {"a_bit_off", "exact: "},         {"imprecise", "signed: "},
                     {"hides_nan", "nan_and_inf: "}, {"writes", "inputs_untouched: "}, {"unsteady", "repeat: "},
                     {"later", "timed_output: "},    {"remembers", "timed_output: "},  {"skips", "timed_output: "}};
  for (auto const& kind : kinds) {
    auto const finished = run("run", changed(kind.change), {"--filter", kChanged});
    EXPECT_EQ(finished.code, 2) << kind.change << finished.out;
    EXPECT_THAT(finished.err, HasSubstr(std::string(": ") + kind.check)) << kind.change;
  }
}

TEST_F(PythonWorker, AKernelThatRaisesFailsAndTheOthersGoOn) {
  auto const finished = run("run", changed("raises"), {"--verify-only"});
  EXPECT_EQ(finished.code, 2) << finished.err;
  EXPECT_THAT(kernels_with("failed", finished.json()), ElementsAre(kChanged));
  EXPECT_THAT(kernels_with("verified", finished.json()), ElementsAre("dot/python/fsum", "dot/python/map"));
  EXPECT_THAT(finished.out, HasSubstr("ValueError: no such luck"));
}

TEST_F(PythonWorker, WhatIsNoProblemIsNamed) {
  write("bad.toml", "[suites.default.cpu]\nproblems = [\"n10\", \"m10\"]\n");
  auto const finished = perfcheck({"list", "--worker", worker(), "--config", file("bad.toml").string()});
  EXPECT_EQ(finished.code, 64) << finished.out;
  EXPECT_THAT(finished.err, HasSubstr("'m10' is no dot product; write it as in n10000"));
}

}  // namespace
}  // namespace perfcheck::examples
