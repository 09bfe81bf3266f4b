// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs one session: a fresh worker measures a list of cases. A case that kills the worker loses only its own result.
#pragma once

#include "perfcheck/model/run.h"
#include "perfcheck/protocol/messages.h"
#include "perfcheck/session/worker_client.h"

#include <map>
#include <set>
#include <string>

namespace perfcheck::session {

struct SessionOptions {
  WorkerCommand worker;
  protocol::MeasureOptions measure;
  /// Percent to inject, by case id.
  std::map<std::string, double> inject_percent;
  /// Cases that need not be verified again (MeasureOptions::verified).
  std::set<std::string> verified;
  double case_timeout_s = 60;  ///< watchdog per case, verification included
  /// No case starts after this much time, counted from the start of the session. The remaining cases are recorded as
  /// failed with the reason "time budget used up": they were asked for and have no result, so a gate must not pass.
  double time_budget_s = 0;  ///< 0: none
  bool shuffle = true;       ///< measure in an order drawn from the seed; results are sorted by id all the same
  /// More lost workers than this, or two workers in a row that cannot be started, end the session: the remaining cases
  /// are `crashed`.
  int max_restarts = 20;
};

/// Progress of a session, for a person or a log.
class SessionObserver {
 public:
  virtual ~SessionObserver() = default;
  /// `index` counts the cases in the order they run, from 0; `count` leaves out the skipped ones.
  virtual void case_started(std::string const& /*id*/, std::size_t /*index*/, std::size_t /*count*/) {}
  virtual void case_phase(std::string const& /*id*/, std::string const& /*phase*/) {}
  virtual void case_finished(model::CaseResult const& /*result*/, std::size_t /*index*/, std::size_t /*count*/) {}
  virtual void worker_restarted(std::string const& /*why*/) {}
};

/// Measures `cases` and returns a session that holds one result per planned case, sorted by id; skipped cases are
/// copied with their reason. Cases are grouped by problem so that a worker can reuse a problem's reference results. The
/// caller sets id and purpose of the session. Throws WorkerRefused, WorkerLost or std::system_error only when no worker
/// can be started at all, Interrupted on a signal, std::invalid_argument for a case that is listed twice or a seed
/// above protocol::kMaxSeed.
model::Session run_session(std::vector<protocol::PlannedCase> const& cases, SessionOptions const& options,
                           Interrupt const* interrupt, SessionObserver& observer);

}  // namespace perfcheck::session
