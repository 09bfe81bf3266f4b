// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes every edit, runs the real program on it, checks each answer against the rules of docs/evidence/adversarial.md,
// and compares all of them with the table committed there. UPDATE_GOLDEN=1 writes the table.
#include "edits.h"

#include "perfcheck/store/store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <algorithm>
#include <map>
#include <set>

namespace perfcheck::adversarial {
namespace {

using ::testing::IsEmpty;

struct Item {
  std::string title;
  std::vector<Edit> edits;
};

std::vector<Item> items() {
  std::vector<Item> items = {{.title = "1. Equal machine code and launches acquit nobody", .edits = code_edits()},
                             {.title = "2. Baselines audit themselves", .edits = baseline_edits()},
                             {.title = "3. A pass says something", .edits = bound_edits()},
                             {.title = "4. Two anchors, and creep", .edits = anchor_edits()},
                             {.title = "5. Cards and days", .edits = card_edits()},
                             {.title = "6. What must be there", .edits = scope_edits()},
                             {.title = "7. Mixtures", .edits = mixture_edits()}};
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::vector<Edit> const more = file_edits(static_cast<int>(i + 1));
    items[i].edits.insert(items[i].edits.end(), more.begin(), more.end());
  }
  return items;
}

struct Answered {
  Edit edit;
  Answer answer;
};

std::vector<Answered> answered(std::vector<Edit> const& edits) {
  std::vector<Answered> rows;
  for (Edit const& edit : edits) {
    Desk desk;
    rows.push_back({.edit = edit, .answer = edit.ask(desk)});
  }
  return rows;
}

bool is_told(Edit const& edit, Answer const& answer) {
  bool const by_word = !edit.word.empty() && answer.words.find(edit.word) != std::string::npos;
  bool const by_bound = edit.within > 0 && answer.at_most && *answer.at_most >= edit.within;
  return edit.hides == Hides::told && (by_word || by_bound);
}

void hold_against_rules(Edit const& edit, Answer const& answer) {
  SCOPED_TRACE(fmt::format("{}, {}: {}; exit code {}; {}", edit.id, edit.what, answer.said, answer.code, answer.words));
  switch (edit.hides) {
    case Hides::yes: EXPECT_NE(answer.code, 0) << "this edit hides a slowdown, but the command succeeded"; break;
    case Hides::told:
      EXPECT_TRUE(answer.code != 0 || is_told(edit, answer)) << "a slowdown passes, and the output does not say so";
      break;
    case Hides::no:
      EXPECT_EQ(answer.code == 0, edit.reason.empty())
          << "a harmless edit must end with 0, unless it gives a reason for ending otherwise";
      break;
  }
  EXPECT_GE(answer.code, 0) << "it crashed";
  EXPECT_THAT(answer.accused, IsEmpty()) << "unedited cases were called regressed or improved";
  EXPECT_THAT(answer.unbounded, IsEmpty()) << "cases passed without at_most";
}

// ---- the table

std::string row(Answered const& one) {
  char const* const hides = one.edit.hides == Hides::yes ? "yes" : one.edit.hides == Hides::no ? "no" : "told";
  std::string said = one.answer.said;
  if (is_told(one.edit, one.answer) && one.edit.within > 0) {
    said += fmt::format("; and that it excludes no slowdown below {:.1f} %", 100 * *one.answer.at_most);
  } else if (is_told(one.edit, one.answer)) {
    said += fmt::format("; with the words \"{}\"", one.edit.word);
  }
  return fmt::format("| {} | {} | {} | {} | {} |\n", one.edit.id, one.edit.what, hides, said, one.answer.code);
}

constexpr char const* kHead =
    "| id | edited | hides a slowdown? | the gate said | exit code |\n|---|---|---|---|---|\n";

constexpr char const* kIntroduction = R"(# Edits that try to hide a slowdown, and edits that are harmless

`harness/tests/adversarial` makes each of these edits to sessions that were recorded on four H100
(`recordings/h100.tar.xz`: 16 cases of 10 problems, the policy of `perfcheck.toml`) or to a baseline that was accepted
from them, asks the program, and writes down what it said. Where nothing else is said, the baseline holds eight sessions of
the run's card, the run is a screen and six sessions that confirm, and the command is `perfcheck compare`; slower means that the
recorded times, and so cycles and ratio, were multiplied in every round. "The gate said" tells the verdict and the reason
code of the cases that were edited, or the error.

The test holds the answers against three rules:

- no edit that hides a slowdown ends with exit code 0. Those marked "told" may, as the slowdown is none of this
  commit's or is smaller than the check can see, but only with the words that the table quotes, or where the pass itself
  says (`at_most`) that it excludes no such slowdown;
- an edit that is harmless ends with 0, but for those listed below with a reason;
- cases that were not edited are neither called regressed nor improved, and a pass says what it excludes (`at_most`).

After a change of what the gate says: `UPDATE_GOLDEN=1 ctest -R Adversarial`, and read the difference.

)";

