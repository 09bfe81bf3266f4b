// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// An operation with several inputs, elements of other rows, integers, workspaces and refusals.
#include "kit_test.h"
#include "timed_replay.h"

namespace perfcheck {
namespace {

using testing::HasSubstr;

class Turned : public KitTest {
 protected:
  std::string failure(std::string const& kernel, std::string const& text) {
    return first_failure(turned_->parse(text)->verify(*backend_, registered_kernel("kit/cpu/" + kernel), 3));
  }
  std::string timed_failure(std::string const& kernel, std::string const& text) {
    auto const problem = turned_->parse(text);
    auto const timed = problem->prepare(*backend_, registered_kernel("kit/cpu/" + kernel));
    return replay(*timed, 2, 5);
  }
};

TEST_F(Turned, RightKernelsOfEachFormatAreVerifiedAndTimed) {
  for (char const* text : {"r1c1", "r20c30", "r33c7,hot", "r7c100"}) {
    EXPECT_EQ(failure("plain", std::string("f32,") + text), "") << text;
    EXPECT_EQ(failure("plain_s8", std::string("s8,") + text), "") << text;
    EXPECT_EQ(failure("through_workspace", std::string("f32,") + text), "") << text;
    EXPECT_EQ(timed_failure("plain", std::string("f32,") + text), "") << text;
    EXPECT_EQ(timed_failure("plain_s8", std::string("s8,") + text), "") << text;
  }
}

TEST_F(Turned, AFactorByRowIsFoundByExactData) {
  EXPECT_THAT(failure("factor_by_row", "f32,r20c30"), HasSubstr("exact: "));
  EXPECT_THAT(timed_failure("factor_by_row", "f32,r20c30"), HasSubstr("buffers 1 of 2: "));
}

TEST_F(Turned, MoreWorkspaceThanWasAskedForIsFound) {
  EXPECT_THAT(failure("more_workspace", "f32,r20c30"), HasSubstr("guard_bands: "));
}

TEST_F(Turned, OfSeveralReferencesTheFirstByNameIsTakenThatRunsTheProblem) {
  auto const reference = [&](char const* text) {
    return turned_->parse(text)->reference(registered_kernel("kit/cpu/factor_by_row")).kernel;
  };
  EXPECT_EQ(reference("f32,r20c30"), "kit/cpu/also_reference");
  EXPECT_EQ(reference("f32,r21c30"), "kit/cpu/plain");
  EXPECT_EQ(turned_->parse("f32,r21c30")->refusal(registered_kernel("kit/cpu/also_reference")), "rows must be even");
}

}  // namespace
}  // namespace perfcheck
