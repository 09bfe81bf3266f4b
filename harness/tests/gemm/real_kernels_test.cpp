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

/// Every combination of types has a naive kernel, which must be right with every feature that a problem may ask for.
class EveryTypes : public testing::TestWithParam<GemmTypes> {
 protected:
  KernelInfo const& naive() {
    for (auto const* kernel = KernelRegistration::first(); kernel != nullptr; kernel = kernel->next()) {
      KernelInfo const& info = kernel->info();
      if (info.id().starts_with("gemm/cpu/naive_") && static_cast<GemmKernel const*>(info.typed)->types == GetParam()) {
        return info;
      }
    }
    return registered_kernel("gemm/cpu/naive");
  }
  model::Verification expect_passes(std::string const& rest) {
    auto const text = to_text(GetParam()) + "," + rest;
    auto const problem = make_gemm_operation()->parse(text);
    auto const verification = problem->verify(*backend_, naive(), 42);
    EXPECT_TRUE(verification.passed) << text << ": " << first_failure(verification);
    return verification;
  }
  void expect_timed_launches_pass(std::string const& rest) {
    auto const text = to_text(GetParam()) + "," + rest;
    auto const problem = make_gemm_operation()->parse(text);
    auto const timed = problem->prepare(*backend_, naive());
    timed->renew({0, 2}, 77);
    timed->launch(0);
    timed->launch(1);
    timed->compare(2, 77, 99);
    EXPECT_EQ(timed->finding(), "") << text;
    EXPECT_EQ(timed->changed_inputs(2, 77), "");
    timed->compare(2, 78, 99);
    EXPECT_NE(timed->finding(), "") << text << ": results of other inputs";
  }
  std::unique_ptr<device::Backend> backend_ = device::make_cpu_backend();
};

TEST_P(EveryTypes, HasAKernelThatPassesInBothLayouts) {
  bool const scaled = GetParam().scaling != GemmScaling::none;
  for (char const* layout : {"nn", "nt"}) {
    auto const verification = expect_passes(std::string(layout) + (scaled ? ",m7n10k258" : ",m9n8k66"));
    EXPECT_NE(find_check(verification, "exact"), nullptr);
    EXPECT_NE(find_check(verification, "leading_dimensions"), nullptr);
    bool const numbers_only =
        !format_of(GetParam().a).has_nan || !format_of(GetParam().b).has_nan || !format_of(GetParam().d).has_nan;
    EXPECT_EQ(find_check(verification, "nan_placement") == nullptr, numbers_only);
  }
}

TEST_P(EveryTypes, HasAKernelThatPassesWithEveryFeature) {
  if (GetParam() == GemmTypes::f32) return;  // the naive FP32 kernel has no features
  bool const integers = format_of(GetParam().d).integer;
  std::string const sizes = "nt,m5n6k34";
  for (char const* rest : {",bias", ",beta2", ",relu,residual", ",bias,gelu", ",bias,silu,residual", ",gelu_erf"}) {
    if (integers && std::string(rest).find("lu") != std::string::npos) continue;
    expect_passes(sizes + rest);
  }
  if (GetParam().scaling != GemmScaling::none) return;
  expect_passes(sizes + ",batch3,beta1");
  expect_passes("nt,m5n6k40,sparse24,beta1,residual");
  expect_passes("nn,m17n6k24,sparse24,bias");
  expect_passes(sizes + ",batch3,pointers,beta1,residual");
  expect_passes("nn,m7n6k34,batch4,pointers,bias");
  expect_passes(sizes + ",beta1,groups0+2+3x1+0,residual");
  expect_passes("nn,m40n6k34,groups17+23,bias");
}

TEST_P(EveryTypes, TimedLaunchesOfItsKernelAreRight) { expect_timed_launches_pass("nt,m17n34k130"); }

TEST_P(EveryTypes, TimedLaunchesInGroupsAndWithASparseAAreRight) {
  if (GetParam() == GemmTypes::f32 || GetParam().scaling != GemmScaling::none) return;  // these types have neither
  expect_timed_launches_pass("nt,m37n34k136,beta1,sparse24,bias");
  expect_timed_launches_pass("nn,m37n34k130,beta1,groups17+0+20,residual");
}
INSTANTIATE_TEST_SUITE_P(Gemm, EveryTypes, testing::ValuesIn(all_gemm_types().begin(), all_gemm_types().end()),
                         [](auto const& types) {
                           std::string name = to_text(types.param);
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace perfcheck
