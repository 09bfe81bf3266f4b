// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Summary and comment. That hostile texts do no harm is checked here by taking the page apart, and with GitHub's own
// parser in consumers/check_formats.py.
#include "ci_samples.h"
#include "perfcheck/report/result_formats.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <regex>

namespace perfcheck::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string page(ResultFormat format, CheckResult const& result) { return write_result(format, result); }

/// The page without the content of code and without character references: texts from outside may add only letters,
/// digits and harmless characters to it.
std::string skeleton(std::string const& page) {
  std::string result;
  for (std::size_t at = 0; at < page.size();) {
    if (page[at] != '`') {
      result += page[at++];
      continue;
    }
    std::size_t const end = std::min(page.find_first_not_of('`', at), page.size());
    std::string const fence = page.substr(at, end - at);
    std::size_t close = page.find(fence, end);
    while (close != std::string::npos && close + fence.size() < page.size() && page[close + fence.size()] == '`') {
      close = page.find(fence, page.find_first_not_of('`', close));
    }
    if (close == std::string::npos) return "a fence of code is not closed: " + page.substr(at);
    result += "CODE";
    at = close + fence.size();
  }
  return std::regex_replace(result, std::regex("&#[0-9]+;"), "");
}

/// How often each special character of Markdown occurs in the page, and how many lines the page has.
std::map<char, std::ptrdiff_t> signs(std::string const& page) {
  std::string const text = skeleton(page);
  std::map<char, std::ptrdiff_t> result;
  for (char const c : std::string_view("<>&[]`*_#@|\\~$\n")) result[c] = std::count(text.begin(), text.end(), c);
  return result;
}

TEST(Markdown, FirstLineIsTheVerdict) {
  EXPECT_THAT(page(ResultFormat::summary, samples::regressed_result()),
              StartsWith("### \xe2\x9d\x8c 2 of 8 cases regressed on NVIDIA H100 80GB HBM3: 1 kernel as a whole, 1 "
                         "inconclusive, 1 improved\n"));
  EXPECT_THAT(page(ResultFormat::summary, samples::passed_result()),
              StartsWith("### \xe2\x9c\x85 All 7 cases passed on NVIDIA H100 80GB HBM3\n"));
  EXPECT_THAT(
      page(ResultFormat::summary, samples::broken_result()),
      StartsWith(
          "### \xe2\x9d\x8c 4 of 7 cases broken on NVIDIA H100 80GB HBM3: 1 regressed, 1 incorrect, 1 implausible, 1 "
          "crashed, 1 missing\n"));
  EXPECT_THAT(page(ResultFormat::summary, samples::empty_result()),
              StartsWith("### \xe2\x9d\x8c No case was measured on"));
  EXPECT_THAT(page(ResultFormat::summary, samples::measured_result()),
              StartsWith("### \xe2\x9c\x85 All 7 cases measured on"));
}

TEST(Markdown, ADemotedRegressionIsToldAndDoesNotFail) {
  CheckResult const result =
      samples::check_result({{"k", "p", model::Verdict::regressed, 0.05}, {"k", "q"}}, {model::Verdict::regressed});
  std::string const text = page(ResultFormat::comment, result);
  EXPECT_THAT(text, HasSubstr("\xe2\x9c\x85 None of 2 cases failed on NVIDIA H100 80GB HBM3: 1 regressed\n"));
  EXPECT_THAT(text, HasSubstr("| regressed |")) << "a verdict that does not fail must not be bold";
}

TEST(Markdown, AKernelAloneIsToldAbout) {
  CheckResult result = samples::check_result({{"k", "p"}, {"k", "q"}, {"k", "r"}});
  result.decisions.kernels.emplace_back().id = "k";
  result.decisions.kernels.back().verdict = model::Verdict::regressed;
  result.exit_code = model::ExitCode::regressed;
  std::string const text = page(ResultFormat::comment, result);
  EXPECT_THAT(text, HasSubstr("1 kernel regressed in all cases together on NVIDIA"));
  EXPECT_THAT(text, HasSubstr("| `k`<br>all cases together | **regressed** |"));
}

TEST(Markdown, TheTableBeginsWithTheWorst) {
  std::string const text = page(ResultFormat::summary, samples::regressed_result());
  std::size_t at = 0;
  for (char const* part :
       {"| `gemm/mma/f16_pipeline`<br>all cases together |", "m4096n4096k4096` | **regressed** | +4.82",
        "m1024n1024k1024` | **regressed** | +2.13", "| **inconclusive** |", "| improved |", "**Why**",
        "perfcheck check --filter", "To accept it on purpose: `perfcheck baseline accept", "<details>",
        "m1024n1024k1024` | ", "2 skipped: 2 architecture.", "</details>"}) {
    std::size_t const next = text.find(part, at);
    ASSERT_NE(next, std::string::npos) << part << " does not come next in\n" << text;
    at = next + 1;
  }
}

