// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "changed_code.h"

namespace perfcheck::calibrate {
namespace {

bool differ(std::string const& stored, std::string const& now) {
  return !stored.empty() && !now.empty() && stored != now;
}

/// Older versions recorded neither the arguments nor the graph and attributes of a launch. What work_of() makes of such
/// a recording differs from the hash of a newer baseline even if the work is the same, so it says nothing.
bool knows_work(model::CaseResult const& now) {
  return !now.launches.empty() && (!now.launches.front().graph.empty() || !now.launches.front().attributes.empty());
}

bool is_changed(model::BaselineCase const& stored, model::CaseResult const& now) {
  return differ(stored.machine_code, model::machine_code_of(now)) ||
         differ(stored.launches, model::launch_hash_of(now)) ||
         (knows_work(now) && model::work_differs(stored.work, model::work_of(now)));
}

}  // namespace

std::set<std::string> changed_code(model::Baseline const& baseline, model::Run const& run) {
  std::set<std::string> changed;
  for (model::Session const& session : run.sessions) {
    for (model::CaseResult const& now : session.cases) {
      auto const stored = baseline.cases.find(now.id);
      if (stored != baseline.cases.end() && is_changed(stored->second, now)) {
        changed.insert(now.id);
      }
    }
  }
  return changed;
}

}  // namespace perfcheck::calibrate
