// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "definition.h"
#include "gemm_test.h"
#include "timed_replay.h"

#include "perfcheck/kit/timed_inputs.h"

#include <gmock/gmock.h>

namespace perfcheck {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TimedCases : public testing::Test {
 protected:
  std::unique_ptr<worker::TimedCase> prepare(std::string const& kernel, std::string const& text = "f32,nn,m64n64k64") {
    if (!problem_) problem_ = operation_->parse(text);
    return problem_->prepare(*backend_, registered_kernel(kernel));
  }

  std::unique_ptr<device::Backend> backend_ = device::make_cpu_backend();
  std::unique_ptr<worker::Operation> operation_ = make_gemm_operation();
  std::unique_ptr<worker::Problem> problem_;
};

TEST_F(TimedCases, EveryOutputOfEveryReplayIsRightForItsOwnInputs) {
  auto const timed = prepare("gemm/cpu/simd");
  ASSERT_GT(timed->sets(), 4);
  for (std::uint64_t secret = 1; secret < 6; ++secret) EXPECT_EQ(replay(*timed, 5, secret), "");
}

TEST_F(TimedCases, ALaunchThatWasLeftOutIsFoundWhereverItIs) {
  auto const timed = prepare("gemm/cpu/simd");
  for (int const set : {0, 1, 3, 4}) {
    EXPECT_THAT(replay(*timed, 5, 7, {set}),
                AllOf(HasSubstr("buffers " + std::to_string(set + 1) + " of 5"), HasSubstr("never written")));
  }
}

TEST_F(TimedCases, OutputsOfEarlierInputsAreNotRight) {
  auto const timed = prepare("gemm/cpu/simd");
  timed->renew({0, 2}, 11);
  timed->launch(0);
  timed->launch(1);
  timed->compare(2, 12, 13);
  EXPECT_THAT(timed->finding(), HasSubstr("buffers 1 of 2: 4096 of 4096 elements wrong"));
}

TEST_F(TimedCases, LessPrecisionIsFoundByTheBlocksThatAreDrawn) {
  auto const timed = prepare("gemm/wrong_cpu/bf16_as_fp32");
  EXPECT_THAT(replay(*timed, 3, 5), HasSubstr("times the bound"));
}

TEST_F(TimedCases, AKernelThatStopsWorkingOnceItIsTimedIsCaught) {
  auto const timed = prepare("gemm/wrong_cpu/right_while_watched");
  std::string found;
  for (std::uint64_t secret = 1; secret < 200 && found.empty(); ++secret) found = replay(*timed, 2, secret);
  EXPECT_THAT(found, HasSubstr("never written"));
}

TEST_F(TimedCases, ChangedInputsAreNamedAndHelpNobody) {
  auto const timed = prepare("gemm/wrong_cpu/input_modified");
  EXPECT_EQ(timed->changed_inputs(2, 3), timed->changed_inputs(2, 3));
  (void)replay(*timed, 2, 3);
  EXPECT_THAT(timed->changed_inputs(2, 3),
              HasSubstr("timed launches changed an input: 1 element of B changed, first at row 0 column 63"));
  auto const next = prepare("gemm/cpu/openblas");
  EXPECT_EQ(replay(*next, 2, 4), "");
  EXPECT_EQ(next->changed_inputs(2, 4), "");
}

TEST_F(TimedCases, ChangedGroupOffsetsAreNamedAndHarmNobodyElse) {
  auto const timed = prepare("gemm/wrong_cpu/group_offsets_modified", "f16.f32,nt,m40n50k60,groups9+31");
  EXPECT_EQ(timed->changed_inputs(1, 3), timed->changed_inputs(1, 3));
  EXPECT_EQ(replay(*timed, 1, 3), "");
  EXPECT_EQ(timed->changed_inputs(1, 3),
            "timed launches changed an input: the group offsets changed, first number 1: was 9, is 10");
  auto const next = prepare("gemm/cpu/naive_f16");
  EXPECT_EQ(replay(*next, 2, 4), "");
  EXPECT_EQ(next->changed_inputs(2, 4), "");
}

TEST_F(TimedCases, ChangedPointersAreNamedAndHarmNobodyElse) {
  auto const timed = prepare("gemm/wrong_cpu/pointers_modified", "f16.f32,nt,m20n30k40,batch5,pointers");
  EXPECT_EQ(timed->changed_inputs(1, 3), timed->changed_inputs(1, 3));
  EXPECT_EQ(replay(*timed, 1, 3), "");
  EXPECT_EQ(timed->changed_inputs(1, 3),
            "timed launches changed an input: the array of pointers for B changed, first number 2");
  auto const next = prepare("gemm/cpu/naive_f16");
  EXPECT_EQ(replay(*next, 3, 4), "");
  EXPECT_EQ(next->changed_inputs(3, 4), "");
}

TEST_F(TimedCases, ChangedIndicesOfASparseAAreNamedAndHarmNobodyElse) {
  auto const timed = prepare("gemm/wrong_cpu/sparse_indices_modified", "f16.f32,nt,m20n30k40,sparse24");
  EXPECT_EQ(replay(*timed, 2, 3), "");
  EXPECT_EQ(timed->changed_inputs(2, 3), "timed launches changed an input: 2 bytes of the indices of A changed");
  auto const next = prepare("gemm/cpu/naive_f16");
  EXPECT_EQ(replay(*next, 3, 4), "");
  EXPECT_EQ(next->changed_inputs(3, 4), "");
}

TEST_F(TimedCases, WhichElementsOfASparseAAreKeptIsPartOfTheSecret) {
  auto const timed = prepare("gemm/wrong_cpu/sparse_indices_exchanged", "f16.f32,nn,m20n30k40,sparse24");
  EXPECT_THAT(replay(*timed, 3, 5), HasSubstr("buffers 1 of 3: "));
  auto const naive = prepare("gemm/cpu/naive_f16");
  naive->renew({0, 1}, 3);
  naive->renew({1, 1}, 4);
  naive->launch(0);
  naive->launch(1);
  naive->compare(1, 3, 9);
  EXPECT_EQ(naive->finding(), "");
  naive->compare(2, 3, 9);
  EXPECT_THAT(naive->finding(), HasSubstr("buffers 2 of 2"));
}

TEST_F(TimedCases, PointersAreToTheBuffersOfTheirOwnSet) {
  auto const timed = prepare("gemm/cpu/naive_f16", "f16.f32,nt,m20n30k40,batch5,pointers,beta1,residual");
  EXPECT_EQ(replay(*timed, 4, 3), "");
  EXPECT_THAT(replay(*timed, 4, 5, {2}), HasSubstr("buffers 3 of 4"));
}

TEST_F(TimedCases, ARowThatMeetsTheNeighboursBIsFound) {
  auto const timed = prepare("gemm/wrong_cpu/group_boundary_off_by_one", "f16.f32,nn,m40n50k60,groups20+0+20");
  EXPECT_THAT(replay(*timed, 3, 5), AllOf(HasSubstr("buffers 1 of 3: "), HasSubstr("row 19 is the last of group 0")));
}

TEST_F(TimedCases, ASealedLaunchInGroupsIsRightForTheSecretOfItsInputs) {
  problem_ = operation_->parse("f16.f32,nt,m40n50k60,groups9+0+31");
  auto const proof = problem_->prove_sealed(*backend_);
  auto const output = backend_->allocate(proof->output_bytes());
  std::uint64_t const secret = 5;
  auto const launch = [&](char const* kernel) {
    auto const sealed = problem_->prepare_sealed(*backend_, &registered_kernel(kernel));
    sealed->renew_from(3, &secret);
    sealed->launch(3, output.data());
  };
  launch("gemm/cpu/naive_f16");
  EXPECT_EQ(proof->finding(output.data(), secret, 9), "");
  EXPECT_NE(proof->finding(output.data(), secret + 1, 9), "");
  launch("gemm/wrong_cpu/group_boundary_off_by_one");
  EXPECT_THAT(proof->finding(output.data(), secret, 9), HasSubstr("row 8 is the last of group 0"));
}

TEST_F(TimedCases, ASealedLaunchWithASparseAIsRightForTheSecretOfItsInputs) {
  problem_ = operation_->parse("f16.f32,nt,m40n50k64,sparse24");
  auto const proof = problem_->prove_sealed(*backend_);
  auto const output = backend_->allocate(proof->output_bytes());
  auto const sealed = problem_->prepare_sealed(*backend_, &registered_kernel("gemm/cpu/naive_f16"));
  std::uint64_t const secret = 5;
  sealed->renew_from(3, &secret);
  sealed->launch(3, output.data());
  EXPECT_EQ(proof->finding(output.data(), secret, 9), "");
  EXPECT_NE(proof->finding(output.data(), secret + 1, 9), "");
}

TEST_F(TimedCases, AlphaBetaAndCAreThoseOfTheProblem) {
  auto const timed = prepare("gemm/cpu/blocked", "f32,nt,m40n50k60,ldd55,alpha0.5,beta3");
  EXPECT_EQ(replay(*timed, 5, 21), "");
}

TEST_F(TimedCases, ACaseAndItsReferenceShareInputsAndLiveSideBySide) {
  auto const timed = prepare("gemm/cpu/blocked");
  auto const reference = prepare("gemm/cpu/openblas");
  EXPECT_EQ(timed->sets(), reference->sets());
  timed->renew({0, 1}, 8);
  timed->launch(0);
  EXPECT_EQ(replay(*reference, 1, 9), "");
  problem_.reset();
  timed->compare(1, 8, 10);
  EXPECT_EQ(timed->finding(), "") << "outputs must be compared with the inputs of their own launch, not with today's";
}

TEST_F(TimedCases, AHotProblemHasAsManySetsAsStayInTheCache) {
  EXPECT_FALSE(prepare("gemm/cpu/simd", "f32,nn,m64n64k64,hot")->cold());
}

TEST(Sets, DefeatTheCacheAndSpreadOverMemoryUnlessTheProblemIsHotOrLargeOrMemoryIsShort) {
  constexpr std::int64_t kCache = 50'000'000;
  constexpr std::size_t kFree = 80'000'000'000;
  auto const sets = [](char const* text, std::int64_t cache, std::size_t free, std::size_t reach = 0) {
    return kit::sets_for(gemm::GemmDefinition(parse_gemm_problem(text)),
                         {.cache = cache, .hot = cache / 4, .free = free, .reach = reach});
  };
  EXPECT_EQ(sets("f32,nn,m512n512k512", kCache, kFree), 48);  // 3 MiB each
  EXPECT_EQ(sets("f32,nn,m512n512k512,beta1", kCache, kFree), 36);
  EXPECT_EQ(sets("f16.f32,nn,m512n512k512", kCache, kFree), 96);
  EXPECT_EQ(sets("f32,nn,m3200n3200k3200", kCache, kFree), 24);
  EXPECT_EQ(sets("f32,nn,m8192n8192k8192", kCache, kFree), 10);
  EXPECT_EQ(sets("f32,nn,m16384n16384k16384", kCache, kFree), 2);
  EXPECT_EQ(sets("f32,nn,m512n512k512", kCache, 40'000'000), 3);
  EXPECT_EQ(sets("f32,nn,m512n512k512", kCache, 0), 1);
  EXPECT_EQ(sets("f32,nn,m1n1k1", kCache, kFree), 2048);
}

TEST(Sets, ReachSoFarThatEachLaunchOfAReplayHasOneOfItsOwn) {
  auto const sets = [](char const* text) {
    return kit::sets_for(
        gemm::GemmDefinition(parse_gemm_problem(text)),
        {.cache = 50'000'000, .hot = 12'500'000, .free = 80'000'000'000, .reach = std::size_t{4} << 30U});
  };
  EXPECT_EQ(sets("f16.f32,nn,m512n512k512"), 1000) << "1.5 MiB each, but no replay has more launches than this";
  EXPECT_EQ(sets("f32,nn,m4096n4096k4096"), 24);
}

TEST(Sets, OfAHotProblemAreAsManyAsStayInTheCache) {
  auto const sets = [](char const* text) {
    return kit::sets_for(
        gemm::GemmDefinition(parse_gemm_problem(text)),
        {.cache = 50'000'000, .hot = 12'500'000, .free = 80'000'000'000, .reach = std::size_t{4} << 30U});
  };
  EXPECT_EQ(sets("f32,nn,m512n512k512,hot"), 3);
  EXPECT_EQ(sets("f32,nn,m4096n4096k4096,hot"), 1);
}

}  // namespace
}  // namespace perfcheck
