// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "packing.h"

#include "perfcheck/codec/deflate.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/json_members.h"
#include "rounds_codec.h"

#include <nlohmann/json.hpp>

#include <map>

namespace perfcheck::history {
namespace {

using nlohmann::json;

// Ten times the size of a session with 10,000 cases and all their checks.
constexpr std::size_t kLargestPart = std::size_t{1} << 28;

std::string compressed(json const& value) { return codec::deflate(model::one_line_text(value)); }

json expanded(std::string_view part, std::string const& origin) {
  try {
    return model::parse_strict(codec::inflate(part, kLargestPart), origin);
  } catch (codec::DecodeError const& error) {
    throw codec::DecodeError(origin + ": " + error.what());
  }
}

/// Rounds in the form that they have in a run file.
json rounds_json(model::Rounds rounds) {
  model::CaseResult carrier;
  carrier.rounds = std::move(rounds);
  return model::to_json(carrier).at("rounds");
}

/// Requires at least one session: no run without one is added, and readers of a history access the first one unchecked.
model::Run with_sessions(model::Run run, std::string const& origin) {
  if (run.sessions.empty()) {
    throw codec::DecodeError(origin + ": holds no session");
  }
  return run;
}

json head_json(model::Run const& run) {
  model::Run head = run;
  for (model::Session& session : head.sessions) {
    session.cases.clear();
  }
  return model::to_json(head);
}

}  // namespace

PackedRun pack(model::Run const& run) {
  PackedRun packed;
  packed.head = compressed(head_json(run));
  for (std::size_t i = 0; i < run.sessions.size(); ++i) {
    json cases = json::array();
    for (model::CaseResult const& result : run.sessions[i].cases) {
      json one = model::to_json(result);
      one.erase("rounds");
      cases.push_back(std::move(one));
      if (result.rounds) {
        packed.rounds.push_back({.case_id = result.id, .session = i, .bytes = pack(*result.rounds)});
      }
    }
    packed.sessions.push_back(compressed(cases));
  }
  return packed;
}

model::Run unpack(PackedRun const& packed, std::string const& origin) {
  json run = expanded(packed.head, origin);
  std::map<std::pair<std::size_t, std::string>, std::string_view> rounds;
  for (PackedRounds const& one : packed.rounds) {
    rounds[{one.session, one.case_id}] = one.bytes;
  }
  json& sessions = run.at("sessions");
  if (sessions.size() != packed.sessions.size()) {
    throw codec::DecodeError(origin + ": a session of the run is missing");
  }
  for (std::size_t i = 0; i < packed.sessions.size(); ++i) {
    json cases = expanded(packed.sessions[i], origin);
    for (json& one : cases) {
      auto const found = rounds.find({i, one.at("id").get<std::string>()});
      if (found != rounds.end()) {
        one["rounds"] = rounds_json(unpack_rounds(found->second));
      }
    }
    sessions[i]["cases"] = std::move(cases);
  }
  return with_sessions(model::run_from_text(run.dump(), origin), origin);
}

model::Run unpack_head(std::string_view head, std::string const& origin) {
  return with_sessions(model::run_from_text(expanded(head, origin).dump(), origin), origin);
}

}  // namespace perfcheck::history
