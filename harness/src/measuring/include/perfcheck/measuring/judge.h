// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the judge for sealed timing and keeps its answers.
#pragma once

#include "perfcheck/measuring/workbench.h"
#include "perfcheck/session/sealed_client.h"

#include <map>
#include <set>

namespace perfcheck::measuring {

/// The judge that --judge or [measure] names, else the one beside the worker. Throws UsageError for a worker that
/// cannot be timed sealed, because it is one for the CPU or needs arguments; CommandError if there is no such judge.
session::SealedCommand judge_for(Options const& options, Workbench const& bench);

/// Times each case only once, however often it is asked, and once more if an objection may be due to a disturbance.
class Judge {
 public:
  Judge(Options const& options, Workbench const& bench, Context& context)
      : command_(judge_for(options, bench)),
        timeout_s_(bench.backend().measure.case_timeout_s),
        interrupt_(context.interrupt) {}

  session::SealedCommand const& command() const { return command_; }
  /// Why the judge's time does not support the worker's; empty if it does. Throws session::Interrupted.
  std::string objection_to(model::CaseResult const& ordinary);
  /// The judge's latest result for a case, timed now if there is none yet. Throws session::Interrupted.
  model::SealedResult const& time(std::string const& case_id);

 private:
  session::SealedCommand command_;
  double timeout_s_;
  session::Interrupt const& interrupt_;
  std::map<std::string, model::SealedResult> timed_;
  std::set<std::string> timed_again_;
};

}  // namespace perfcheck::measuring
