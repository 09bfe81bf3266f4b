// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Every kernel of the ladder on sizes that test edges, through the real worker.
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

/// Odd sizes and primes in FP32, with rows that are aligned to 16 bytes, so that TMA takes part, and rows that are not.
std::vector<std::string> odd_problems() {
  std::vector<std::string> problems;
  for (int size = 1; size < 300; size += 2) {
    int const aligned = (size + 3) / 4 * 4;
    char const* const layout = size % 4 == 1 ? "nn" : "nt";
    problems.push_back(fmt::format("f32,{0},m{1}n{1}k{1},lda{2},ldb{2},ldd{2}", layout, size, aligned));
    if (size % 8 == 3) problems.push_back(fmt::format("f32,{0},m{1}n{1}k{1}", layout, size));
  }
  constexpr int kPrimes[] = {2, 13, 61, 127, 251, 257, 509, 521, 1031};
  for (int const m : kPrimes) {
    for (int const k : {7, 131, 1031}) {
      int const n = kPrimes[(m + k) % std::size(kPrimes)];
      problems.push_back(fmt::format("f32,nn,m{}n{}k{},lda{},ldb{},ldd{},alpha2,beta0.5", m, n, k, (k + 7) / 4 * 4,
                                     (n + 11) / 4 * 4, n + 3));
    }
  }
  return problems;
}

/// Verifies every case that the real worker plans; returns their number.
int verify_all(std::vector<std::string> const& problems) {
  session::WorkerClient worker(worker_command(PERFCHECK_REAL_WORKER), nullptr);
  auto const plan = worker.plan(problems, 30);
  EXPECT_THAT(plan.rejected, testing::IsEmpty());
  int verified = 0;
  for (auto const& planned : plan.cases) {
    if (planned.skip_reason) {
      EXPECT_FALSE(planned.reason.empty()) << planned.id;
      continue;
    }
    auto const result = worker.measure({.case_id = planned.id, .options = {.verify_only = true}}, 60).result;
    EXPECT_TRUE(result.verification.has_value() && result.verification->passed) << planned.id << ": " << result.message;
    ++verified;
  }
  return verified;
}

TEST(RealKernels, PassVerificationOnEdgesInBothLayoutsAndWithPaddedLeadingDimensions) {
  PERFCHECK_NEEDS_GPU();
  EXPECT_GT(verify_all(edge_problems()), 26 * 12);
}

TEST(RealKernels, PassVerificationOnOddSizesTo300AndOnPrimes) {
  PERFCHECK_NEEDS_GPU();
  EXPECT_GT(verify_all(odd_problems()), 200 * 10);
}

/// Problems of these shapes for every combination of types that a GPU kernel computes, with features.
std::vector<std::string> typed_problems(std::vector<std::string> const& shapes) {
  std::vector<std::string> problems;
  for (char const* types : {"f64", "f16.f16", "f16.f32.f32", "e4m3.tc14.bf16", "e4m3.f32.bf16", "e4m3.f32.bf16,scale",
                            "e4m3.f32.bf16,scalerow", "e4m3.f32.bf16,scale128", "e4m3.f32", "e5m2.f32.f32", "s8.s32",
                            "s8.s32.s8,scalerow", "s8.s32.f16,scalerow", "f16*s8g128.f32", "f16*s4g128.f32"}) {
    for (auto const& shape : shapes) problems.push_back(fmt::format("{},{}", types, shape));
  }
  for (char const* types : {"f16.f32", "bf16.f32"}) {
    for (auto const& shape : shapes) {
      for (char const* rest : {"batch5", "batch5,pointers", "batch3,pointers,beta1,bias,residual", "bias", "bias,gelu",
                               "relu", "bias,silu,residual", "beta2,gelu"}) {
        problems.push_back(fmt::format("{},{},{}", types, shape, rest));
      }
    }
  }
  return problems;
}

/// Groups with few and with many rows, with boundaries at the ends of tiles and elsewhere, and the largest number of
/// groups.
std::vector<std::string> grouped_problems() {
  std::vector<std::string> problems;
  for (char const* types : {"f64", "f16.f32", "bf16.f32", "e4m3.f32.bf16", "s8.s32"}) {
    for (char const* shape :
         {"nn,m130n70k258,groups64+0+66", "nt,m256n128k512,groups2x0+3x1+253", "nt,m33n34k130,beta2,groups31+2,bias",
          "nn,m512n32k16,groups512x1", "nt,m4096n1024k1024,groups1000+0+96+3000"}) {
      problems.push_back(fmt::format("{},{}", types, shape));
    }
  }
  problems.emplace_back("f16.f32,nt,m300n272k1024,groups255+45,bias,gelu,residual");
  return problems;
}

