// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/markdown.h"

#include "ci/escape.h"
#include "ci/markdown_parts.h"
#include "perfcheck/report/case_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::report::ci {
namespace {

// Kept free for the lines that say what is left out, and for the markup that closes a fold.
constexpr std::size_t kReserve = 2000;
// A section may fill this share of the page, so that it leaves room for those below it.
constexpr double kAttentionShare = 0.4, kReasonShare = 0.25, kCommandShare = 0.15, kNoteShare = 0.05;
constexpr std::size_t kMostNotes = 20;

/// Text that is cut off at a size.
class Page {
 public:
  explicit Page(std::size_t bytes) : bytes_(bytes), free_(bytes > kReserve ? bytes - kReserve : 0) {}

  /// Adds text that is short and must not be left out.
  void say(std::string_view text) {
    text_ += text;
    free_ -= std::min(free_, text.size());
  }

  /// Adds as many of these lines as fit into a share of the page, at most `most`. The first `head` lines are added only
  /// together with another one. Returns how many were added.
  std::size_t add(Lines const& lines, std::size_t most, double share = 1, std::size_t head = 0) {
    std::size_t room = std::min(free_, static_cast<std::size_t>(share * static_cast<double>(bytes_)));
    std::size_t fitting = 0;
    for (; fitting < std::min(lines.size(), most); ++fitting) {
      if (lines[fitting].size() > room) break;
      room -= lines[fitting].size();
    }
    if (fitting <= head && head > 0) return 0;
    for (std::size_t i = 0; i < fitting; ++i) say(lines[i]);
    return fitting;
  }

  std::string take() { return std::move(text_); }

