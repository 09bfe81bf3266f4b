// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Times measured cases again, sealed, and invalidates those whose time the judge does not support.
#pragma once

#include "perfcheck/measuring/judge.h"
#include "perfcheck/measuring/progress.h"

#include <functional>
#include <memory>

namespace perfcheck::measuring {

/// Whether to time the case of this result sealed; never if it was not measured or does not count. `baseline` may be
/// null.
bool wants_sealed(config::Sealed when, model::Baseline const* baseline, model::CaseResult const& result);

class Sealing {
 public:
  /// `baseline` must outlive this object; null: there is none, so that every case is new.
  Sealing(config::Sealed when, Judge judge, model::Baseline const* baseline)
      : when_(when), judge_(std::move(judge)), baseline_(baseline) {}

  /// Has the judge time those of the session's cases for which wants_sealed() holds. A case becomes invalid if the
  /// judge objects to its result, or if `out_of_time` says that no time is left for it. Throws session::Interrupted.
  void apply(model::Session& session, std::string const& label, Progress& progress,
             std::function<bool()> const& out_of_time);

 private:
  config::Sealed when_;
  Judge judge_;
  model::Baseline const* baseline_;
};

/// The sealing that --sealed or [measure] ask for; null if none. Throws like judge_for().
std::unique_ptr<Sealing> sealing_of(Options const& options, Workbench const& bench, model::Baseline const* baseline,
                                    Context& context);

}  // namespace perfcheck::measuring
