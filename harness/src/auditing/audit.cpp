// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/auditing/audit.h"

#include "perfcheck/measuring/judge.h"
#include "perfcheck/measuring/measurement.h"
#include "perfcheck/measuring/sealing.h"

#include <algorithm>
#include <array>
#include <map>

namespace perfcheck::auditing {
namespace {

constexpr std::array<std::pair<Finding, std::string_view>, 4> kFindings = {{{Finding::agrees, "agrees"},
                                                                            {Finding::objection, "objection"},
                                                                            {Finding::no_time, "no_time"},
                                                                            {Finding::unfit, "unfit"}}};

/// The planned cases in two parts: those that run, and those that are skipped.
std::pair<std::vector<protocol::PlannedCase>, std::vector<protocol::PlannedCase>> parted(measuring::Plan const& plan) {
  std::pair<std::vector<protocol::PlannedCase>, std::vector<protocol::PlannedCase>> parts;
  std::ranges::partition_copy(plan.cases, std::back_inserter(parts.first), std::back_inserter(parts.second),
                              [](auto const& planned) { return !planned.skip_reason; });
  return parts;
}

/// The last result of each case: a case that an unfit machine spoiled was measured again.
std::vector<AuditedCase> cases_of(model::Run const& run) {
  std::map<std::string, AuditedCase> latest;
  for (model::Session const& session : run.sessions) {
    for (model::CaseResult const& result : session.cases) {
      latest[result.id].ordinary = result;
    }
  }
  std::vector<AuditedCase> cases;
  for (auto& [id, audited] : latest) {
    cases.push_back(std::move(audited));
  }
  return cases;
}

void judge_all(std::vector<AuditedCase>& cases, measuring::Judge& judge, measuring::Progress progress) {
  std::vector<AuditedCase*> timed;
  for (AuditedCase& audited : cases) {
    if (measuring::wants_sealed(config::Sealed::always, nullptr, audited.ordinary)) {
      timed.push_back(&audited);
    }
  }
  progress.session_started("sealed", timed.size());
  for (std::size_t i = 0; i < timed.size(); ++i) {
    model::CaseResult const& ordinary = timed[i]->ordinary;
    progress.case_started(ordinary.id, i, timed.size());
    timed[i]->objection = judge.objection_to(ordinary);
    timed[i]->sealed = judge.time(ordinary.id);
    progress.case_finished(ordinary, i, timed.size());
  }
  progress.session_finished();
}

}  // namespace

std::string_view to_text(Finding finding) {
  return std::ranges::find(kFindings, finding, &std::pair<Finding, std::string_view>::first)->second;
}

std::vector<std::string> finding_texts() {
  std::vector<std::string> texts;
  for (auto const& [finding, text] : kFindings) {
    texts.emplace_back(text);
  }
  return texts;
}

Finding AuditedCase::finding() const {
  if (!ordinary.unfit.empty()) {
    return Finding::unfit;
  }
  if (!sealed) {
    return Finding::no_time;
  }
  return objection.empty() ? Finding::agrees : Finding::objection;
}

model::ExitCode Audit::exit_code() const {
  model::ExitCode code = cases.empty() ? model::ExitCode::broken : model::ExitCode::ok;
  for (AuditedCase const& audited : cases) {
    switch (audited.finding()) {
      case Finding::agrees: break;
      case Finding::unfit: code = model::worse(code, model::ExitCode::undecided); break;
      case Finding::objection:
      case Finding::no_time: code = model::worse(code, model::ExitCode::broken); break;
    }
  }
  return code;
}

Audit make_audit(measuring::Options options, Context& context) {
  options.sealed = config::Sealed::always;
  measuring::Workbench const bench = measuring::set_up(options, context);
  measuring::Judge judge(options, bench, context);  // made first, so that a missing judge costs no measurement
  measuring::Measurement measurement(bench, options, context);
  auto [runnable, skipped] = parted(bench.plan);
  measurement.add_session(runnable, model::SessionPurpose::screen, "ordinary");
  std::vector<AuditedCase> cases = cases_of(measurement.run());
  judge_all(cases, judge, measuring::Progress(context.terminal, context.detail));
  return {.run = measurement.run(),
          .judge = judge.command().judge,
          .cases = std::move(cases),
          .skipped = std::move(skipped)};
}

}  // namespace perfcheck::auditing
