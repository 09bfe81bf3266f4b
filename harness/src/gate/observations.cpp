// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/gate/fitness.h"
#include "perfcheck/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::gate {
namespace {

model::BaselineSession place_of(model::Session const& session, std::string const& commit) {
  model::BaselineSession place;
  place.id = session.id;
  place.started = session.started;
  place.device_uuid = session.device.uuid;
  place.driver = session.environment.driver;
  place.cuda_runtime = session.environment.cuda_runtime;
  place.libraries = session.environment.libraries;
  place.power_limit_w = session.environment.power_limit_w;
  place.timing = session.environment.timing;
  place.commit = commit;
  return place;
}

/// Requires that a run's sessions on one card were timed in the same way and with the same software, so that the
/// environment of one of them stands for all.
void require_same(model::Run const& run, model::BaselineSession const& known, model::BaselineSession const& other) {
  auto const require = [&](bool same, char const* what) {
    if (!same) {
      throw std::invalid_argument(
          fmt::format("run {}: sessions {} and {} differ in {}; measure again", run.id, known.id, other.id, what));
    }
  };
  require(known.timing == other.timing, "how they were timed (timing)");
  require(known.driver == other.driver, "the driver");
  require(known.libraries == other.libraries, "versions of libraries");
}

/// Index of the place (card) where a session ran; adds the place if it is new.
std::size_t place_index(std::vector<model::BaselineSession>& places, model::Session const& session,
                        model::Run const& run) {
  model::BaselineSession place = place_of(session, run.source.commit);
  auto const known = std::ranges::find(places, session.device.uuid, &model::BaselineSession::device_uuid);
  if (known != places.end()) {
    require_same(run, *known, place);
    return static_cast<std::size_t>(known - places.begin());
  }
  places.push_back(std::move(place));
  return places.size() - 1;
}

[[noreturn]] void fail_devices(model::Run const& run, std::string const& what) {
  throw std::invalid_argument(fmt::format("run {} holds {}; measure one device per run", run.id, what));
}

}  // namespace

Observations observations_of(model::Run const& run) {
  if (run.sessions.empty()) {
    throw std::invalid_argument(fmt::format("run {} holds no session; measure again", run.id));
  }
  model::Session const& first = run.sessions.front();
  Observations observations;
  std::map<std::string, std::string> libraries;
  for (model::KernelEntry const& kernel : run.kernels) {
    libraries[kernel.id] = kernel.library;
  }
  std::map<std::string, Observation> cases;
  for (model::Session const& session : run.sessions) {
    if (session.device.slug != first.device.slug) {
      fail_devices(run,
                   fmt::format("sessions of different devices, {} and {}", first.device.name, session.device.name));
    }
    if (session.cases.empty()) {
      continue;
    }
    std::size_t const place = place_index(observations.places, session, run);
    for (model::CaseResult const& result : session.cases) {
      Observation& seen = cases[result.id];
      if (!seen.id.empty() && seen.place != place) {
        fail_devices(run, fmt::format("results of {} from different cards, {} and {}", result.id,
                                      observations.places[seen.place].device_uuid, session.device.uuid));
      }
      seen.id = result.id;
      seen.place = place;
      seen.library = libraries[model::split_case_id(result.id).kernel];
      seen.reference_library = libraries[model::split_case_id(result.reference).kernel];
      if (std::vector<std::string> unfit = believed_unfit(result); !unfit.empty()) {
        seen.unfit = std::move(unfit);
        ++seen.unfit_results;
        continue;
      }
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
  bool const merged = run.shard && run.shard->index == 0;
  if (!confirmed && !merged) {
    for (std::size_t i = 0; i < run.sessions.size(); ++i) {
      run.sessions[i].purpose = i == 0 ? model::SessionPurpose::screen : model::SessionPurpose::confirm;
    }
  }
  return run;
}

}  // namespace perfcheck::gate
