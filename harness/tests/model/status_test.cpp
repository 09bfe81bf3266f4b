// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/status.h"

#include <gtest/gtest.h>

#include <set>

namespace perfcheck::model {
namespace {

TEST(Status, EveryVerdictAsksForItsExitCode) {
  std::vector<std::pair<Verdict, ExitCode>> const table = {
      {Verdict::pass, ExitCode::ok},
      {Verdict::improved, ExitCode::ok},
      {Verdict::skipped, ExitCode::ok},
      {Verdict::regressed, ExitCode::regressed},
      {Verdict::missing, ExitCode::broken},
      {Verdict::incorrect, ExitCode::broken},
      {Verdict::implausible, ExitCode::broken},
      {Verdict::crashed, ExitCode::broken},
      {Verdict::timed_out, ExitCode::broken},
      {Verdict::failed, ExitCode::broken},
      {Verdict::invalid, ExitCode::broken},
      {Verdict::inconclusive, ExitCode::undecided},
      {Verdict::no_baseline, ExitCode::undecided},
      {Verdict::incomparable, ExitCode::undecided},
  };
  EXPECT_EQ(table.size(), verdict_texts().size());
  for (auto const& [verdict, code] : table) {
    EXPECT_EQ(exit_code_of(verdict), code) << to_text(verdict);
  }
}

TEST(Status, ExitCodesHaveTheDocumentedNumbers) {
  EXPECT_EQ(static_cast<int>(ExitCode::ok), 0);
  EXPECT_EQ(static_cast<int>(ExitCode::regressed), 1);
  EXPECT_EQ(static_cast<int>(ExitCode::broken), 2);
  EXPECT_EQ(static_cast<int>(ExitCode::undecided), 3);
  EXPECT_EQ(static_cast<int>(ExitCode::usage), 64);
}

TEST(Status, AVerdictThatIsNoneFailsTheGate) { EXPECT_EQ(exit_code_of(static_cast<Verdict>(99)), ExitCode::broken); }

TEST(Status, AWrongResultOutranksASlowOne) {
  std::vector<ExitCode> const from_mild_to_grave = {ExitCode::ok,         ExitCode::undecided, ExitCode::regressed,
                                                    ExitCode::broken,     ExitCode::io_error,  ExitCode::usage,
                                                    ExitCode::interrupted};
  for (std::size_t a = 0; a < from_mild_to_grave.size(); ++a) {
    for (std::size_t b = 0; b < from_mild_to_grave.size(); ++b) {
      EXPECT_EQ(worse(from_mild_to_grave[a], from_mild_to_grave[b]), from_mild_to_grave[std::max(a, b)]);
    }
  }
}

template <typename Enum>
void expect_texts_to_be_unique_and_read_back(std::vector<std::string> const& texts,
                                             std::optional<Enum> (*from_text)(std::string_view), Enum last) {
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(last) + 1);
  EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(to_text(static_cast<Enum>(i)), texts[i]);
    EXPECT_EQ(from_text(texts[i]), static_cast<Enum>(i));
  }
  for (char const* wrong : {"", " ", "Pass", "measured ", "unknown"}) {
    EXPECT_FALSE(from_text(wrong)) << wrong;
  }
  EXPECT_THROW((void)to_text(static_cast<Enum>(texts.size())), std::logic_error);
  EXPECT_THROW((void)to_text(static_cast<Enum>(-1)), std::logic_error);
}

TEST(Status, EveryTextReadsBackAndNoOtherDoes) {
  expect_texts_to_be_unique_and_read_back(case_status_texts(), case_status_from_text, CaseStatus::skipped);
  expect_texts_to_be_unique_and_read_back(skip_reason_texts(), skip_reason_from_text, SkipReason::verify_only);
  expect_texts_to_be_unique_and_read_back(verdict_texts(), verdict_from_text, Verdict::skipped);
}

}  // namespace
}  // namespace perfcheck::model
