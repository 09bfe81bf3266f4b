// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/recording.h"

#include "perfcheck/baselines/stored.h"
#include "perfcheck/clock/clock.h"
#include "perfcheck/git/source_info.h"
#include "perfcheck/results/exit_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace perfcheck::measuring {
namespace {

using model::SessionPurpose;
using Cases = std::vector<protocol::PlannedCase>;

/// An outlying session: the cases in which it is off, and the text of the findings.
struct Off {
  std::vector<std::string> cases;
  std::string text;
};

/// The outlying sessions, by id within the run. Empty if there are other findings too, because replacing sessions would
/// not help then.
std::map<std::string, Off> off_sessions(store::Refused const& refused, Cases const& cases) {
  std::map<std::string, Off> off;
  for (store::Finding const& finding : refused.findings()) {
    bool const alone = finding.kind == store::FindingKind::outlier || finding.kind == store::FindingKind::session;
    if (!alone) {
      return {};
    }
    std::string const& origin = refused.run_sessions().at(finding.sessions.front());
    Off& session = off[origin.substr(origin.rfind('/') + 1)];
    if (finding.kind == store::FindingKind::session) {
      // Whatever slowed many of its cases down affected the others too, only less.
      std::ranges::transform(cases, std::back_inserter(session.cases), &protocol::PlannedCase::id);
    } else {
      session.cases.insert(session.cases.end(), finding.cases.begin(), finding.cases.end());
    }
    session.text = session.text.empty() ? finding.text : session.text + "; " + finding.text;
  }
  return off;
}

Cases those_of(Cases const& cases, std::vector<std::string> const& ids) {
  Cases chosen;
  std::ranges::copy_if(cases, std::back_inserter(chosen), [&ids](protocol::PlannedCase const& one) {
    return std::ranges::find(ids, one.id) != ids.end();
  });
  return chosen;
}

/// The run without sessions for other purposes.
model::Run recorded_sessions_of(model::Run run) {
  std::erase_if(run.sessions,
                [](model::Session const& session) { return session.purpose != SessionPurpose::baseline; });
  return run;
}

}  // namespace

std::vector<model::Baseline> Recording::accept(model::Run const& recording) {
  std::string const who = git::current_user(bench_.config.file.parent_path(), &context_.interrupt);
  auto const stored = [this](std::string const& operation) {
    return baselines::renamed(baselines::trusted_baseline(bench_.baselines, bench_.device().slug, operation),
                              bench_.config.names.renamed, bench_.baselines);
  };
  return store::accept_each(stored, {recording},
                            {.who = who.empty() ? "unknown" : who,
                             .when = clock::utc_now(),
                             .why = "recorded by perfcheck check --record-missing-baseline",
                             .replace = false,
                             .allow_dirty = true,
                             .audit = baselines::audit_policy(bench_.backend().policy)});
}

bool Recording::make_up_for(store::Refused const& refused, Cases const& cases, std::string const& label) {
  std::map<std::string, Off> const off = off_sessions(refused, cases);
  if (off.empty() || static_cast<int>(off.size()) > again_) {
    return false;
  }
  again_ -= static_cast<int>(off.size());
  for (auto const& [session, what] : off) {
    context_.terminal.message(fmt::format("{}; something disturbed it, so it is measured again", what.text));
    measurement_.disown(session, what.cases, fmt::format("disturbed: {}", what.text));
    measurement_.add_session(those_of(cases, what.cases), SessionPurpose::baseline, label + ", again");
  }
  return true;
}

std::vector<model::Baseline> Recording::record(Cases const& cases, std::string const& label, int count) {
  again_ = count / 2;
  measurement_.add_sessions(cases, SessionPurpose::baseline, label, count);
  while (true) {
    model::Run const recording = recorded_sessions_of(measurement_.run());
    if (results::exit_code_of(recording) != model::ExitCode::ok) {
      context_.terminal.message("nothing is recorded: a baseline needs every case to be right; see below");
      return {};
    }
    try {
      return accept(recording);
    } catch (store::Refused const& refused) {
      if (make_up_for(refused, cases, label)) {
        continue;
      }
      for (store::Finding const& finding : refused.findings()) {
        context_.terminal.message(
            fmt::format("nothing is recorded: {}; measure again on a machine at rest, or into a "
                        "file (--out), for baseline accept",
                        finding.text));
      }
      return {};
    }
  }
}

}  // namespace perfcheck::measuring
