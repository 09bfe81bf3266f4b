// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/exit_code.h"

#include "perfcheck/model/summary.h"

#include <algorithm>
#include <set>
#include <string>

namespace perfcheck::results {

model::ExitCode exit_code_of(model::Run const& run) {
  bool any_done = false;
  bool any_broken = false;
  std::set<std::string> unfit, fit;
  for (model::Session const& session : run.sessions) {
    for (model::CaseResult const& result : session.cases) {
      (result.unfit.empty() ? fit : unfit).insert(result.id);
      if (!result.unfit.empty()) {
        continue;
      }
      bool const verified = result.skip_reason == model::SkipReason::verify_only;
      bool const measured = result.status == model::CaseStatus::measured && model::summarize(result).has_value();
      any_done = any_done || measured || verified;
      any_broken = any_broken || !(measured || result.status == model::CaseStatus::skipped);
    }
  }
  bool const all_fit = std::ranges::includes(fit, unfit);
  if (any_broken || (!any_done && all_fit)) {
    return model::ExitCode::broken;
  }
  return all_fit ? model::ExitCode::ok : model::ExitCode::undecided;
}

}  // namespace perfcheck::results
