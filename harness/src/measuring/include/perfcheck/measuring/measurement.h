// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects sessions into a run.
#pragma once

#include "perfcheck/measuring/progress.h"
#include "perfcheck/measuring/sealing.h"
#include "perfcheck/measuring/workbench.h"

#include <chrono>
#include <set>
#include <string>

namespace perfcheck::measuring {

class Measurement {
 public:
  /// Reads the state of the source tree. Throws UsageError for injections that match nothing.
  Measurement(Workbench const& bench, Options const& options, Context& context);

  /// Continues a run that an earlier process began.
  void resume(model::Run begun) {
    earlier_seconds_ = begun.seconds;
    earlier_sessions_ = begun.sessions.size();
    run_ = std::move(begun);
  }
  /// From now on, the cases that `sealing` selects are timed sealed after each session; null: none.
  void seal_with(std::unique_ptr<Sealing> sealing) { sealing_ = std::move(sealing); }
  /// Runs one session of `cases` in a fresh worker and adds it to the run. Cases for which the machine was not fit are
  /// measured again, in sessions of their own, while the retry budget lasts.
  void add_session(std::vector<protocol::PlannedCase> const& cases, model::SessionPurpose purpose,
                   std::string const& label);
  /// Cases that a session of this process measured, and that the worker has therefore verified; none if the worker
  /// cannot skip verification.
  std::set<std::string> verified() const;
  /// Later sessions skip the verification of these cases.
  void skip_verification_of(std::set<std::string> cases) { session_options_.verified = std::move(cases); }
  /// Adds `count` sessions of the same cases.
  void add_sessions(std::vector<protocol::PlannedCase> const& cases, model::SessionPurpose purpose,
                    std::string const& label, int count);
  /// Marks a session's measured results of these cases as saying nothing about the code (CaseResult::unfit).
  void disown(std::string const& session_id, std::vector<std::string> const& cases, std::string const& reason);
  /// The run so far, with its duration.
  model::Run const& run();

 private:
  double seconds() const;
  void measure(std::vector<protocol::PlannedCase> const& cases, model::SessionPurpose purpose, std::string label);
  /// Completes a session that was just measured: marks results that do not count, and adds sealed times. Returns the
  /// ids of the cases for which the machine was not fit.
  std::vector<std::string> examine(model::Session& session, std::string const& label);

  Options const& options_;
  Context& context_;
  Progress progress_;
  FitMachine const machine_;
  std::unique_ptr<Sealing> sealing_;
  std::chrono::steady_clock::time_point const start_ = std::chrono::steady_clock::now();
  session::SessionOptions session_options_;
  model::Run run_;
  double earlier_seconds_ = 0;  ///< duration of the earlier processes
  std::size_t earlier_sessions_ = 0;
  bool skips_verification_;  ///< whether the worker can skip it
};

}  // namespace perfcheck::measuring
