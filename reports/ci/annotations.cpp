// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/escape.h"
#include "ci/items.h"
#include "ci/writers.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/report/format.h"
#include "text/markup.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::report::ci {
namespace {

// GitHub shows this many annotations of a kind for each step and silently drops the others.
constexpr std::size_t kShown = 10;
constexpr std::size_t kTitleLimit = 200, kMessageLimit = 1500;

struct Annotation {
  std::string title, message;  ///< escaped
  model::KernelEntry const* entry = nullptr;
};

enum class Kind { error, warning, notice };

char const* name_of(Kind kind) {
  switch (kind) {
    case Kind::error: return "error";
    case Kind::warning: return "warning";
    case Kind::notice: return "notice";
  }
  return "";
}

/// A finding that the policy demotes is a warning: it is shown, but fails nothing.
std::optional<Kind> kind_of(Item const& item) {
  switch (item.standing) {
    case Standing::regressed:
    case Standing::broken: return item.failed ? Kind::error : Kind::warning;
    case Standing::undecided: return item.outcome == gate::kRecordedCode ? Kind::notice : Kind::warning;
    case Standing::improved: return Kind::notice;
    case Standing::fine:
    case Standing::skipped: return std::nullopt;
  }
  return std::nullopt;
}

std::string line_of(Kind kind, Annotation const& annotation) {
  std::string place;
  if (annotation.entry != nullptr && !annotation.entry->file.empty()) {
    place = fmt::format("file={},", command_property(annotation.entry->file));
    if (annotation.entry->line > 0) place += fmt::format("line={},", annotation.entry->line);
  }
  return fmt::format("::{} {}title={}::{}\n", name_of(kind), place, annotation.title, annotation.message);
}

Annotation annotation_of(CheckResult const& result, Item const& item) {
  std::string title = words_of(item.outcome) + ": " + item.id;
  if (item.is_kernel) title += " (all cases together)";
  std::string message = item.reason;
  if (message.empty() && item.change()) message = format_change(item.change());
  message = command_data(shortened(model::one_line(message), kMessageLimit));
  auto const add = [&](std::string const& text) {
    if (!text.empty())
      message += (message.empty() ? "" : "%0A") + command_data(shortened(model::one_line(text), kMessageLimit));
  };
  if (item.row != nullptr) add(item.row->also_changed);
  std::string const repro = repro_of(result, item.id);
  if (item.failed && !repro.empty()) add("measure again: " + repro);
  if (message.empty()) message = command_data(words_of(item.outcome));
  return {.title = command_property(shortened(model::one_line(title), kTitleLimit)),
          .message = message,
          .entry = item.entry};
}

std::string lines_of(Kind kind, std::vector<Annotation> const& annotations) {
  bool const all = annotations.size() <= kShown;
  std::size_t const shown = all ? annotations.size() : kShown - 1;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += line_of(kind, annotations[i]);
  if (all) return text;
  std::string const more = fmt::format("{} more like these: the job's summary lists them", annotations.size() - shown);
  return text + line_of(kind, {.title = "perfcheck", .message = more});
}

}  // namespace

std::string write_annotations(CheckResult const& result) {
  std::vector<Item> const items = items_of(result);
  std::map<Kind, std::vector<Annotation>> annotations;
  std::string const whole = failure_of_the_whole(result, items);
  if (!whole.empty()) {
    Kind const kind = result.exit_code == model::ExitCode::undecided ? Kind::warning : Kind::error;
    annotations[kind].push_back(
        {.title = command_property(shortened(model::one_line(headline(result, items)), kTitleLimit)),
         .message = command_data(shortened(model::one_line(whole), kMessageLimit))});
  }
  for (Item const& item : items) {
    if (std::optional<Kind> const kind = kind_of(item)) annotations[*kind].push_back(annotation_of(result, item));
  }
  std::string text;
  for (auto const& [kind, list] : annotations) text += lines_of(kind, list);
  return text;
}

}  // namespace perfcheck::report::ci
