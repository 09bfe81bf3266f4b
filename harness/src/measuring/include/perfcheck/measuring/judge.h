// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which judge times sealed, and its answers.
#pragma once

#include "perfcheck/measuring/workbench.h"
#include "perfcheck/session/sealed_client.h"

#include <map>
#include <set>

namespace perfcheck::measuring {

/// The judge that --judge or [measure] names, else the one beside the worker. Throws UsageError for a worker that
/// cannot be sealed: one of a CPU, or one that needs arguments; CommandError where there is no such judge.
session::SealedCommand judge_for(Options const& options, Workbench const& bench);

/// Times each case once, however often it is asked, and once more where an objection may be a disturbance's.
class Judge {
 public:
  Judge(Options const& options, Workbench const& bench, Context& context)
      : command_(judge_for(options, bench)),
        timeout_s_(bench.backend().measure.case_timeout_s),
        interrupt_(context.interrupt) {}

  session::SealedCommand const& command() const { return command_; }
  /// Empty where its time supports the worker's, else why not. Throws session::Interrupted.
  std::string objection_to(model::CaseResult const& ordinary);
  /// What it said last. Throws session::Interrupted.
  model::SealedResult const& time(std::string const& case_id);

 private:
  session::SealedCommand command_;
  double timeout_s_;
  session::Interrupt const& interrupt_;
  std::map<std::string, model::SealedResult> timed_;
  std::set<std::string> timed_again_;
};

}  // namespace perfcheck::measuring