std::vector<std::string> sparse_problems() {
  std::vector<std::string> problems;
  for (char const* types : {"f64", "f16.f32", "bf16.f32", "e4m3.f32.bf16", "s8.s32"}) {
    for (char const* shape :
         {"nn,m130n70k264", "nt,m256n128k512,beta1,bias", "nt,m33n34k136,lda72", "nt,m2048n1024k2048"}) {
      problems.push_back(fmt::format("{},{},sparse24", types, shape));
    }
  }
  problems.emplace_back("f16.f32,nt,m300n272k1024,sparse24,bias,gelu,residual");
  return problems;
}

TEST(RealKernels, PassVerificationWithASparseA) {
  PERFCHECK_NEEDS_GPU();
  EXPECT_GE(verify_all(sparse_problems()), 21);
}

TEST(RealKernels, PassVerificationInGroups) {
  PERFCHECK_NEEDS_GPU();
  EXPECT_GE(verify_all(grouped_problems()), 26);
}

TEST(RealKernels, OfEveryTypesAndFeaturePassVerification) {
  PERFCHECK_NEEDS_GPU();
  EXPECT_GT(verify_all(typed_problems({"nn,m130n70k258", "nt,m256n128k512", "nt,m1n34k130", "nt,m300n272k1024"})), 100);
}

TEST(RealKernels, OfEveryTypesAndFeatureAreTimed) {
  PERFCHECK_NEEDS_GPU();
  session::WorkerClient worker(worker_command(PERFCHECK_REAL_WORKER), nullptr);
  auto problems = typed_problems({"nt,m512n512k512"});
  for (auto& problem : grouped_problems()) problems.push_back(std::move(problem));
  for (auto& problem : sparse_problems()) problems.push_back(std::move(problem));
  auto const plan = worker.plan(problems, 30);
  EXPECT_THAT(plan.rejected, testing::IsEmpty());
  for (auto const& planned : plan.cases) {
    if (planned.skip_reason) continue;
    auto const result = worker.measure({.case_id = planned.id, .options = {.max_seconds = 0.02}}, 60).result;
    EXPECT_EQ(result.status, CaseStatus::measured) << planned.id << ": " << result.message;
  }
}

TEST(RealKernels, AreTimedWithAReferenceAClockAndTheirAttributes) {
  PERFCHECK_NEEDS_GPU();
  session::WorkerClient worker(worker_command(PERFCHECK_REAL_WORKER), nullptr);
  EXPECT_THAT(worker.hello().environment.libraries,
              testing::ElementsAre(testing::Pair("cuBLAS", testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"))));
  auto const result =
      worker.measure({.case_id = "gemm/simt/warp_tile@f32,nn,m1024n1024k1024", .options = {}}, 60).result;
  ASSERT_EQ(result.status, CaseStatus::measured) << result.message;
  EXPECT_EQ(result.reference, "gemm/cublas/f32@f32,nn,m1024n1024k1024");
  ASSERT_TRUE(result.rounds.has_value());
  EXPECT_EQ(result.rounds->clock_mhz.size(), result.rounds->time_ns.size());
  ASSERT_EQ(result.launches.size(), 1U);
  EXPECT_EQ(result.launches[0].machine_code.size(), 16U);
  EXPECT_EQ(result.launches[0].local_bytes, 0);
}

TEST(RealKernels, CublasFp32RunsAKernelOfPlainFp32Arithmetic) {
  PERFCHECK_NEEDS_GPU();
  session::WorkerClient worker(worker_command(PERFCHECK_REAL_WORKER), nullptr);
  auto const result = worker.measure({.case_id = "gemm/cublas/f32@f32,nn,m1024n1024k1024", .options = {}}, 60).result;
  ASSERT_EQ(result.status, CaseStatus::measured) << result.message;
  ASSERT_FALSE(result.launches.empty());
  for (auto const& launch : result.launches) {
    EXPECT_EQ(launch.function.find("tf32"), std::string::npos) << launch.function;
    EXPECT_EQ(launch.function.find("bf16"), std::string::npos) << launch.function;
  }
}

}  // namespace
}  // namespace perfcheck
