// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/format.h"
#include "perfcheck/report/columns.h"

#include <gtest/gtest.h>

#include <limits>

namespace perfcheck::report {
namespace {

TEST(Format, NumbersHaveFourDigits) {
  EXPECT_EQ(format_number(1234.56), "1235");
  EXPECT_EQ(format_number(52.123), "52.12");
  EXPECT_EQ(format_number(0.0041943), "0.004194");
  EXPECT_EQ(format_number(0.0), "0.000");
  EXPECT_EQ(format_number(std::nullopt), "-");
  EXPECT_EQ(format_number(std::numeric_limits<double>::quiet_NaN()), "-");
}

TEST(Format, TimesTakeTheUnitThatFits) {
  EXPECT_EQ(format_time(3214.0), "3.214 us");
  EXPECT_EQ(format_time(12.0), "12.00 ns");
  EXPECT_EQ(format_time(0.5), "0.5000 ns");
  EXPECT_EQ(format_time(4.2e6), "4.200 ms");
  EXPECT_EQ(format_time(1.25e9), "1.250 s");
}

TEST(Format, SharesFactorsAndDurations) {
  EXPECT_EQ(format_share(0.985), "98.5 %");
  EXPECT_EQ(format_factor(12.34), "12.34x");
  EXPECT_EQ(format_duration(7.46), "7.5 s");
  EXPECT_EQ(format_duration(75), "75 s");
  EXPECT_EQ(format_duration(125), "2:05 min");
  EXPECT_EQ(format_duration(3720), "1:02 h");
  EXPECT_EQ(format_duration(-1), "0.0 s");
}

TEST(Columns, AlignAndLeaveNoBlanksAtTheEnd) {
  EXPECT_EQ(columns({{"name", Column::Align::left}, {"n", Column::Align::right}, {"rest", Column::Align::left}},
                    {{"a", "10", "x"}, {"long one", "1", ""}}),
            "name       n  rest\n"
            "a         10  x\n"
            "long one   1\n");
}

}  // namespace
}  // namespace perfcheck::report
