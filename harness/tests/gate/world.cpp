// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::gate::testing {
namespace {

std::string reference_of(std::string const& id, Session const& session) {
  return session.ratio > 0 ? "ref@" + model::split_case_id(id).problem : id;
}

model::CaseResult result_of(std::string const& id, Session const& session) {
  model::CaseResult result;
  result.id = id;
  result.reference = reference_of(id, session);
  result.status = model::CaseStatus::measured;
  result.launches.emplace_back().function = "f";
  model::Rounds rounds;
  rounds.launches = rounds.reference_launches = 1;
  for (double const wobble : {0.999, 1.0, 1.001}) {
    rounds.time_ns.push_back(session.time_ns * wobble);
    rounds.reference_time_ns.push_back(session.time_ns * wobble / (session.ratio > 0 ? session.ratio : 1));
    if (session.cycles > 0) {
      rounds.clock_mhz.push_back(session.cycles / session.time_ns * 1e3);
      rounds.reference_clock_mhz.push_back(rounds.clock_mhz.back());
    }
  }
  result.rounds = rounds;
  return result;
}

}  // namespace

std::vector<Session> sessions(std::vector<double> const& factors, Session const& base) {
  std::vector<Session> result;
  for (double const factor : factors) {
    result.push_back({.ratio = base.ratio * factor, .cycles = base.cycles * factor, .time_ns = base.time_ns * factor});
  }
  return result;
}

std::vector<Session> slower(std::vector<Session> sessions, double factor) {
  for (Session& session : sessions) {
    session = {.ratio = session.ratio * factor, .cycles = session.cycles * factor, .time_ns = session.time_ns * factor};
  }
  return sessions;
}

std::vector<double> quiet() { return {1.0, 1.001, 0.999, 1.0005, 0.9995}; }
std::vector<double> quiet_fresh() { return {1.0002, 0.9991, 1.0008, 0.9999}; }

World::World() {
  baseline.operation = "gemm";
  baseline.device_slug = "device";
  measured_on.device_uuid = kCard;
  measured_on.driver = "580.1";
  measured_on.libraries = {{kLibrary, "13.1"}};
}

World& World::stored(std::string const& id, std::vector<Session> const& sessions) {
  while (baseline.sessions.size() < sessions.size()) {
    model::BaselineSession session = measured_on;
    session.id = fmt::format("s{:02}", baseline.sessions.size() + 1);
    session.device_uuid = cards[std::min(baseline.sessions.size(), cards.size() - 1)];
    baseline.sessions.push_back(session);
  }
  model::BaselineCase entry;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    Session const& session = sessions[i];
    entry.reference = reference_of(id, session);
    entry.session.push_back(baseline.sessions[i].id);
    entry.time_ns.push_back(session.time_ns);
    entry.ratio.push_back(session.ratio > 0 ? session.ratio : 1);
    if (session.cycles > 0) {
      entry.cycles.push_back(session.cycles);
    }
  }
  entry.launches = model::launch_hash_of(result_of(id, sessions.front()));
  baseline.cases[id] = entry;
  return *this;
}

Observation& World::observation(std::string const& id) {
  Observation& seen = seen_[id];
  seen.id = id;
  seen.reference_library = kLibrary;
  return seen;
}

World& World::screened(std::string const& id, std::vector<Session> const& sessions) {
  for (Session const& session : sessions) {
    observation(id).screen.push_back(&results_.emplace_back(result_of(id, session)));
  }
  return *this;
}

World& World::confirmed(std::string const& id, std::vector<Session> const& sessions) {
  for (Session const& session : sessions) {
    observation(id).confirm.push_back(&results_.emplace_back(result_of(id, session)));
  }
  return *this;
}

World& World::saw(std::string const& id, model::CaseStatus status, std::string const& message) {
  model::CaseResult& result = results_.emplace_back();
  result.id = id;
  result.reference = id;
  result.status = status;
  result.message = message;
  observation(id).screen.push_back(&result);
  return *this;
}

model::CaseResult& World::result(std::string const& id, std::size_t index) {
  for (model::CaseResult& result : results_) {
    if (result.id == id && index-- == 0) {
      return result;
    }
  }
  throw std::out_of_range(id);
}

World& World::of_library(std::string const& id) {
  observation(id).library = kLibrary;
  return *this;
}

World& World::on(std::string const& id, std::string const& card) {
  cards_now_[id] = card;
  return *this;
}

namespace {

/// The index of the place with this card; adds a copy of the first place for a card that has none.
std::size_t place_of(std::vector<model::BaselineSession>& places, std::string const& card) {
  auto const known = std::ranges::find(places, card, &model::BaselineSession::device_uuid);
  std::size_t const index = static_cast<std::size_t>(known - places.begin());
  if (known == places.end()) {
    places.push_back(places.front());
    places.back().device_uuid = card;
  }
  return index;
}

}  // namespace

Decisions World::decide() const {
  Observations observations;
  observations.places = {measured_on};
  observations.confirm_base = confirm_base;
  observations.base_fastest = base_fastest;
  observations.look = look;
  for (auto const& [id, seen] : seen_) {
    observations.cases.push_back(seen);
    auto const card = cards_now_.find(id);
    observations.cases.back().place =
        place_of(observations.places, card == cards_now_.end() ? measured_on.device_uuid : card->second);
  }
  return gate::decide(has_baseline ? &baseline : nullptr, observations, scope, policy);
}

CaseDecision World::decide(std::string const& id) const {
  Decisions const decisions = decide();
  for (std::vector<CaseDecision> const* list : {&decisions.cases, &decisions.kernels}) {
    for (CaseDecision const& decision : *list) {
      if (decision.id == id) {
        return decision;
      }
    }
  }
  throw std::out_of_range(id);
}

}  // namespace perfcheck::gate::testing
