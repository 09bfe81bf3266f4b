// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The CPU kernels on sizes around their tiles, both layouts, tight and padded rows.
#include "gemm_test.h"

#include <gmock/gmock.h>

namespace perfcheck {
namespace {

class CpuKernel : public testing::TestWithParam<char const*> {
 protected:
  void expect_passes(std::string const& text) {
    auto const problem = operation_->parse(text);
    auto const verification = problem->verify(*backend_, registered_kernel(GetParam()), 42);
    EXPECT_TRUE(verification.passed) << GetParam() << "@" << text << ": " << first_failure(verification);
    for (char const* name : {"exact", "signed", "positive", "structured", "nan_placement", "inf_placement",
                             "alpha_beta", "leading_dimensions", "guard_bands", "inputs_untouched", "repeat"}) {
      EXPECT_NE(find_check(verification, name), nullptr) << name;
    }
  }

  std::unique_ptr<device::Backend> backend_ = device::make_cpu_backend();
  std::unique_ptr<worker::Operation> operation_ = make_gemm_operation();
};

TEST(OpenBlas, TellsItsVersion) {
  LibraryInfo const* const library = registered_kernel("gemm/cpu/openblas").library;
  ASSERT_NE(library, nullptr);
  EXPECT_THAT(library->version(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+.*"));
}

TEST_P(CpuKernel, PassesOnSizesAroundItsTilesInBothLayouts) {
  constexpr int kSizes[][3] = {{1, 1, 1},      {2, 3, 7},    {7, 2, 3},     {15, 17, 31},  {17, 15, 33},
                               {31, 33, 15},   {33, 31, 17}, {63, 65, 127}, {65, 63, 129}, {127, 129, 65},
                               {129, 127, 63}, {1, 129, 65}, {129, 1, 65},  {65, 127, 1},  {96, 32, 256},
                               {97, 33, 257},  {6, 16, 512}, {64, 128, 128}};
  for (auto const& [m, n, k] : kSizes) {
    for (char const* layout : {"nn", "nt"}) {
      expect_passes("f32," + std::string(layout) + ",m" + std::to_string(m) + "n" + std::to_string(n) + "k" +
                    std::to_string(k));
    }
  }
}

TEST_P(CpuKernel, PassesWithOddLeadingDimensionsAlphaAndBeta) {
  expect_passes("f32,nn,m33n31k65,lda67,ldb37,ldd35");
  expect_passes("f32,nt,m33n31k65,lda67,ldb71,ldd35,alpha0.3,beta-1.7");
  expect_passes("f32,nn,m33n31k300,alpha2,beta0.5");
  expect_passes("f32,nt,m65n127k17,alpha-3");
  expect_passes("f32,nn,m7n2100k9,hot");
}

INSTANTIATE_TEST_SUITE_P(All, CpuKernel,
                         testing::Values("gemm/cpu/naive", "gemm/cpu/blocked", "gemm/cpu/simd", "gemm/cpu/openblas"),
                         [](auto const& kernel) { return std::string(kernel.param).substr(9); });

TEST(CpuKernels, AreVerifiedOnFewerKindsOfDataWhenTheProblemIsLarge) {
  auto const backend = device::make_cpu_backend();
  auto const problem = make_gemm_operation()->parse("f32,nn,m400n400k400");
  auto const verification = problem->verify(*backend, registered_kernel("gemm/cpu/openblas"), 1);
  EXPECT_TRUE(verification.passed) << first_failure(verification);
  EXPECT_EQ(find_check(verification, "structured"), nullptr);
  for (char const* name : {"exact", "signed", "positive", "nan_placement", "repeat", "leading_dimensions"}) {
    EXPECT_NE(find_check(verification, name), nullptr) << name;
  }
}

}  // namespace
}  // namespace perfcheck
