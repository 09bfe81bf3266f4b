// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/check_list.h"

#include <gtest/gtest.h>

#include <limits>

namespace perfcheck::verify {
namespace {

TEST(CheckList, WithoutAnyCheckNothingPassed) { EXPECT_FALSE(CheckList().result().passed); }

TEST(CheckList, KeepsTheFirstFailureAndTheOrder) {
  CheckList checks;
  checks.note("b", "");
  checks.note("a", "first");
  checks.note("a", "");
  checks.note("a", "second");
  auto const result = checks.result();
  EXPECT_FALSE(result.passed);
  ASSERT_EQ(result.checks.size(), 2U);
  EXPECT_EQ(result.checks[0].name, "b");
  EXPECT_TRUE(result.checks[0].passed);
  EXPECT_FALSE(result.checks[1].passed);
  EXPECT_EQ(result.checks[1].detail, "first");
}

TEST(CheckList, KeepsTheLargestFiniteError) {
  CheckList checks;
  checks.note("a", "");
  EXPECT_FALSE(checks.result().checks[0].error_over_bound.has_value());
  checks.note_error("a", 0.25);
  checks.note_error("a", 0.125);
  checks.note_error("a", std::numeric_limits<double>::infinity());
  checks.note_error("a", std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(checks.result().checks[0].error_over_bound, 0.25);
  EXPECT_TRUE(checks.result().passed);
}

}  // namespace
}  // namespace perfcheck::verify
