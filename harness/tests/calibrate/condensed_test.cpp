// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "condensed.h"

#include "made_up.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace perfcheck::calibrate::testing {
namespace {

model::CaseResult recorded() { return made_up_run({}, "a", 1, 1).sessions.front().cases.front(); }

void expect_equal(model::SessionSummary const& one, model::SessionSummary const& other) {
  EXPECT_DOUBLE_EQ(one.time_ns, other.time_ns);
  EXPECT_DOUBLE_EQ(one.ratio.value_or(-1), other.ratio.value_or(-1));
  EXPECT_DOUBLE_EQ(one.cycles.value_or(-1), other.cycles.value_or(-1));
  EXPECT_NEAR(one.tail, other.tail, 1e-9);
}

TEST(Condensed, SaysWhatAllRoundsSay) {
  for (double const slow_round : {1.0, 0.7, 4.0}) {
    model::CaseResult result = recorded();
    result.rounds->time_ns.front() *= slow_round;
    expect_equal(*model::summarize(condensed(result)), *model::summarize(result));
  }
}

TEST(Condensed, HasNoWitnessThatTheResultHasNot) {
  model::CaseResult own_control = recorded();
  own_control.reference = own_control.id;
  expect_equal(*model::summarize(condensed(own_control)), *model::summarize(own_control));
  model::CaseResult clockless = recorded();
  clockless.rounds->clock_mhz.clear();
  clockless.rounds->reference_clock_mhz.clear();
  expect_equal(*model::summarize(condensed(clockless)), *model::summarize(clockless));
}

TEST(Condensed, WhatCannotBeUsedIsAnErrorThatNamesTheCase) {
  model::CaseResult result = recorded();
  result.rounds->time_ns.front() = -1;
  try {
    (void)condensed(result);
    FAIL();
  } catch (std::invalid_argument const& error) {
    EXPECT_NE(std::string(error.what()).find(result.id), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace perfcheck::calibrate::testing
