// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "edit_run.h"

#include "perfcheck/gate/glob.h"
#include "perfcheck/model/json.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfcheck::adversarial {
namespace {

void scale(std::vector<double>& values, double factor) {
  for (double& value : values) {
    value *= factor;
  }
}

/// Is round i (from 0) one of those that make up an evenly spread share of all rounds?
bool is_one_of(std::size_t i, double share) {
  double const before = static_cast<double>(i) * share;
  return std::floor(before + share) > std::floor(before);
}

}  // namespace

void each_result(model::Session& session, std::string const& pattern, EditResult const& edit) {
  for (model::CaseResult& result : session.cases) {
    if (gate::glob_matches_case(pattern, result.id)) {
      edit(result);
    }
  }
}

void each_result(model::Run& run, std::string const& pattern, EditResult const& edit) {
  for (auto* sessions : {&run.sessions, &run.base_sessions}) {
    for (model::Session& session : *sessions) {
      each_result(session, pattern, edit);
    }
  }
}

void slow(model::Session& session, std::string const& pattern, double factor) {
  each_result(session, pattern, [&](model::CaseResult& result) { scale(result.rounds->time_ns, factor); });
}

void slow(model::Run& run, std::string const& pattern, double factor) {
  each_result(run, pattern, [&](model::CaseResult& result) { scale(result.rounds->time_ns, factor); });
}

void slow_reference(model::Run& run, std::string const& pattern, double factor) {
  each_result(run, pattern, [&](model::CaseResult& result) { scale(result.rounds->reference_time_ns, factor); });
}

void slow_share(model::Session& session, std::string const& pattern, double share, double factor) {
  each_result(session, pattern, [&](model::CaseResult& result) {
    for (std::size_t i = 0; i < result.rounds->time_ns.size(); ++i) {
      result.rounds->time_ns[i] *= is_one_of(i, share) ? factor : 1;
    }
  });
}

void clock(model::Run& run, std::string const& pattern, double factor) {
  each_result(run, pattern, [&](model::CaseResult& result) { scale(result.rounds->clock_mhz, factor); });
}

void take(model::Session& session, std::string const& pattern) {
  std::erase_if(session.cases,
                [&](model::CaseResult const& result) { return gate::glob_matches_case(pattern, result.id); });
}

void take(model::Run& run, std::string const& pattern) {
  for (auto* sessions : {&run.sessions, &run.base_sessions}) {
    for (model::Session& session : *sessions) {
      take(session, pattern);
    }
  }
}

model::Run as_ab(model::Run head, model::Run base) {
  std::size_t const sessions = std::min(head.sessions.size(), base.sessions.size());
  head.sessions.resize(sessions);
  base.sessions.resize(sessions);
  for (std::size_t i = 0; i < sessions; ++i) {
    model::SessionPurpose const purpose = i < 2 ? model::SessionPurpose::screen : model::SessionPurpose::confirm;
    head.sessions[i].purpose = base.sessions[i].purpose = purpose;
  }
  head.base_sessions = std::move(base.sessions);
  return head;
}

void rename(model::Run& run, std::string const& id) { run.id = id; }

void move_to_card(model::Run& run, std::string const& uuid) {
  for (auto* sessions : {&run.sessions, &run.base_sessions}) {
    for (model::Session& session : *sessions) {
      session.device.uuid = uuid;
    }
  }
}

void start_on(model::Run& run, std::string const& day) {
  auto const moved = [&](std::string const& when) { return day + when.substr(day.size()); };
  run.started = moved(run.started);
  for (model::Session& session : run.sessions) {
    session.started = moved(session.started);
  }
}

std::string with_value(model::Run run, std::string const& pattern, std::size_t period, std::string const& value) {
  constexpr double kMark = 987654;  // no recorded round of these cases has this time
  std::string const mark = "987654";
  each_result(run, pattern, [&](model::CaseResult& result) {
    for (std::size_t i = 0; i < result.rounds->time_ns.size(); i += period) {
      result.rounds->time_ns[i] = kMark;
    }
  });
  std::string text = model::run_to_text(run);
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size())) {
    text.replace(at, mark.size(), value);
  }
  return text;
}

void scale_stored(nlohmann::json& baseline, std::string const& case_id, double factor, int only) {
  nlohmann::json& stored = baseline.at("cases").at(case_id);
  for (char const* column : {"time_ns", "ratio", "cycles"}) {
    int index = 0;
    for (nlohmann::json& value : stored.at(column)) {
      if (only < 0 || index == only) {
        value = value.get<double>() * factor;
      }
      ++index;
    }
  }
}

}  // namespace perfcheck::adversarial
