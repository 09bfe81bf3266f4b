// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "mixed_code.h"

#include "finding_text.h"
#include "perfcheck/model/one_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace perfcheck::store {
namespace {

std::string environment_of(model::BaselineSession const& session) {
  return fmt::format("{}|{}|{}", session.driver, session.cuda_runtime, fmt::join(session.libraries, ","));
}

std::string environment_of(model::Baseline const& baseline, std::string const& id) {
  auto const found = std::find_if(baseline.sessions.begin(), baseline.sessions.end(),
                                  [&id](model::BaselineSession const& session) { return session.id == id; });
  return found == baseline.sessions.end() ? "" : environment_of(*found);
}

bool differ(std::string const& one, std::string const& other) { return !one.empty() && !other.empty() && one != other; }

std::string clause(std::vector<std::string> const& cases, std::size_t all, char const* what) {
  return cases.empty() ? ""
                       : fmt::format("{} of {} cases {} than the sessions they join ({})", cases.size(), all, what,
                                     cases.front());
}

}  // namespace

void MixedCode::see(model::Baseline const& baseline, model::BaselineCase const& entry,
                    model::CaseResult const& result) {
  model::BaselineSession const& session = baseline.sessions.back();
  Known const now{.machine_code = model::machine_code_of(result),
                  .launches = model::launch_hash_of(result),
                  .environment = environment_of(session)};
  Known stored;
  if (!entry.session.empty()) {
    stored = {.machine_code = entry.machine_code,
              .launches = entry.launches,
              .environment = environment_of(baseline, entry.session.back())};
  }
  Known& known = known_.try_emplace(result.id, stored).first->second;
  Differing& differing = differing_[session.id];
  ++differing.seen;
  bool const code_unknown = known.machine_code.empty() && now.machine_code.empty();
  if (differ(known.machine_code, now.machine_code)) {
    differing.code.push_back(result.id);
  } else if (differ(known.launches, now.launches) && !(code_unknown && known.environment != now.environment)) {
    differing.launches.push_back(result.id);
  } else {
    // Keep what is known but could not be read this time.
    known = {.machine_code = now.machine_code.empty() ? known.machine_code : now.machine_code,
             .launches = now.launches.empty() ? known.launches : now.launches,
             .environment = now.environment};
  }
}

std::vector<Finding> MixedCode::findings(model::Baseline const& baseline) const {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < baseline.sessions.size(); ++i) {
    model::BaselineSession const& session = baseline.sessions[i];
    auto const found = differing_.find(session.id);
    if (found == differing_.end() || (found->second.code.empty() && found->second.launches.empty())) {
      continue;
    }
    Differing const& differing = found->second;
    std::string const code = clause(differing.code, differing.seen, "have other machine code");
    std::string const launches = clause(differing.launches, differing.seen, "launched something else");
    std::vector<std::string> cases = differing.code;
    cases.insert(cases.end(), differing.launches.begin(), differing.launches.end());
    std::sort(cases.begin(), cases.end());
    std::array<std::size_t, 1> const this_one = {i};
    findings.push_back(
        {.kind = FindingKind::mixed_code,
         .sessions = {session.id},
         .cases = std::move(cases),
         .name = finding_name(FindingKind::mixed_code, session, ""),
         .text = model::one_line(fmt::format("{}: {}{}{}", sessions_text(baseline, this_one), code,
                                             code.empty() || launches.empty() ? "" : ", and ", launches))});
  }
  return findings;
}

}  // namespace perfcheck::store
