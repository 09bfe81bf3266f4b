// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "support/run_property.h"

#include "perfcheck/model/json.h"
#include "perfcheck/model/physics.h"
#include "support/property.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace perfcheck::fuzz {

void require_column(std::vector<double> const& values, std::size_t size, Column column) {
  require(values.size() == size || (column == Column::optional && values.empty()), "columns are of equal length");
  require(std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value) && value > 0; }),
          "values of columns are finite and greater than 0");
}

void require_usable(model::CaseResult const& result) {
  model::CaseName const name = model::split_case_id(result.id);
  require(!name.kernel.empty() && !name.problem.empty(), "a case id has a kernel and a problem");
  require(result.rounds.has_value() == (result.status == model::CaseStatus::measured),
          "measured cases have rounds, others none");
  require(std::isfinite(result.seconds) && result.seconds >= 0, "the seconds of a case are finite and not negative");
  if (result.proof) {
    model::Proof const& proof = *result.proof;
    require(result.rounds.has_value(), "only measured cases have proof");
    require(proof.compared >= 0 && proof.compared <= proof.replays && proof.outputs_compared >= proof.compared,
            "what was compared was replayed");
    require(std::isfinite(proof.clock_deviation) && proof.clock_deviation >= 0, "clocks deviate by a share");
  }
  if (!result.rounds) {
    return;
  }
  model::Rounds const& rounds = *result.rounds;
  require(rounds.launches > 0 && !rounds.time_ns.empty(), "a measured case has launches and a round at least");
  require_column(rounds.time_ns, rounds.time_ns.size(), Column::required);
  require_column(rounds.reference_time_ns, rounds.time_ns.size(), Column::optional);
  require_column(rounds.clock_mhz, rounds.time_ns.size(), Column::optional);
  require_column(rounds.reference_clock_mhz, rounds.time_ns.size(), Column::optional);
}

/// Whatever a file says of device and kernels, its times are believed or not.
void require_judged(model::CaseResult const& result, model::DeviceInfo const& device,
                    std::vector<model::KernelEntry> const& kernels) {
  model::KernelEntry const* const kernel = kernels.empty() ? nullptr : &kernels.front();
  auto const disbelief = model::implausible_time(result, device, kernel, nullptr);
  require(!disbelief || (result.rounds && !disbelief->message.empty()), "what is not believed has a reason");
}

void require_usable(model::Run const& run) {
  std::set<std::string> sessions;
  for (model::Session const& session : run.sessions) {
    require(sessions.insert(session.id).second, "ids of sessions are unique");
    require(session.device.slug == model::slug_of(session.device.slug), "a slug names a folder");
    std::set<std::string> cases;
    for (model::CaseResult const& result : session.cases) {
      require_usable(result);
      require_judged(result, session.device, run.kernels);
      require(cases.insert(result.id).second, "case ids of a session are unique");
    }
  }
  // The first writing rounds; from then on a file is what it was.
  std::string const text = model::run_to_text(run);
  require(model::run_to_text(model::run_from_text(text, "written")) == text, "a run file reads back as it was written");
}

}  // namespace perfcheck::fuzz
