// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What it takes to become part of a baseline.
#include "perfcheck/store/store.h"

#include "mixed_code.h"
#include "perfcheck/model/summary.h"
#include "refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <set>

namespace perfcheck::store {
namespace {

using model::Baseline;
using model::BaselineCase;
using model::CaseResult;
using model::CaseStatus;
using model::Run;
using model::Session;

[[noreturn]] void reject(Run const& run, std::string const& problem) {
  throw std::invalid_argument(fmt::format("run {} cannot become part of the baseline: {}", run.id, problem));
}

std::string key_of(Run const& run, Session const& session) { return run.id + "/" + session.id; }

std::string commit_of(Run const& run) { return run.source.commit + (run.source.dirty ? "-dirty" : ""); }

void require_acceptable(Run const& run, Session const& session, CaseResult const& result) {
  if (result.injected_percent != 0) {
    reject(run, fmt::format("{} was slowed down on purpose; record it again without --inject-slowdown", result.id));
  }
  if (result.status == CaseStatus::skipped) {
    return;
  }
  if (result.status != CaseStatus::measured) {
    reject(run, fmt::format("{} is {} in session {}; mend it, or leave it out with --filter, and record again",
                            result.id, to_text(result.status), session.id));
  }
  std::string why;
  if (!model::summarize(result, &why)) {
    reject(run, fmt::format("{} is invalid in session {} ({}); record again", result.id, session.id, why));
  }
}

void require_acceptable(Run const& run, Baseline const& base, bool allow_dirty) {
  if (run.worker.operation != base.operation) {
    reject(run, fmt::format("it measured {}, but the baseline is of {}; accept it into that operation's baseline",
                            run.worker.operation, base.operation));
  }
  if (!run.injected.empty()) {
    reject(run, "it was slowed down on purpose; record again without --inject-slowdown");
  }
  if (run.source.dirty && !allow_dirty) {
    reject(run, "the source tree held uncommitted changes; commit them and record again, or give --allow-dirty");
  }
  if (run.sessions.empty()) {
    reject(run, "it has no sessions; record again");
  }
  for (Session const& session : run.sessions) {
    if (session.device.slug != base.device_slug) {
      reject(run, fmt::format("session {} ran on {}, but the baseline is of {}; accept it into that device's baseline",
                              session.id, session.device.slug, base.device_slug));
    }
    bool measured = false;
    for (CaseResult const& result : session.cases) {
      require_acceptable(run, session, result);
      measured = measured || result.status == CaseStatus::measured;
    }
    if (!measured) {
      reject(run, fmt::format("session {} measured nothing, every case was skipped; choose other cases (`perfcheck "
                              "list` says why each was skipped) and record again",
                              session.id));
    }
    std::string const key = key_of(run, session);
    auto const same = std::find_if(base.sessions.begin(), base.sessions.end(),
                                   [&key](model::BaselineSession const& known) { return known.run_session == key; });
    if (same != base.sessions.end()) {
      // Counted twice, one session would look like two that agree perfectly.
      reject(run,
             fmt::format("its session {} is in the baseline already, as {}; leave the run out", session.id, same->id));
    }
  }
}

/// Requires one reference per case in everything that is accepted together; otherwise the order of the runs would
/// decide which sessions survive.
void require_one_reference(std::vector<Run> const& runs) {
  std::map<std::string, std::string> references;
  for (Run const& run : runs) {
    for (Session const& session : run.sessions) {
      for (CaseResult const& result : session.cases) {
        if (result.status != CaseStatus::measured) {
          continue;
        }
        std::string const& known = references.emplace(result.id, result.reference).first->second;
        if (known != result.reference) {
          reject(run, fmt::format("{} was measured against {} here, but against {} in another session; accept runs of "
                                  "one build together",
                                  result.id, result.reference, known));
        }
      }
    }
  }
}

Baseline started_from(Run const& run) {
  Baseline base;
  base.operation = run.worker.operation;
  if (!run.sessions.empty()) {
    base.device_slug = run.sessions.front().device.slug;
    base.device_name = run.sessions.front().device.name;
  }
  return base;
}

/// Number of a session id made here ("s07" -> 7), 0 for others.
int number_of(std::string const& id) {
  int number = 0;
  char const* const end = id.data() + id.size();
  bool const ours = id.starts_with('s') && std::from_chars(id.data() + 1, end, number).ptr == end;
  return ours ? number : 0;
}

/// Number of the first of `count` new session ids. The log of acceptances still names dropped sessions, so their ids
/// are not used again.
int next_session_number(Baseline const& base, std::size_t count) {
  int largest = 0;
  for (model::BaselineSession const& session : base.sessions) {
    largest = std::max(largest, number_of(session.id));
  }
  for (model::Acceptance const& acceptance : base.accepted) {
    for (std::string const& id : acceptance.sessions) {
      largest = std::max(largest, number_of(id));
    }
  }
  // Nobody has measured this many sessions; somebody has written such an id into the file.
  if (count > static_cast<std::size_t>(INT_MAX - largest)) {
    throw std::invalid_argument(fmt::format(
        "the baseline of {} on {} has a session s{:02}, behind which there are no {} more ids; was the file "
        "edited? Restore it from version control",
        base.operation, base.device_slug, largest, count));
  }
  return largest + 1;
}

model::BaselineSession session_record(Run const& run, Session const& session, int64_t number) {
  return {.id = fmt::format("s{:02}", number),
          .started = session.started,
          .device_uuid = session.device.uuid,
          .driver = session.environment.driver,
          .cuda_runtime = session.environment.cuda_runtime,
          .libraries = session.environment.libraries,
          .power_limit_w = session.environment.power_limit_w,
          .timing = session.environment.timing,
          .commit = commit_of(run),
          .suite = run.suite,
          .run_session = key_of(run, session)};
}

/// What the device drew around a case; a 0 from NVML means a sensor without a reading.
std::optional<double> power_of(CaseResult const& result) {
  bool const known = result.state && result.state->power_w && std::isfinite(*result.state->power_w);
  return known && *result.state->power_w > 0 ? result.state->power_w : std::nullopt;
}

/// Adds one more session's value to a column that is kept only as long as every session has one.
void extend(std::vector<double>& column, std::size_t sessions, std::optional<double> value) {
  if (value && column.size() == sessions) {
    column.push_back(*value);
  } else {
    column.clear();
  }
}

/// Adds one session's numbers to a case whose earlier sessions were measured against the same reference.
void append(Run const& run, std::string const& session_id, CaseResult const& result, BaselineCase& entry) {
  model::SessionSummary const summary = model::summarize(result).value();
  std::string const machine_code = model::machine_code_of(result), launches = model::launch_hash_of(result);
  std::string const work = model::work_of(result);
  if (entry.session.empty()) {
    entry.reference = result.reference;
    entry.machine_code = machine_code;
    entry.launches = launches;
    entry.work = work;
  } else {
    if (summary.cycles.has_value() == entry.cycles.empty()) {
      reject(run, fmt::format("{} was measured {} the device's clock, unlike the sessions it joins; record again in "
                              "the same way, or start anew with --replace",
                              result.id, summary.cycles ? "with" : "without"));
    }
    if (entry.machine_code != machine_code) {
      entry.machine_code.clear();
    }
    if (entry.launches != launches) {
      entry.launches.clear();
    }
    if (entry.work != work) {
      entry.work.clear();
    }
  }
  extend(entry.clock_mhz, entry.session.size(), summary.clock_mhz);
  extend(entry.power_w, entry.session.size(), power_of(result));
  extend(entry.tail, entry.session.size(), summary.tail);
  entry.launched = result.launches;
  entry.input_policy = model::InputPolicy{
      .arithmetic = result.arithmetic, .work = result.work, .replay_launches = result.rounds->launches};
  entry.session.push_back(session_id);
  entry.time_ns.push_back(summary.time_ns);
  entry.ratio.push_back(summary.ratio.value_or(1.0));
  if (summary.cycles) {
    entry.cycles.push_back(*summary.cycles);
  }
}

/// Ids of all measured cases of the runs, with their reference.
std::map<std::string, std::string> measured_cases(std::vector<Run> const& runs) {
  std::map<std::string, std::string> cases;
  for (Run const& run : runs) {
    for (Session const& session : run.sessions) {
      for (CaseResult const& result : session.cases) {
        if (result.status == CaseStatus::measured) {
          cases[result.id] = result.reference;
        }
      }
    }
  }
  return cases;
}

void drop_unused_sessions(Baseline& base) {
  std::set<std::string> used;
  for (auto const& [id, entry] : base.cases) {
    used.insert(entry.session.begin(), entry.session.end());
  }
  std::erase_if(base.sessions, [&used](model::BaselineSession const& session) { return !used.contains(session.id); });
}

/// The runs without what was measured while the machine was not fit for it. Sessions that held nothing else go, too.
std::vector<Run> of_fit_machines(std::vector<Run> runs) {
  for (Run& run : runs) {
    std::size_t left_out = 0;
    for (Session& session : run.sessions) {
      left_out += std::erase_if(session.cases, [](CaseResult const& result) { return !result.unfit.empty(); });
    }
    if (left_out == 0) {
      continue;
    }
    std::erase_if(run.sessions, [](Session const& session) { return session.cases.empty(); });
    if (run.sessions.empty()) {
      reject(run, "nothing in it was measured on a fit machine; see perfcheck doctor, and record it again");
    }
  }
  return runs;
}

/// Requires that every session is given once and everything in it is acceptable. Returns the number of sessions.
std::size_t require_all_acceptable(std::vector<Run> const& runs, Baseline const& base, bool allow_dirty) {
  std::set<std::string> seen;
  for (Run const& run : runs) {
    require_acceptable(run, base, allow_dirty);
    for (Session const& session : run.sessions) {
      if (!seen.insert(key_of(run, session)).second) {
        reject(run, "it is given twice; leave one out");
      }
    }
  }
  require_one_reference(runs);
  return seen.size();
}

/// Drops cases that start anew: all measured ones with `replace`, else those whose reference changed.
void forget_replaced(Baseline& base, std::map<std::string, std::string> const& measured, bool replace) {
  for (auto const& [id, reference] : measured) {
    auto const known = base.cases.find(id);
    if (known != base.cases.end() && (replace || known->second.reference != reference)) {
      base.cases.erase(known);
    }
  }
}

}  // namespace

Baseline accept(std::optional<Baseline> base, std::vector<Run> const& given, AcceptOptions const& options) {
  if (given.empty()) {
    throw std::invalid_argument("there is no run to accept; record one with: perfcheck run");
  }
  std::vector<Run> const runs = of_fit_machines(given);
  if (options.who.empty() || options.when.empty() || options.why.empty()) {
    throw std::invalid_argument("a baseline records who moved it, when and why; give all three");
  }
  Baseline result = base ? std::move(*base) : started_from(runs.front());
  std::size_t const sessions = require_all_acceptable(runs, result, options.allow_dirty);
  std::map<std::string, std::string> const measured = measured_cases(runs);
  forget_replaced(result, measured, options.replace);
  model::Acceptance acceptance{.who = options.who,
                               .when = options.when,
                               .commit = {},
                               .why = options.why,
                               .sessions = {},
                               .cases = static_cast<int>(measured.size())};
  int64_t number = next_session_number(result, sessions);
  std::set<std::string> commits;
  MixedCode mixed_code;
  for (Run const& run : runs) {
    commits.insert(commit_of(run));
    for (Session const& session : run.sessions) {
      result.sessions.push_back(session_record(run, session, number++));
      acceptance.sessions.push_back(result.sessions.back().id);
      for (CaseResult const& measurement : session.cases) {
        if (measurement.status == CaseStatus::measured) {
          BaselineCase& entry = result.cases[measurement.id];
          mixed_code.see(result, entry, measurement);
          append(run, result.sessions.back().id, measurement, entry);
        }
      }
    }
  }
  drop_unused_sessions(result);
  acceptance.commit = fmt::format("{}", fmt::join(commits, ", "));
  result.accepted.push_back(std::move(acceptance));
  result.has_digest = true;
  if (options.audit) {
    refuse_what_is_odd(result, mixed_code.findings(result), options);
  }
  return result;
}

}  // namespace perfcheck::store
