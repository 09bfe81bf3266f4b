// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// examples/own-kernels: a project with its own operations, built against the package. CPU kernels are tested
// everywhere, CUDA kernels where there is a GPU.
#include "example.h"

#include <gmock/gmock.h>

#include <ostream>

namespace perfcheck::examples {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

struct Backend {
  char const* name;
  char const* slower;  ///< kernel that ROW_SUM_EXTRA_PERCENT slows
  char const* wrong;   ///< kernel that ROW_SUM_WRONG makes wrong ...
  char const* shows;   ///< ... and the only problem on which this shows
};

void PrintTo(Backend const& backend, std::ostream* out) { *out << backend.name; }

class OwnKernels : public ExampleTest, public ::testing::WithParamInterface<Backend> {
 protected:
  void SetUp() override {
    if (std::string(GetParam().name) == "cuda" && !std::filesystem::exists("/dev/nvidiactl")) {
      GTEST_SKIP() << "no usable CUDA device";
    }
  }
  std::string config() const override {
    return place("PERFCHECK_EXAMPLES", PERFCHECK_EXAMPLES) + "/own-kernels/perfcheck.toml";
  }
  /// On the CPU, which every change waits for, only the problem is timed on which both faults show. EveryCaseIsVerified
  /// has all.
  std::vector<std::string> timed() const override {
    if (std::string(GetParam().name) != "cpu") return {};
    return {std::string("*@") + GetParam().shows};
  }
  /// The worker of a build; "" is the correct one.
  std::string worker(std::string const& build = "") const {
    return place("PERFCHECK_EXAMPLE_WORKERS", PERFCHECK_EXAMPLE_WORKERS) + "/own-kernels-" + GetParam().name + build;
  }
};

TEST_P(OwnKernels, EveryCaseIsVerified) {
  auto const finished = run("run", worker(), {"--verify-only"});
  ASSERT_EQ(finished.code, 0) << finished.err << finished.out;
  auto const outcomes = cli::testing::outcomes(finished.json());
  EXPECT_THAT(outcomes, Not(IsEmpty()));
  EXPECT_THAT(outcomes, Each(Pair(::testing::_, "verified")));
}

TEST_P(OwnKernels, TheOtherOperationIsVerifiedAndTimedByTheSameWorker) {
  auto const finished = run("run", worker(), {"--suite", "softmax"});
  ASSERT_EQ(finished.code, 0) << finished.err << finished.out;
  auto const outcomes = cli::testing::outcomes(finished.json());
  EXPECT_THAT(outcomes, Not(IsEmpty()));
  EXPECT_THAT(outcomes, Each(Pair(::testing::HasSubstr("@softmax:"), "measured")));
}

TEST_P(OwnKernels, AWrongKernelIsFoundByVerificationWhereItIsWrongAndNowhereElse) {
  auto const finished = run("run", worker("-wrong"), {"--verify-only"});
  EXPECT_EQ(finished.code, 2) << finished.err;
  for (auto const& [id, outcome] : cli::testing::outcomes(finished.json())) {
    bool const wrong = id == std::string(GetParam().wrong) + "@" + GetParam().shows;
    EXPECT_EQ(outcome, wrong ? "incorrect" : "verified") << id;
  }
}

TEST_P(OwnKernels, AWrongKernelFailsTheGate) {
  auto const finished = check(worker("-wrong"));
  EXPECT_EQ(finished.code, 2) << finished.err;
  EXPECT_THAT(kernels_with("incorrect", finished.json()), ElementsAre(GetParam().wrong));
}

TEST_P(OwnKernels, PassesItsOwnGateAndFailsItWhenOneKernelReallyIsFivePercentSlower) {
  ASSERT_NO_FATAL_FAILURE(record_with(worker()));
  expect_accepted(worker());
  expect_found(GetParam().slower, worker("-slower"), worker());
}

TEST_P(OwnKernels, TwoBuildsSideBySideNeedNoBaseline) {
  // Only one problem: eight or more sessions of each case take long.
  std::string const one = std::string("*@") + GetParam().shows;
  expect_regressed(GetParam().slower,
                   [&] { return run("ab", worker("-slower"), {"--base", worker(), "--filter", one}); });
}

INSTANTIATE_TEST_SUITE_P(
    , OwnKernels,
    ::testing::Values(Backend{"cpu", "row_sum/cpu/compensated", "row_sum/cpu/four_chains", "r61c4099,hot"},
                      Backend{"cuda", "row_sum/cuda/block_per_row", "row_sum/cuda/block_per_row", "r4099c4099"}),
    [](auto const& backend) { return std::string(backend.param.name); });

}  // namespace
}  // namespace perfcheck::examples
