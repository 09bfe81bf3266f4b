// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The real judge and real workers, on a CPU.
#include "perfcheck/session/sealed_client.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace perfcheck::sealed {
namespace {

using model::SealedStatus;
using testing::Each;
using testing::Gt;
using testing::HasSubstr;

/// The problem on which other tests try exploits, too.
constexpr char const* kSmallProblem = "@f32,nn,m96n96k96";
/// So many batches that one launch in ten left out is missed only once in ten thousand times.
constexpr int kSure = 7;
/// Large enough that a launch takes longer than its overhead, even on a busy machine.
constexpr char const* kProblem = "@f32,nn,m256n256k256";

model::SealedResult judge(std::string const& kernel, std::string const& program = PERFCHECK_WORKER,
                          std::string const& problem = kProblem, int batches = 2) {
  return session::time_sealed({.judge = PERFCHECK_JUDGE, .program = program, .device = 0, .batches = batches},
                              kernel + problem, 120, nullptr);
}

/// Asks the judge again if a result is invalid, since other processes may have used the core. Returns the first result
/// that is not invalid, or that is invalid for the wanted reason.
model::SealedResult judge_again(std::string const& kernel, std::string const& program, std::string const& problem,
                                int batches, std::optional<std::string> const& wanted = {}) {
  constexpr int kMostTries = 4;
  auto result = judge(kernel, program, problem, batches);
  for (int tries = 1; tries < kMostTries && result.status == SealedStatus::invalid; ++tries) {
    if (wanted && result.message.find(*wanted) != std::string::npos) break;
    result = judge(kernel, program, problem, batches);
  }
  return result;
}

/// A shell script in place of the program that a judge expects.
class Script {
 public:
  explicit Script(std::string const& text)
      : path_(std::filesystem::temp_directory_path() / ("perfcheck-sealed-" + std::to_string(getpid()))) {
    std::ofstream(path_) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(path_, std::filesystem::perms(0755));
  }
  ~Script() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(CpuJudge, TimesAnHonestKernelBesideItsReference) {
  auto const result = judge_again("gemm/cpu/blocked", PERFCHECK_WORKER, kProblem, 2);
  ASSERT_EQ(result.status, SealedStatus::timed) << result.message;
  EXPECT_EQ(result.reference, std::string("gemm/cpu/openblas") + kProblem);
  EXPECT_EQ(result.time_ns.size(), 2U);
  EXPECT_EQ(result.reference_time_ns.size(), 2U);
  EXPECT_THAT(result.time_ns, Each(Gt(0)));
  EXPECT_EQ(result.verified, 2 * 13);
  EXPECT_GT(result.launches, 10);
  EXPECT_GT(result.around_ns, 0);
}

TEST(CpuJudge, TellsOfEachStepOfConfinementWhetherItWasTaken) {
  auto const confinement = judge("gemm/cpu/blocked").confinement;
  for (char const* step : {"no network", "another user", "no new privileges", "the judge's memory"}) {
    auto const is_it = [&](std::string const& text) { return text.rfind(step, 0) == 0; };
    EXPECT_EQ(std::count_if(confinement.applied.begin(), confinement.applied.end(), is_it) +
                  std::count_if(confinement.missing.begin(), confinement.missing.end(), is_it),
              1)
        << step;
  }
}

TEST(CpuJudge, FindsKernelsThatLeaveWorkOut) {
  for (char const* kernel : {"one_in_j_skipped", "returns_early", "precision_posing"}) {
    auto const result =
        judge_again(std::string("exploits/cpu/") + kernel, PERFCHECK_EXPLOITS_WORKER, kSmallProblem, kSure);
    EXPECT_EQ(result.status, SealedStatus::incorrect) << kernel << ": " << result.message;
    EXPECT_THAT(result.message, HasSubstr("launch ")) << kernel;
  }
}

TEST(CpuJudge, GivesNoTimeToLaunchesThatWereSlowWhenTheirNumberWasChosen) {
  std::string const reason = "slower while their number was chosen";
  auto const result =
      judge_again("exploits/cpu/slow_until_chosen", PERFCHECK_EXPLOITS_WORKER, kSmallProblem, 2, reason);
  EXPECT_EQ(result.status, SealedStatus::invalid) << result.message;
  EXPECT_THAT(result.message, HasSubstr(reason));
}

TEST(CpuJudge, FailsACaseWhoseProgramIsNoWorker) {
  Script const ends("exit 0"), talks("echo hello; sleep 60");
  EXPECT_THAT(judge("gemm/cpu/blocked", "/nowhere/perfcheck-gemm").message, HasSubstr("/nowhere/perfcheck-gemm"));
  for (auto const* program : {&ends, &talks}) {
    auto const result = judge("gemm/cpu/blocked", program->path());
    EXPECT_EQ(result.status, SealedStatus::failed);
    EXPECT_NE(result.message, "");
  }
}

TEST(CpuJudge, FailsACaseWithAKernelThatTheProgramDoesNotHold) {
  auto const result = judge("gemm/cpu/fast");
  EXPECT_EQ(result.status, SealedStatus::failed);
  EXPECT_THAT(result.message, HasSubstr("no kernel gemm/cpu/fast"));
}

TEST(CpuJudge, RefusesAProblemThatIsNone) {
  auto const result =
      session::time_sealed({.judge = PERFCHECK_JUDGE, .program = PERFCHECK_WORKER, .device = 0, .batches = 1},
                           "gemm/cpu/simd@q7", 60, nullptr);
  EXPECT_EQ(result.status, SealedStatus::refused) << result.message;
}

}  // namespace
}  // namespace perfcheck::sealed
