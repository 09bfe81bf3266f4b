// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// An operation that is not linear, with right and wrong kernels: verification, timed and sealed cases.
#include "kit_test.h"
#include "timed_replay.h"

namespace perfcheck {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Softmax : public KitTest {
 protected:
  model::Verification verify(std::string const& kernel, std::string const& text, std::uint64_t seed = 1) {
    return softmax_->parse(text)->verify(*backend_, registered_kernel(kernel), seed);
  }
  std::unique_ptr<worker::TimedCase> prepare(std::string const& kernel) {
    if (!problem_) problem_ = softmax_->parse("f32,r20c50");
    return problem_->prepare(*backend_, registered_kernel(kernel));
  }

  std::unique_ptr<worker::Problem> problem_;
};

TEST_F(Softmax, RightKernelsAreVerifiedOnShapesOfAllKinds) {
  for (char const* kernel : {"softmax/cpu/three_passes", "softmax/cpu/online"}) {
    for (char const* text : {"f32,r1c1", "f32,r1c5000", "f32,r300c1", "f32,r7c33", "f32,r64c1024,hot", "f32,r3c4099"}) {
      for (std::uint64_t seed = 1; seed < 6; ++seed) {
        auto const verification = verify(kernel, text, seed);
        EXPECT_TRUE(verification.passed) << kernel << "@" << text << ": " << first_failure(verification);
      }
    }
  }
}

struct Fault {
  char const* kernel;
  char const* check;
  char const* message;
};

TEST_F(Softmax, WrongKernelsAreCaughtByTheCheckThatIsMeantForThem) {
  for (auto const& [kernel, check, message] : {
           Fault{"overflows", "range", "of them NaN"},
           Fault{"forgets_the_tail", "signed", "never written"},
           Fault{"ignores_x_stride", "row_stride", "1 element between rows: "},
           Fault{"ignores_y_stride", "row_stride", "1 element between rows: "},
           Fault{"writes_past_the_end", "guard_bands", "y"},
           Fault{"changes_its_input", "inputs_untouched", "1 element of x changed, first at row 0 column 3"},
           Fault{"hides_nan", "nan_placement", "nan in row "},
           Fault{"less_precision", "signed", "times the bound"},
           Fault{"never_the_same", "repeat", "run 2 differs from run 1 in the bits of 1 of 1000 elements"},
           Fault{"zero_where_all_are_equal", "structured", "rows of equal elements: "},
       }) {
    for (std::uint64_t seed : {1U, 2U, 3U}) {
      auto const verification = verify(std::string("kit/cpu/") + kernel, "f32,r20c50", seed);
      EXPECT_FALSE(verification.passed) << kernel;
      auto const* const found = find_check(verification, check);
      ASSERT_NE(found, nullptr) << kernel;
      EXPECT_FALSE(found->passed) << kernel;
      EXPECT_THAT(found->detail, HasSubstr(message)) << kernel;
    }
  }
}

TEST_F(Softmax, ABufferThatAWrongKernelDamagedIsNotHeldAgainstTheNext) {
  auto const problem = softmax_->parse("f32,r20c50");
  for (char const* kernel : {"changes_its_input", "writes_past_the_end", "forgets_the_tail"}) {
    (void)problem->verify(*backend_, registered_kernel(std::string("kit/cpu/") + kernel), 5);
    auto const after = problem->verify(*backend_, registered_kernel("softmax/cpu/online"), 5);
    EXPECT_TRUE(after.passed) << kernel << ": " << first_failure(after);
  }
}

TEST_F(Softmax, EveryOutputOfEveryReplayIsJudged) {
  auto const timed = prepare("softmax/cpu/online");
  ASSERT_GT(timed->sets(), 4);
  for (std::uint64_t secret = 1; secret < 6; ++secret) EXPECT_EQ(replay(*timed, 5, secret), "");
  for (int const set : {0, 2, 4}) {
    EXPECT_THAT(replay(*timed, 5, 7, {set}),
                AllOf(StartsWith("buffers " + std::to_string(set + 1) + " of 5: 1000 of 1000 elements wrong"),
                      HasSubstr("never written")));
  }
}

TEST_F(Softmax, OutputsOfEarlierInputsAreNotRight) {
  auto const timed = prepare("softmax/cpu/online");
  timed->renew({0, 2}, 11);
  timed->launch(0);
  timed->launch(1);
  timed->compare(2, 12, 13);
  EXPECT_THAT(timed->finding(), HasSubstr("buffers 1 of 2: "));
}

TEST_F(Softmax, LessPrecisionIsFoundInTimedOutputsToo) {
  EXPECT_THAT(replay(*prepare("kit/cpu/less_precision"), 3, 5), HasSubstr("times the bound"));
}

TEST_F(Softmax, AKernelThatTiresIsCaught) {
  auto const timed = prepare("kit/cpu/tires");
  std::string found;
  for (std::uint64_t secret = 1; secret < 100 && found.empty(); ++secret) found = replay(*timed, 2, secret);
  EXPECT_THAT(found, HasSubstr("never written"));
}

TEST_F(Softmax, InputsThatTimedLaunchesChangeAreNamed) {
  auto const timed = prepare("kit/cpu/changes_its_input");
  EXPECT_EQ(replay(*timed, 2, 3), "");
  EXPECT_THAT(timed->changed_inputs(2, 3), HasSubstr("timed launches changed an input: 1 element of x changed"));
  auto const next = prepare("softmax/cpu/online");
  EXPECT_EQ(replay(*next, 2, 4), "");
  EXPECT_EQ(next->changed_inputs(2, 4), "");
}

TEST_F(Softmax, IsProvenWhenItIsTimedSealed) {
  auto const problem = softmax_->parse("f32,r20c50");
  auto const sealed = problem->prepare_sealed(*backend_, &registered_kernel("softmax/cpu/online"));
  auto const proof = problem->prove_sealed(*backend_);
  ASSERT_EQ(sealed->output_bytes(), proof->output_bytes());
  std::vector<std::uint32_t> output(proof->output_bytes() / 4, proof->poison_word());
  for (std::uint64_t secret = 1; secret < 4; ++secret) {
    sealed->renew_from(static_cast<int>(secret), &secret);
    sealed->launch(static_cast<int>(secret), output.data());
    EXPECT_EQ(proof->finding(output.data(), secret, 9), "");
    EXPECT_THAT(proof->finding(output.data(), secret + 1, 9), HasSubstr("elements wrong"));
  }
}

TEST_F(Softmax, ItsReferenceIsTheFlaggedKernelOfItsFormat) {
  auto const problem = softmax_->parse("f32,r20c50");
  EXPECT_EQ(problem->reference(registered_kernel("softmax/cpu/online")).kernel, "softmax/cpu/three_passes");
  EXPECT_EQ(problem->reference(registered_kernel("softmax/cpu/three_passes")).kernel, "softmax/cpu/three_passes");
  EXPECT_FALSE(softmax_->parse("f16,r20c50")->concerns(registered_kernel("softmax/cpu/online")));
  EXPECT_FALSE(problem->concerns(registered_kernel("kit/cpu/plain"))) << "a kernel of another operation";
}

}  // namespace
}  // namespace perfcheck
