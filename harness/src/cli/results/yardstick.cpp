// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "results/yardstick.h"

#include "measuring/clock.h"
#include "perfcheck/model/summary.h"
#include "perfcheck/store/store.h"

#include <algorithm>

namespace perfcheck::cli {

std::optional<model::Baseline> baseline_of(model::Run run, std::string const& why) {
  for (model::Session& session : run.sessions) {
    std::erase_if(session.cases,
                  [](model::CaseResult const& result) { return !result.unfit.empty() || !model::summarize(result); });
    for (model::CaseResult& result : session.cases) {
      result.injected_percent = 0;
    }
  }
  std::erase_if(run.sessions, [](model::Session const& session) { return session.cases.empty(); });
  run.injected.clear();
  if (run.sessions.empty()) {
    return std::nullopt;
  }
  store::AcceptOptions const accept{
      .who = "compare", .when = utc_now(), .why = why, .replace = false, .allow_dirty = true};
  return store::accept(std::nullopt, {run}, accept);
}

}  // namespace perfcheck::cli
