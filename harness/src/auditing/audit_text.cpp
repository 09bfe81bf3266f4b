// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/auditing/audit.h"

#include "perfcheck/model/one_line.h"
#include "perfcheck/model/summary.h"
#include "perfcheck/report/format.h"
#include "perfcheck/session/sealed_objection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfcheck::auditing {
namespace {

using report::format_time;

std::string time_of(char const* whose, std::optional<model::SessionSummary> const& summary) {
  std::string const time = format_time(summary ? std::optional(summary->time_ns) : std::nullopt);
  std::string const ratio = summary && summary->ratio ? fmt::format(", {:.3f} of its reference", *summary->ratio) : "";
  return fmt::format("  {:<9}  {}{}", whose, time, ratio);
}

std::string ordinary_line(model::CaseResult const& result) {
  std::string text = time_of("ordinary", model::summarize(result));
  if (result.proof) {
    text += fmt::format("; {} of {} replays compared, {} outputs", result.proof->compared, result.proof->replays,
                        result.proof->outputs_compared);
  }
  return text + "\n";
}

std::string sealed_line(model::SealedResult const& sealed) {
  if (sealed.status != model::SealedStatus::timed) {
    return fmt::format("  sealed     {}\n", to_text(sealed.status));
  }
  return time_of("sealed", session::summary_of(sealed)) +
         fmt::format("; {} outputs verified; at most {} of a launch could be hidden\n", sealed.verified,
                     format_time(sealed.around_ns));
}

std::string block_of(AuditedCase const& audited) {
  model::CaseResult const& ordinary = audited.ordinary;
  std::string text = fmt::format("{}: ", model::one_line(ordinary.id));
  switch (audited.finding()) {
    case Finding::unfit:
      return text + model::one_line(fmt::format("the machine was not fit: {}", fmt::join(ordinary.unfit, "; "))) + "\n";
    case Finding::no_time:
      return text + model::one_line(fmt::format("no time, {}: {}", to_text(ordinary.status), ordinary.message)) + "\n";
    case Finding::agrees: text += "agrees\n"; break;
    case Finding::objection: text += "objection: " + model::one_line(audited.objection) + "\n"; break;
  }
  return text + ordinary_line(ordinary) + sealed_line(*audited.sealed);
}

std::string subject_line(Audit const& audit) {
  return model::one_line(fmt::format("{} on {}, judged by {}", audit.run.worker.name,
                                     audit.run.sessions.front().device.name, audit.judge)) +
         "\n";
}

void add_new(std::vector<std::string>& known, std::vector<std::string> const& texts) {
  for (std::string const& text : texts) {
    if (std::ranges::find(known, text) == known.end()) {
      known.push_back(text);
    }
  }
}

/// Printed once for all cases: the confinement depends on the machine, not on the case.
std::string confinement_lines(std::vector<AuditedCase> const& cases) {
  std::vector<std::string> applied, missing;
  for (AuditedCase const& audited : cases) {
    if (audited.sealed) {
      add_new(applied, audited.sealed->confinement.applied);
      add_new(missing, audited.sealed->confinement.missing);
    }
  }
  std::string text =
      "\n" +
      model::one_line(fmt::format("confinement of the kernels: {}",
                                  applied.empty() ? "none" : fmt::format("{}", fmt::join(applied, ", ")))) +
      "\n";
  for (std::string const& one : missing) {
    text += "  missing: " + model::one_line(one) + "\n";
  }
  return text;
}

std::string closing(Audit const& audit) {
  auto const count = [&](Finding finding) {
    return std::ranges::count_if(audit.cases, [&](AuditedCase const& one) { return one.finding() == finding; });
  };
  return fmt::format("\n{} agree, {} with an objection, {} without a time, {} on an unfit machine; {}; exit code {}\n",
                     count(Finding::agrees), count(Finding::objection), count(Finding::no_time), count(Finding::unfit),
                     report::format_duration(audit.run.seconds), static_cast<int>(audit.exit_code()));
}

}  // namespace

std::string audit_text(Audit const& audit, Detail detail) {
  std::string text = detail == Detail::quiet ? "" : subject_line(audit);
  for (AuditedCase const& audited : audit.cases) {
    if (detail != Detail::quiet || audited.finding() != Finding::agrees) {
      text += block_of(audited);
    }
  }
  if (detail == Detail::verbose) {
    for (protocol::PlannedCase const& planned : audit.skipped) {
      text += model::one_line(fmt::format("{}: skipped: {}", planned.id, planned.reason)) + "\n";
    }
  }
  return text + (detail == Detail::quiet ? "" : confinement_lines(audit.cases)) + closing(audit);
}

}  // namespace perfcheck::auditing