constexpr char const* kForgery = R"(
## What no gate sees in a file

A file that is edited with care, and given a digest that fits, says what it was made to say. Against that stand review
(`baseline accept` and `baseline upgrade` print what moved and what is odd) and a baseline that comes from the target branch,
not from the change that is judged ([trust.md](../trust.md)). So this is no row of the tables above:

)";

std::string counts_text(std::vector<Answered> const& rows) {
  auto const count = [&](Hides hides, bool passed) {
    return std::ranges::count_if(
        rows, [&](Answered const& one) { return one.edit.hides == hides && (one.answer.code == 0) == passed; });
  };
  return fmt::format(
      "{} edits: {} hide a slowdown, of which {} end with 0; {} slowdowns that are told; {} are harmless, of which {} "
      "do "
      "not end with 0.\n",
      rows.size(), count(Hides::yes, false) + count(Hides::yes, true), count(Hides::yes, true),
      count(Hides::told, false) + count(Hides::told, true), count(Hides::no, false) + count(Hides::no, true),
      count(Hides::no, false));
}

std::string reasons_text(std::vector<Answered> const& rows, Hides hides) {
  std::string text;
  for (Answered const& one : rows) {
    bool const concerned = one.edit.hides == hides && (hides == Hides::told) == (one.answer.code == 0);
    if (concerned && !one.edit.reason.empty()) {
      text += fmt::format("- {}: {}.\n", one.edit.id, one.edit.reason);
    }
  }
  return text;
}

std::string table_text(std::vector<std::pair<std::string, std::vector<Answered>>> const& groups,
                       std::vector<Answered> const& forged) {
  std::string tables;
  std::vector<Answered> all;
  for (auto const& [title, rows] : groups) {
    tables += fmt::format("\n## {}\n\n{}", title, kHead);
    for (Answered const& one : rows) {
      tables += row(one);
      all.push_back(one);
    }
  }
  std::string text = kIntroduction + counts_text(all) + tables;
  text += "\n## Harmless, and not 0\n\n" + reasons_text(all, Hides::no);
  text += "\n## Told, and 0\n\n" + reasons_text(all, Hides::told);
  text += std::string(kForgery) + kHead;
  for (Answered const& one : forged) {
    text += row(one);
  }
  return text;
}

TEST(Adversarial, ThereAreAtLeastFiveEditsOfEachItemAndSixtyInAll) {
  std::set<std::string> ids;
  std::size_t number = 0, reasons = 0;
  for (Item const& item : items()) {
    ++number;
    std::map<Hides, int> kinds;
    for (Edit const& edit : item.edits) {
      EXPECT_TRUE(edit.id.starts_with(fmt::format("{}.", number))) << edit.id;
      EXPECT_TRUE(ids.insert(edit.id).second) << edit.id << " is used twice";
      EXPECT_EQ(edit.hides == Hides::told, !edit.word.empty() || edit.within > 0) << edit.id;
      ++kinds[edit.hides];
      reasons += edit.hides == Hides::no && !edit.reason.empty() ? 1 : 0;
    }
    EXPECT_GE(kinds[Hides::yes], 5) << item.title;
    EXPECT_GE(kinds[Hides::no], 3) << item.title;
  }
  EXPECT_GE(ids.size(), 60U);
  EXPECT_LE(reasons, 8U) << "too many harmless edits that do not end with 0";
}

TEST(Adversarial, NoSlowdownHidesAndNothingHarmlessFails) {
  std::vector<std::pair<std::string, std::vector<Answered>>> groups;
  for (Item const& item : items()) {
    groups.emplace_back(item.title, answered(item.edits));
    for (Answered const& one : groups.back().second) {
      hold_against_rules(one.edit, one.answer);
    }
  }
  std::string const text = table_text(groups, answered(forged_edits()));
  if (::getenv("UPDATE_GOLDEN") != nullptr) {
    store::write_file_atomically(PERFCHECK_TABLE, text);
  }
  EXPECT_EQ(store::read_file(PERFCHECK_TABLE), text)
      << PERFCHECK_TABLE << " differs from what the gate says now; UPDATE_GOLDEN=1 rewrites it";
}

}  // namespace
}  // namespace perfcheck::adversarial
