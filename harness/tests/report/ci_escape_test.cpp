// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/escape.h"

#include "ci/trend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace perfcheck::report::ci {
namespace {

TEST(MarkdownText, LeavesWordsAndNumbersAlone) {
  EXPECT_EQ(markdown_text("ratio +4.82 % (4 sessions), limit 1.00 %; mend it"),
            "ratio +4.82 % (4 sessions), limit 1.00 %; mend it");
  EXPECT_EQ(markdown_text("driver: 580.65.06"), "driver: 580.65.06");
}

TEST(MarkdownText, HasNoMarkup) {
  EXPECT_EQ(markdown_text("x<b>|`*_[]~\\$&"), "x&#60;b&#62;&#124;&#96;&#42;&#95;&#91;&#93;&#126;&#92;&#36;&#38;");
  EXPECT_EQ(markdown_text("a\nb\r\nc\x1b[0m"), "a b  c&#91;0m") << "the text must become one line";
}

TEST(MarkdownText, BeginsNoBlock) {
  EXPECT_EQ(markdown_text("- x"), "&#45; x");
  EXPECT_EQ(markdown_text("12. x"), "&#49;2. x");
  EXPECT_EQ(markdown_text("12)"), "&#49;2)");
  EXPECT_EQ(markdown_text("580.65"), "580.65");
  EXPECT_EQ(markdown_text("    x  "), "x") << "four leading spaces would be a code block";
  EXPECT_EQ(markdown_text("==="), "&#61;==");
}

TEST(MarkdownText, BreaksWhatGitHubLooksForInText) {
  EXPECT_EQ(markdown_text("a @user"), "a &#64;&#8203;user");
  EXPECT_EQ(markdown_text("a #1"), "a &#35;&#8203;1");
  EXPECT_EQ(markdown_text("https://x"), "https:&#8203;//x");
  EXPECT_EQ(markdown_text("a www.x"), "a www&#8203;.x");
  EXPECT_EQ(markdown_text("a WwW.x"), "a WwW&#8203;.x");
  EXPECT_EQ(markdown_text("GH-1 gh-x"), "GH-&#8203;1 gh-x");
  EXPECT_EQ(markdown_text(":tada:"), ":&#8203;tada:");
}

TEST(MarkdownText, IsCutToItsLimit) { EXPECT_EQ(markdown_text(std::string(9, 'w'), 4), "www\xe2\x80\xa6"); }

TEST(MarkdownCode, HasAFenceThatItsTextCannotClose) {
  EXPECT_EQ(markdown_code("gemm/simt/naive@f32"), "`gemm/simt/naive@f32`");
  EXPECT_EQ(markdown_code("a`b"), "``a`b``");
  EXPECT_EQ(markdown_code("``"), "``` `` ```");
  EXPECT_EQ(markdown_code(" \n "), "");
}

TEST(MarkdownCode, StaysInItsCell) {
  EXPECT_EQ(markdown_code("a|b"), "`a\\|b`");
  EXPECT_EQ(markdown_code("a\\|b"),
            "`a\\\xc2\xa6"
            "b`");
}

TEST(MarkdownCodeBlock, HasAFenceThatItsTextCannotClose) {
  EXPECT_EQ(markdown_code_block("sh", "a\nb\n"), "```sh\na\nb\n```\n");
  EXPECT_EQ(markdown_code_block("sh", "````"), "`````sh\n````\n`````\n");
}

TEST(LinkTarget, IsAnAddressOrNothing) {
  EXPECT_EQ(link_target("https://example.org/a?b=1&c=2#d"), "https://example.org/a?b=1&c=2#d");
  EXPECT_EQ(link_target("https://x/)[y](z) <b>\n\"`|\\"), "https://x/%29%5By%5D%28z%29%20%3Cb%3E%0A%22%60%7C%5C");
  EXPECT_EQ(link_target("javascript:alert(1)"), "");
  EXPECT_EQ(link_target("//example.org"), "");
  EXPECT_EQ(link_target(""), "");
}

TEST(WorkflowCommands, EscapeAsTheRunnerReads) {
  EXPECT_EQ(command_data("50 %: a,b\nc"), "50 %25: a,b c");
  EXPECT_EQ(command_data("%0A"), "%250A");
  EXPECT_EQ(command_property("a:b,c%"), "a%3Ab%2Cc%25");
}

TEST(CsvCell, IsNoFormula) {
  EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
  EXPECT_EQ(csv_cell("+1"), "'+1");
  EXPECT_EQ(csv_cell("-1"), "'-1");
  EXPECT_EQ(csv_cell("@SUM(1)"), "'@SUM(1)");
  EXPECT_EQ(csv_cell("\t=1"), "' =1") << "spreadsheets strip a leading tab";
  EXPECT_EQ(csv_cell("=1,\"x\""), "\"'=1,\"\"x\"\"\"");
}

TEST(CsvCell, IsQuotedWhereItMust) {
  EXPECT_EQ(csv_cell("a b"), "a b");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(csv_cell("::error::x"), "\"::error::x\"") << "the line must not start with a workflow command";
}

TEST(OpenMetricsLabel, IsEscaped) { EXPECT_EQ(openmetrics_label("a\\b\"c\nd"), "a\\\\b\\\"c d"); }

TEST(TrendWord, GoesFromLowToHigh) {
  EXPECT_EQ(trend_word({1, 1.1, 1.2, 1.3, 1.4}), "\xe2\x96\x81\xe2\x96\x82\xe2\x96\x84\xe2\x96\x86\xe2\x96\x88");
  EXPECT_EQ(trend_word({2, 1}), "\xe2\x96\x88\xe2\x96\x81");
}

TEST(TrendWord, DoesNotMakeNoiseLookLikeChange) {
  std::string const flat = "\xe2\x96\x84";
  EXPECT_EQ(trend_word({1, 1.002, 0.999, 1.001, 1}), flat + flat + flat + flat + flat);
  EXPECT_EQ(trend_word({1, 1, 1}), flat + flat + flat);
  EXPECT_NE(trend_word({1, 1, 1.05}).find("\xe2\x96\x88"), std::string::npos) << "5 % is more than noise";
  EXPECT_EQ(trend_word({1, 1.01}).find("\xe2\x96\x88"), std::string::npos);
}

TEST(TrendWord, ShowsGapsAndTheLastThirty) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(trend_word({1, nan, 2}), "\xe2\x96\x81\xc2\xb7\xe2\x96\x88");
  EXPECT_EQ(trend_word({1, -1, 2, std::numeric_limits<double>::infinity()}),
            "\xe2\x96\x81\xc2\xb7\xe2\x96\x88\xc2\xb7");
  std::vector<double> many(100, 1.0);
  many.front() = 9;
  EXPECT_EQ(trend_word(many).size(), 30U * 3);
}

TEST(TrendWord, IsEmptyWhereThereIsNothingToCompare) {
  EXPECT_EQ(trend_word({}), "");
  EXPECT_EQ(trend_word({1}), "");
  EXPECT_EQ(trend_word({1, 0}), "");
}

}  // namespace
}  // namespace perfcheck::report::ci
