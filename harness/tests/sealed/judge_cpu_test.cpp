// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The real judge and real workers, on a CPU.
#include "perfcheck/session/sealed_client.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace perfcheck::sealed {
namespace {

using model::SealedStatus;
using testing::Each;
using testing::Gt;
using testing::HasSubstr;

constexpr char const* kProblem = "@f32,nn,m96n96k96";

model::SealedResult judge(std::string const& kernel, std::string const& program = PERFCHECK_WORKER) {
  return session::time_sealed({.judge = PERFCHECK_JUDGE, .program = program, .device = 0, .batches = 2},
                              kernel + kProblem, 120, nullptr);
}

/// A program that is not what a judge expects.
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
  auto const result = judge("gemm/cpu/simd");
  ASSERT_EQ(result.status, SealedStatus::timed) << result.message;
  EXPECT_EQ(result.reference, std::string("gemm/cpu/openblas") + kProblem);
  EXPECT_EQ(result.time_ns.size(), 2U);
  EXPECT_EQ(result.reference_time_ns.size(), 2U);
  EXPECT_THAT(result.time_ns, Each(Gt(0)));
  EXPECT_EQ(result.verified, 2 * 13);
  EXPECT_GT(result.launches, 10);
  EXPECT_GT(result.around_ns, 0);
}

TEST(CpuJudge, TellsHowTheKernelsProcessWasKeptApart) {
  auto const result = judge("gemm/cpu/simd");
  auto const& confinement = result.confinement;
  bool const other_user =
      std::find(confinement.applied.begin(), confinement.applied.end(), "another user") != confinement.applied.end();
  EXPECT_EQ(other_user, geteuid() == 0);
  EXPECT_EQ(confinement.missing.empty(), geteuid() == 0);
}

TEST(CpuJudge, FindsKernelsThatLeaveWorkOut) {
  for (char const* kernel : {"one_in_j_skipped", "returns_early", "precision_posing"}) {
    auto const result = judge(std::string("exploits/cpu/") + kernel, PERFCHECK_EXPLOITS_WORKER);
    EXPECT_EQ(result.status, SealedStatus::incorrect) << kernel << ": " << result.message;
    EXPECT_THAT(result.message, HasSubstr("launch ")) << kernel;
  }
}

TEST(CpuJudge, FailsACaseWhoseProgramIsNoWorker) {
  Script const ends("exit 0"), talks("echo hello; sleep 60");
  EXPECT_THAT(judge("gemm/cpu/simd", "/nowhere/perfcheck-gemm").message, HasSubstr("/nowhere/perfcheck-gemm"));
  for (auto const* program : {&ends, &talks}) {
    auto const result = judge("gemm/cpu/simd", program->path());
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
