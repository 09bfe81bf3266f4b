// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/status.h"

#include <algorithm>
#include <stdexcept>

namespace perfcheck::model {
namespace {

// Each switch below is the table of one enum. The compiler reports a value without a row (-Wswitch). A number that is
// not a value gives an empty row, which is also how the lists of texts find their end.
struct VerdictRow {
  std::string_view text;
  ExitCode exit_code = ExitCode::broken;
};

constexpr std::string_view row_of(CaseStatus status) {
  switch (status) {
    case CaseStatus::measured: return "measured";
    case CaseStatus::incorrect: return "incorrect";
    case CaseStatus::implausible: return "implausible";
    case CaseStatus::invalid: return "invalid";
    case CaseStatus::crashed: return "crashed";
    case CaseStatus::timed_out: return "timed_out";
    case CaseStatus::failed: return "failed";
    case CaseStatus::skipped: return "skipped";
  }
  return {};
}

constexpr std::string_view row_of(SkipReason reason) {
  switch (reason) {
    case SkipReason::not_built: return "not_built";
    case SkipReason::architecture: return "architecture";
    case SkipReason::refused: return "refused";
    case SkipReason::suite_rule: return "suite_rule";
    case SkipReason::verify_only: return "verify_only";
  }
  return {};
}

constexpr VerdictRow row_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return {"pass", ExitCode::ok};
    case Verdict::improved: return {"improved", ExitCode::ok};
    case Verdict::regressed: return {"regressed", ExitCode::regressed};
    case Verdict::inconclusive: return {"inconclusive", ExitCode::undecided};
    case Verdict::no_baseline: return {"no_baseline", ExitCode::undecided};
    case Verdict::missing: return {"missing", ExitCode::broken};
    case Verdict::incorrect: return {"incorrect", ExitCode::broken};
    case Verdict::implausible: return {"implausible", ExitCode::broken};
    case Verdict::crashed: return {"crashed", ExitCode::broken};
    case Verdict::timed_out: return {"timed_out", ExitCode::broken};
    case Verdict::failed: return {"failed", ExitCode::broken};
    case Verdict::invalid: return {"invalid", ExitCode::broken};
    case Verdict::incomparable: return {"incomparable", ExitCode::undecided};
    case Verdict::skipped: return {"skipped", ExitCode::ok};
  }
  return {};
}

constexpr int severity_of(ExitCode code) {
  switch (code) {
    case ExitCode::ok: return 0;
    case ExitCode::undecided: return 1;
    case ExitCode::regressed: return 2;
    case ExitCode::broken: return 3;
    case ExitCode::io_error: return 4;
    case ExitCode::usage: return 5;
    case ExitCode::interrupted: return 6;
  }
  return 7;
}

constexpr std::string_view text_of(std::string_view row) { return row; }
constexpr std::string_view text_of(VerdictRow const& row) { return row.text; }

template <typename Enum>
std::string_view checked_text(Enum value) {
  std::string_view const text = text_of(row_of(value));
  if (text.empty()) {
    throw std::logic_error("a status outside of its enum has no text");
  }
  return text;
}

template <typename Enum>
std::vector<std::string> all_texts() {
  std::vector<std::string> texts;
  for (int i = 0; !text_of(row_of(static_cast<Enum>(i))).empty(); ++i) {
    texts.emplace_back(text_of(row_of(static_cast<Enum>(i))));
  }
  return texts;
}

template <typename Enum>
std::optional<Enum> find(std::string_view text) {
  std::vector<std::string> const texts = all_texts<Enum>();
  auto const found = std::find(texts.begin(), texts.end(), text);
  if (found == texts.end()) {
    return std::nullopt;
  }
  return static_cast<Enum>(found - texts.begin());
}

}  // namespace

std::string_view to_text(CaseStatus status) { return checked_text(status); }
std::string_view to_text(SkipReason reason) { return checked_text(reason); }
std::string_view to_text(Verdict verdict) { return checked_text(verdict); }

std::optional<CaseStatus> case_status_from_text(std::string_view text) { return find<CaseStatus>(text); }
std::optional<SkipReason> skip_reason_from_text(std::string_view text) { return find<SkipReason>(text); }
std::optional<Verdict> verdict_from_text(std::string_view text) { return find<Verdict>(text); }

std::vector<std::string> case_status_texts() { return all_texts<CaseStatus>(); }
std::vector<std::string> skip_reason_texts() { return all_texts<SkipReason>(); }
std::vector<std::string> verdict_texts() { return all_texts<Verdict>(); }

ExitCode exit_code_of(Verdict verdict) { return row_of(verdict).exit_code; }

ExitCode worse(ExitCode a, ExitCode b) { return severity_of(a) < severity_of(b) ? b : a; }

}  // namespace perfcheck::model
