// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/as_baseline.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/model/summary.h"
#include "perfcheck/store/store.h"

#include <algorithm>

namespace perfcheck::results {
namespace {

/// Keeps the cases that have usable times, as if no slowdown had been injected.
void keep_measured(model::Run& run) {
  for (model::Session& session : run.sessions) {
    std::erase_if(session.cases,
                  [](model::CaseResult const& result) { return !result.unfit.empty() || !model::summarize(result); });
    for (model::CaseResult& result : session.cases) {
      result.injected_percent = 0;
    }
  }
  std::erase_if(run.sessions, [](model::Session const& session) { return session.cases.empty(); });
  run.injected.clear();
}

}  // namespace

std::optional<model::Baseline> baseline_of(model::Run run, std::string const& why) {
  return baseline_of(std::vector{std::move(run)}, why);
}

std::optional<model::Baseline> baseline_of(model::Run run, model::SessionPurpose purpose, std::string const& why) {
  std::erase_if(run.sessions, [&](model::Session const& session) { return session.purpose != purpose; });
  return baseline_of(std::move(run), why);
}

std::optional<model::Baseline> baseline_of(std::vector<model::Run> runs, std::string const& why) {
  for (model::Run& run : runs) {
    keep_measured(run);
  }
  std::erase_if(runs, [](model::Run const& run) { return run.sessions.empty(); });
  if (runs.empty()) {
    return std::nullopt;
  }
  store::AcceptOptions const accept{.who = "compare",
                                    .when = clock::utc_now(),
                                    .why = why,
                                    .replace = false,
                                    .allow_dirty = true,
                                    .audit = std::nullopt};
  return store::accept(std::nullopt, runs, accept);
}

}  // namespace perfcheck::results
