// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Times cases sealed that were measured, and lets none stand that the judge does not support.
#pragma once

#include "perfcheck/measuring/judge.h"
#include "perfcheck/measuring/progress.h"

#include <functional>
#include <memory>

namespace perfcheck::measuring {

/// Is this result one to be timed sealed? Only measured ones that count are. Null: there is no baseline.
bool wants_sealed(config::Sealed when, model::Baseline const* baseline, model::CaseResult const& result);

class Sealing {
 public:
  /// `baseline` must outlive this object; null: there is none, so that every case is new.
  Sealing(config::Sealed when, Judge judge, model::Baseline const* baseline)
      : when_(when), judge_(std::move(judge)), baseline_(baseline) {}

  /// Has the judge time the session's cases that it concerns. One that it objects to becomes invalid, and one that
  /// `out_of_time` leaves no time for. Throws session::Interrupted.
  void apply(model::Session& session, std::string const& label, Progress& progress,
             std::function<bool()> const& out_of_time);

 private:
  config::Sealed when_;
  Judge judge_;
  model::Baseline const* baseline_;
};

/// As --sealed or [measure] ask for it; null: not at all. Throws as judge_for().
std::unique_ptr<Sealing> sealing_of(Options const& options, Workbench const& bench, model::Baseline const* baseline,
                                    Context& context);

}  // namespace perfcheck::measuring
