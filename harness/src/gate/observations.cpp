// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "gate/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::gate {

Observations observations_of(model::Run const& run) {
  if (run.sessions.empty()) {
    throw std::invalid_argument(fmt::format("run {} holds no session; measure again", run.id));
  }
  model::Session const& first = run.sessions.front();
  Observations observations;
  model::BaselineSession& measured_on = observations.measured_on;
  measured_on.id = first.id;
  measured_on.started = first.started;
  measured_on.device_uuid = first.device.uuid;
  measured_on.driver = first.environment.driver;
  measured_on.cuda_runtime = first.environment.cuda_runtime;
  measured_on.libraries = first.environment.libraries;
  measured_on.power_limit_w = first.environment.power_limit_w;
  measured_on.commit = run.source.commit;
  std::map<std::string, std::string> libraries;
  for (model::KernelEntry const& kernel : run.kernels) {
    libraries[kernel.id] = kernel.library;
  }
  std::map<std::string, Observation> cases;
  for (model::Session const& session : run.sessions) {
    if (session.device.uuid != first.device.uuid || session.device.slug != first.device.slug) {
      throw std::invalid_argument(
          fmt::format("run {} holds sessions of different devices, {} and {}; measure one device "
                      "per run",
                      run.id, first.device.name, session.device.name));
    }
    for (model::CaseResult const& result : session.cases) {
      Observation& seen = cases[result.id];
      seen.id = result.id;
      seen.library = libraries[model::split_case_id(result.id).kernel];
      seen.reference_library = libraries[model::split_case_id(result.reference).kernel];
      (session.purpose == model::SessionPurpose::confirm ? seen.confirm : seen.screen).push_back(&result);
    }
  }
  for (auto& [id, seen] : cases) {
    observations.cases.push_back(std::move(seen));
  }
  return observations;
}

model::Run with_confirmation(model::Run run) {
  bool const confirmed = std::any_of(run.sessions.begin(), run.sessions.end(), [](model::Session const& session) {
    return session.purpose == model::SessionPurpose::confirm;
  });
  if (!confirmed) {
    for (std::size_t i = 0; i < run.sessions.size(); ++i) {
      run.sessions[i].purpose = i == 0 ? model::SessionPurpose::screen : model::SessionPurpose::confirm;
    }
  }
  return run;
}

}  // namespace perfcheck::gate