TEST(Markdown, AReasonThatManyShareIsSaidOnce) {
  std::vector<samples::Outcome> outcomes;
  for (int i = 0; i < 30; ++i) outcomes.push_back({"k", fmt::format("p{}", i), model::Verdict::inconclusive, 0.01});
  std::string const text = page(ResultFormat::summary, samples::check_result(outcomes));
  EXPECT_THAT(text, HasSubstr("- `k@p0` and 29 more **inconclusive**: the limits of the ratio"));
}

TEST(Comment, BeginsWithItsMarker) {
  CheckResult result = samples::passed_result();
  result.name = "H100 --> (shared)";
  EXPECT_THAT(page(ResultFormat::comment, result), StartsWith("<!-- perfcheck:h100-shared -->\n### "));
  EXPECT_THAT(page(ResultFormat::summary, result), Not(HasSubstr("<!--")));
}

TEST(Comment, IsShortWhenAllIsWell) {
  std::string const text = page(ResultFormat::comment, samples::passed_result());
  std::string const shown = text.substr(0, text.find("<details>"));
  EXPECT_LE(std::count(shown.begin(), shown.end(), '\n'), 10) << shown;
  EXPECT_THAT(shown, Not(HasSubstr("note:"))) << "notes must be folded";
  EXPECT_THAT(text, HasSubstr("note: driver 580.65.06"));
}

CheckResult many(int cases, model::Verdict verdict, std::string const& name) {
  std::vector<samples::Outcome> outcomes;
  for (int i = 0; i < cases; ++i) outcomes.push_back({"gemm/mma/" + name, fmt::format("p{}", i), verdict, 0.03});
  CheckResult result = samples::check_result(outcomes);
  int number = 0;
  for (CaseRow& row : result.rows) row.reason += fmt::format(" {}", number++);  // so that no two rows share a reason
  for (CaseRow const& row : result.rows) result.repro.push_back({{row.id}, "perfcheck check --filter " + row.id});
  return result;
}

TEST(Markdown, StaysBelowItsLimitAndSaysWhatIsLeftOut) {
  for (std::string const& name :
       {std::string("tile"), std::string(290, '|'), std::string(300, '<'), std::string(300, '`')}) {
    SCOPED_TRACE(name.substr(0, 5));
    for (model::Verdict const verdict : {model::Verdict::regressed, model::Verdict::pass, model::Verdict::crashed}) {
      CheckResult result = many(5000, verdict, name);
      for (CaseRow& row : result.rows) row.reason += name;
      std::string const comment = page(ResultFormat::comment, result);
      EXPECT_LT(comment.size(), 60000U);
      EXPECT_THAT(comment, HasSubstr("in the summary of the job"));
      std::string const summary = page(ResultFormat::summary, result);
      EXPECT_LT(summary.size(), 900U * 1024);
      EXPECT_THAT(summary, HasSubstr("the run file has all of them"));
      EXPECT_GT(summary.size(), 50000U) << "the space must be used";
      for (std::string const& text : {comment, summary}) {
        EXPECT_EQ(text.find("<details>") == std::string::npos, text.find("</details>") == std::string::npos);
        EXPECT_THAT(skeleton(text), Not(StartsWith("a fence")));
      }
    }
  }
}

TEST(Markdown, CountsTheCasesThatAreLeftOut) {
  EXPECT_THAT(page(ResultFormat::comment, many(50, model::Verdict::regressed, "tile")),
              HasSubstr("\n30 more cases: in the summary of the job.\n"));
  EXPECT_THAT(page(ResultFormat::comment, many(50, model::Verdict::regressed, "tile")),
              HasSubstr("\n45 more commands: in the summary of the job.\n"));
}

TEST(Markdown, HostileTextIsText) {
  for (ResultFormat const format : {ResultFormat::summary, ResultFormat::comment}) {
    // A harmless text in every place, so that the page has the same lines.
    std::map<char, std::ptrdiff_t> const plain = signs(page(format, samples::hostile_result("plain")));
    for (std::string const& text : samples::hostile_ci_texts()) {
      SCOPED_TRACE(text.substr(0, 60));
      CheckResult result = samples::hostile_result(text.substr(0, 1000));  // longer texts are left out
      // The address may become a link, which another test checks.
      result.report_url.clear();
      EXPECT_EQ(signs(page(format, result)), plain);
    }
  }
}

TEST(Markdown, AnAddressIsALinkAndNoMore) {
  CheckResult result = samples::passed_result();
  result.report_url = "https://example.org/)![x](https://evil.example/ <b>";
  EXPECT_THAT(
      page(ResultFormat::comment, result),
      HasSubstr("\n[Trends of every case](https://example.org/%29!%5Bx%5D%28https://evil.example/%20%3Cb%3E)\n"));
  result.report_url = "javascript:alert(1)";
  EXPECT_THAT(page(ResultFormat::comment, result), Not(HasSubstr("Trends of every case")));
}

}  // namespace
}  // namespace perfcheck::report
