// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Every kernel of the ladder on sizes that find edges, through the real worker.
#include "gpu_test.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace perfcheck {
namespace {

using model::CaseStatus;

std::vector<std::string> edge_problems() {
  constexpr int kSizes[][3] = {{1, 1, 1},       {2, 3, 7},       {15, 17, 31},   {33, 63, 65},
                               {64, 64, 64},    {127, 129, 128}, {128, 256, 64}, {255, 257, 129},
                               {511, 13, 1000}, {1, 1000, 333},  {777, 1, 77},   {500, 600, 9}};
  std::vector<std::string> problems;
  for (char const* types : {"f32", "tf32", "f16.f32", "bf16.f32"}) {
    for (auto const& [m, n, k] : kSizes) {
      for (char const* layout : {"nn", "nt"}) {
        problems.push_back(fmt::format("{},{},m{}n{}k{}", types, layout, m, n, k));
      }
    }
    problems.push_back(fmt::format("{},nn,m130n70k50,lda57,ldb77,ldd73,alpha0.5,beta2", types));
    problems.push_back(fmt::format("{},nt,m130n70k50,lda56,ldb64,ldd80,alpha-1.5,beta0.25", types));
  }
  return problems;
}

TEST(RealKernels, PassVerificationOnEdgesInBothLayoutsAndWithPaddedLeadingDimensions) {
  PERFCHECK_NEEDS_GPU();
  session::WorkerClient worker(worker_command(PERFCHECK_REAL_WORKER), nullptr);
  auto const plan = worker.plan(edge_problems(), 30);
  EXPECT_THAT(plan.rejected, testing::IsEmpty());
  int verified = 0;
  for (auto const& planned : plan.cases) {
    if (planned.skip_reason) {
      EXPECT_FALSE(planned.reason.empty()) << planned.id;
      continue;
    }
    auto const result = worker.measure({.case_id = planned.id, .options = {.verify_only = true}}, 60).result;
    ASSERT_TRUE(result.verification.has_value()) << planned.id << ": " << result.message;
    EXPECT_TRUE(result.verification->passed) << planned.id << ": " << result.message;
    ++verified;
  }
  EXPECT_GT(verified, 26 * 12);
}

TEST(RealKernels, AreTimedWithAReferenceAClockAndTheirAttributes) {
  PERFCHECK_NEEDS_GPU();
  session::WorkerClient worker(worker_command(PERFCHECK_REAL_WORKER), nullptr);
  EXPECT_THAT(worker.hello().environment.libraries,
              testing::ElementsAre(testing::Pair("cuBLAS", testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"))));
  auto const result =
      worker.measure({.case_id = "gemm/simt/warp_tile@f32,nn,m1024n1024k1024", .options = {}}, 60).result;
  ASSERT_EQ(result.status, CaseStatus::measured) << result.message;
  EXPECT_EQ(result.reference, "gemm/library/cublas_f32@f32,nn,m1024n1024k1024");
  ASSERT_TRUE(result.rounds.has_value());
  EXPECT_EQ(result.rounds->clock_mhz.size(), result.rounds->time_ns.size());
  ASSERT_EQ(result.launches.size(), 1U);
  EXPECT_EQ(result.launches[0].machine_code.size(), 16U);
  EXPECT_EQ(result.launches[0].local_bytes, 0);
}

TEST(RealKernels, CublasFp32RunsAKernelOfPlainFp32Arithmetic) {
  PERFCHECK_NEEDS_GPU();
  session::WorkerClient worker(worker_command(PERFCHECK_REAL_WORKER), nullptr);
  auto const result =
      worker.measure({.case_id = "gemm/library/cublas_f32@f32,nn,m1024n1024k1024", .options = {}}, 60).result;
  ASSERT_EQ(result.status, CaseStatus::measured) << result.message;
  ASSERT_FALSE(result.launches.empty());
  for (auto const& launch : result.launches) {
    EXPECT_EQ(launch.function.find("tf32"), std::string::npos) << launch.function;
    EXPECT_EQ(launch.function.find("bf16"), std::string::npos) << launch.function;
  }
}

}  // namespace
}  // namespace perfcheck
