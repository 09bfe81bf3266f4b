// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "timed_inputs.h"

#include "gemm_test.h"

#include <gmock/gmock.h>

namespace perfcheck {
namespace {

using testing::HasSubstr;

class TimedCases : public testing::Test {
 protected:
  std::unique_ptr<worker::TimedCase> prepare(std::string const& kernel, std::string const& text = "f32,nn,m64n64k64") {
    if (!problem_) problem_ = operation_->parse(text);
    return problem_->prepare(*backend_, registered_kernel(kernel), 7);
  }

  std::unique_ptr<device::Backend> backend_ = device::make_cpu_backend();
  std::unique_ptr<worker::Operation> operation_ = make_gemm_operation();
  std::unique_ptr<worker::Problem> problem_;
};

TEST_F(TimedCases, TheOutputOfTimedLaunchesIsChecked) {
  auto const timed = prepare("gemm/cpu/simd");
  EXPECT_GT(timed->copies(), 1);
  for (int i = 0; i < timed->copies() + 3; ++i) timed->launch(i);
  auto const check = timed->check_output();
  EXPECT_TRUE(check.passed) << check.detail;
  EXPECT_EQ(check.name, "timed_output");
  ASSERT_TRUE(check.error_over_bound.has_value());
  EXPECT_GT(*check.error_over_bound, 0);
  EXPECT_LE(*check.error_over_bound, 1);
}

TEST_F(TimedCases, ChecksOnlyCopiesThatWereUsed) {
  auto const timed = prepare("gemm/cpu/simd");
  timed->launch(0);
  EXPECT_TRUE(timed->check_output().passed);
}

TEST_F(TimedCases, WithoutALaunchThereIsNothingRightToFind) {
  auto const check = prepare("gemm/cpu/simd")->check_output();
  EXPECT_FALSE(check.passed);
  EXPECT_THAT(check.detail, HasSubstr("nothing was launched"));
}

TEST_F(TimedCases, AKernelThatStopsWorkingOnceItIsTimedIsCaught) {
  auto const timed = prepare("gemm/wrong_cpu/right_while_watched");
  for (int i = 0; i < 200; ++i) timed->launch(i);
  auto const check = timed->check_output();
  EXPECT_FALSE(check.passed);
  EXPECT_THAT(check.detail, HasSubstr("never written"));
  EXPECT_THAT(check.detail, HasSubstr("buffers 200 of"));
}

TEST_F(TimedCases, ChangedInputsAreCaughtAndNotLeftToTheNextKernel) {
  {
    auto const timed = prepare("gemm/wrong_cpu/input_modified");
    timed->launch(1);
    auto const check = timed->check_output();
    EXPECT_FALSE(check.passed);
    EXPECT_THAT(check.detail,
                HasSubstr("timed launches changed an input: 1 element of B changed, first at row 0 column 63"));
  }
  auto const next = prepare("gemm/cpu/openblas");
  next->launch(0);
  next->launch(1);
  EXPECT_TRUE(next->check_output().passed);
}

TEST_F(TimedCases, AlphaBetaAndCAreThoseOfTheProblem) {
  auto const timed = prepare("gemm/cpu/blocked", "f32,nt,m40n50k60,ldd55,alpha0.5,beta3");
  for (int i = 0; i < 5; ++i) timed->launch(i);
  auto const check = timed->check_output();
  EXPECT_TRUE(check.passed) << check.detail;
}

TEST_F(TimedCases, ACaseAndItsReferenceShareInputsAndLiveSideBySide) {
  auto const timed = prepare("gemm/cpu/blocked");
  auto const reference = prepare("gemm/cpu/openblas");
  EXPECT_EQ(timed->copies(), reference->copies());
  timed->launch(0);
  reference->launch(0);
  problem_.reset();
  EXPECT_TRUE(timed->check_output().passed);
  EXPECT_TRUE(reference->check_output().passed);
}

TEST(Copies, DefeatTheCacheAndSpreadOverMemoryUnlessTheProblemIsHotOrLargeOrMemoryIsShort) {
  constexpr std::int64_t kCache = 50'000'000;
  constexpr std::size_t kFree = 80'000'000'000;
  auto const copies = [](char const* text, std::int64_t cache, std::size_t free) {
    return gemm::copies_for(parse_gemm_problem(text), cache, free);
  };
  EXPECT_EQ(copies("f32,nn,m512n512k512", kCache, kFree), 48);  // 3 MiB each
  EXPECT_EQ(copies("f32,nn,m512n512k512,beta1", kCache, kFree), 36);
  EXPECT_EQ(copies("f16.f32,nn,m512n512k512", kCache, kFree), 96);
  EXPECT_EQ(copies("f32,nn,m3200n3200k3200", kCache, kFree), 24);
  EXPECT_EQ(copies("f32,nn,m8192n8192k8192", kCache, kFree), 10);
  EXPECT_EQ(copies("f32,nn,m16384n16384k16384", kCache, kFree), 2);
  EXPECT_EQ(copies("f32,nn,m512n512k512,hot", kCache, kFree), 1);
  EXPECT_EQ(copies("f32,nn,m512n512k512", kCache, 40'000'000), 3);
  EXPECT_EQ(copies("f32,nn,m512n512k512", kCache, 0), 1);
  EXPECT_EQ(copies("f32,nn,m1n1k1", kCache, kFree), 2048);
}

}  // namespace
}  // namespace perfcheck
