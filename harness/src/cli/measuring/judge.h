// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which judge times sealed, and its answers.
#pragma once

#include "measuring/workbench.h"
#include "perfcheck/session/sealed_client.h"

#include <map>

namespace perfcheck::cli {

/// The judge that --judge or [measure] names, else the one beside the worker. Throws UsageError for a worker that
/// cannot be sealed: one of a CPU, or one that needs arguments; CommandError where there is no such judge.
session::SealedCommand judge_for(Options const& options, Workbench const& bench);

/// Times each case once, however often it is asked.
class Judge {
 public:
  Judge(Options const& options, Workbench const& bench, Context& context)
      : command_(judge_for(options, bench)),
        timeout_s_(bench.backend().measure.case_timeout_s),
        interrupt_(context.interrupt) {}

  session::SealedCommand const& command() const { return command_; }
  /// Throws session::Interrupted.
  model::SealedResult const& time(std::string const& case_id);

 private:
  session::SealedCommand command_;
  double timeout_s_;
  session::Interrupt const& interrupt_;
  std::map<std::string, model::SealedResult> timed_;
};

}  // namespace perfcheck::cli
