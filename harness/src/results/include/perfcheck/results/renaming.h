// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// [renamed] and [retired] for finished runs: files stay as they are, decisions have today's ids.
#pragma once

#include "perfcheck/gate/names.h"
#include "perfcheck/model/renames.h"
#include "perfcheck/results/finished_run.h"

#include <map>
#include <string>
#include <vector>

namespace perfcheck::results {

/// The renames that count in a decision about finished runs.
class Renaming {
 public:
  /// `base`: sessions of the build before the change, which the files of `head` are compared with.
  Renaming(gate::Names names, std::vector<model::Run> const& head, std::vector<model::Session> const& base = {});

  /// For the files of one measurement, which hold their own base build.
  static Renaming beside(gate::Names names, std::vector<model::Run> const& files);

  /// The same under today's ids. baseline() and base_run() also note the old ids, which apply() hands on for messages.
  /// `origin` names the source in messages.
  std::vector<model::Run> runs(std::vector<model::Run> runs, std::string const& origin) const;
  model::Run run(model::Run run, std::string const& origin) const;
  std::optional<model::Baseline> baseline(std::optional<model::Baseline> baseline, std::filesystem::path const& root);
  model::Run base_run(model::Run run, std::string const& origin);

  model::Renames const& renames() const { return renames_; }

  /// Makes the comparison use today's ids: retired cases need not have run, and margins of old ids hold for today's.
  void apply(Comparison& comparison, model::Run const& now) const;

 private:
  gate::Names names_;
  model::Renames renames_;
  std::map<std::string, std::string> old_;
};

/// Gives the decisions back the ids that the run's file has, as a history keeps them.
gate::Decisions under_ids_of(model::Run const& run, gate::Decisions decisions, model::Renames const& renames);

}  // namespace perfcheck::results
