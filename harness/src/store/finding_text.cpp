// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "finding_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfcheck::store {
namespace {

// Beyond these a line gets too long to read.
constexpr std::size_t kNamedSessions = 4;

}  // namespace

Origin origin_of(model::BaselineSession const& session) {
  std::size_t const slash = session.run_session.rfind('/');
  return slash == std::string::npos
             ? Origin{}
             : Origin{.run = session.run_session.substr(0, slash), .session = session.run_session.substr(slash + 1)};
}

std::string sessions_text(model::Baseline const& baseline, std::span<std::size_t const> sessions) {
  Origin const origin = origin_of(baseline.sessions[sessions.front()]);
  if (sessions.size() == 1) {
    std::string const& id = baseline.sessions[sessions.front()].id;
    return origin.run.empty() ? fmt::format("session {}", id)
                              : fmt::format("session {} of run {} ({})", origin.session, origin.run, id);
  }
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < std::min(sessions.size(), kNamedSessions); ++i) {
    ids.push_back(baseline.sessions[sessions[i]].id);
  }
  bool const one_run = !origin.run.empty() && std::all_of(sessions.begin(), sessions.end(), [&](std::size_t i) {
    return origin_of(baseline.sessions[i]).run == origin.run;
  });
  return fmt::format(
      "sessions {}{}{}", fmt::join(ids, ", "),
      sessions.size() > kNamedSessions ? fmt::format(" and {} more", sessions.size() - kNamedSessions) : "",
      one_run ? fmt::format(" (run {})", origin.run) : "");
}

std::string finding_name(FindingKind kind, model::BaselineSession const& session, std::string const& case_id) {
  std::string const& subject = session.run_session.empty() ? session.id : session.run_session;
  return fmt::format("{}:{}{}{}", to_text(kind), subject, case_id.empty() ? "" : ":", case_id);
}

}  // namespace perfcheck::store