 private:
  std::size_t bytes_, free_;
  std::string text_;
};

constexpr std::size_t kTableHead = 2;
constexpr std::size_t kAll = static_cast<std::size_t>(-1);

std::string left_out(std::size_t count, char const* what, PageShape const& shape) {
  if (count == 0) return "";
  return fmt::format("\n{} more {}{}: {}.\n", count, what, count == 1 ? "" : "s", shape.elsewhere);
}

/// Adds a table and the number of rows that did not fit.
void add_table(Page& page, Lines const& table, std::size_t rows, double share, PageShape const& shape) {
  std::size_t const lines = page.add(table, rows == kAll ? kAll : rows + kTableHead, share, kTableHead);
  std::size_t const shown = lines > kTableHead ? lines - kTableHead : 0;
  page.say(left_out(table.size() - kTableHead - shown, "case", shape));
}

std::vector<Item const*> chosen(std::vector<Item> const& items, bool (*wanted)(Item const&)) {
  std::vector<Item const*> result;
  for (Item const& item : items) {
    if (wanted(item)) result.push_back(&item);
  }
  return result;
}

char const* sign_of(model::ExitCode code) {
  return code == model::ExitCode::ok          ? "\xe2\x9c\x85"              // a check mark
         : code == model::ExitCode::undecided ? "\xe2\x9a\xa0\xef\xb8\x8f"  // a warning
                                              : "\xe2\x9d\x8c";             // a cross
}

void add_heading(Page& page, CheckResult const& result, std::vector<Item> const& items) {
  // A result whose name is not that of its device begins with its name.
  std::string const slug = result.run.sessions.empty() ? result.name : result.run.sessions.front().device.slug;
  std::string const name = result.name == slug || result.name.empty() ? "" : markdown_text(result.name, 120) + ": ";
  page.say(
      fmt::format("### {} {}{}\n\n", sign_of(result.exit_code), name, markdown_text(headline(result, items), 400)));
  std::string const commit = commit_line(result);
  std::string const passes = pass_line(result.rows);
  // On one line, because GitHub shows a line end as a break in a comment, but not in a summary.
  page.say(fmt::format("{}{}{}\n", measured_line(result), commit.empty() ? "" : "<br>", commit));
  if (!passes.empty()) page.say("\n" + markdown_text(passes.substr(0, passes.size() - 1), 400) + "\n");
}

void add_attention(Page& page, CheckResult const& result, std::vector<Item const*> const& items,
                   PageShape const& shape) {
  if (items.empty()) return;
  page.say("\n");
  add_table(page, attention_table(result, items, shape.brief), shape.attention_rows, kAttentionShare, shape);
  Lines const reasons = reason_lines(items);
  if (reasons.empty()) return;
  page.say("\n**Why**\n\n");
  page.say(left_out(reasons.size() - page.add(reasons, shape.reasons, kReasonShare), "reason", shape));
}

void add_commands(Page& page, CheckResult const& result, PageShape const& shape) {
  std::string lines;
  std::size_t shown = 0;
  std::size_t const room = static_cast<std::size_t>(kCommandShare * static_cast<double>(shape.bytes));
  for (Repro const& repro : result.repro) {
    std::string const note = repro.case_ids.size() > 1 ? fmt::format("  # {} failed cases", repro.case_ids.size()) : "";
    if (shown == shape.commands || lines.size() + repro.command.size() > room) break;
    std::string command = repro.command;
    std::replace(command.begin(), command.end(), '\n', ' ');
    lines += command + note + "\n";
    ++shown;
  }
  if (shown > 0) {
    page.say("\n**Measure again what failed**\n\n");
    page.say(markdown_code_block("sh", lines));
  }
  page.say(left_out(result.repro.size() - shown, "command", shape));
}

void add_notes(Page& page, CheckResult const& result, PageShape const& shape) {
  Lines lines;
  for (std::string const& note : result.decisions.notes)
    lines.push_back(fmt::format("- note: {}\n", markdown_text(note)));
  if (lines.empty()) return;
  page.say("\n");
  page.say(left_out(lines.size() - page.add(lines, kMostNotes, kNoteShare), "note", shape));
}

void add_ways_on(Page& page, CheckResult const& result, bool failed) {
  if (failed && !result.accept_hint.empty()) {
    page.say(fmt::format("\nTo accept it on purpose: {}\n", markdown_code(result.accept_hint, 500)));
  }
  std::string const target = link_target(result.report_url);
  if (!target.empty() && target.size() < kReserve) page.say(fmt::format("\n[Trends of every case]({})\n", target));
}

void add_rest(Page& page, CheckResult const& result, std::vector<Item> const& items, bool with_notes,
              PageShape const& shape) {
  std::vector<Item const*> const fine = chosen(items, [](Item const& item) { return item.standing == Standing::fine; });
  std::string const skipped = skipped_line(items);
  bool const has_notes = with_notes && !result.decisions.notes.empty();
  if (fine.empty() && skipped.empty() && !has_notes) return;
  char const* const how = result.decisions.cases.empty() ? "measured" : "as before";
  std::string const title = fmt::format("{} case{} {}", fine.size(), fine.size() == 1 ? "" : "s", how);
  page.say(fmt::format("\n<details><summary>{}</summary>\n\n", fine.empty() ? "More" : title));
  if (!fine.empty()) add_table(page, rest_table(result, fine, shape.brief), kAll, 1, shape);
  if (!skipped.empty()) page.say((fine.empty() ? "" : "\n") + skipped);
  if (has_notes) add_notes(page, result, shape);
  page.say("\n</details>\n");
}

}  // namespace

std::string markdown_page(CheckResult const& result, PageShape const& shape) {
  std::vector<Item> const items = items_of(result);
  std::vector<Item const*> const attention = chosen(items, [](Item const& item) { return item.stands_out(); });
  bool const folded_notes = shape.brief && result.exit_code == model::ExitCode::ok;
  Page page(shape.bytes);
  add_heading(page, result, items);
  add_attention(page, result, attention, shape);
  add_commands(page, result, shape);
  if (!folded_notes) add_notes(page, result, shape);
  add_ways_on(page, result, result.exit_code != model::ExitCode::ok);
  add_rest(page, result, items, folded_notes, shape);
  return page.take();
}

}  // namespace perfcheck::report::ci
