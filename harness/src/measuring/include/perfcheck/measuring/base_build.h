// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Another build of the same kernels, measured beside the one that is judged: on the same device, in the same minutes.
#pragma once

#include "perfcheck/measuring/measurement.h"

#include <random>

namespace perfcheck::measuring {

/// The command of the base build's worker that the options name: --base, or the worker that --base-ref is built into
/// (base_ref.h). Empty when they name none.
std::optional<session::WorkerCommand> base_command(Options const& options, config::Config const& config,
                                                   std::string const& backend, Context& context);

/// How messages name it.
inline constexpr char const* kTheBaseBuild = "the base build";

class BaseBuild {
 public:
  /// Starts the base worker once to ask for its plan. Throws CommandError when it is on another device or serves
  /// another operation than `head`.
  BaseBuild(session::WorkerCommand command, Workbench const& head, Options const& options, Context& context);

  /// `count` sessions of either build with the same cases, for `purpose`. Which of the two goes first is drawn anew for
  /// every pair, so that what drifts favours neither.
  void add_pairs(Measurement& head, std::vector<protocol::PlannedCase> const& cases, model::SessionPurpose purpose,
                 std::string const& label, int count);

  /// Everything that the base build measured, under the ids that it has there.
  model::Run const& run() { return measurement_.run(); }
  /// The same under today's ids.
  model::Run run(model::Renames const& renames);
  /// Cases of the base build's plan that would run, under the ids that it has there.
  std::vector<std::string> case_ids() const;

 private:
  std::vector<protocol::PlannedCase> own(std::vector<protocol::PlannedCase> const& cases) const;

  Options options_;
  Context context_;
  Workbench bench_;
  Measurement measurement_;
  std::mt19937_64 random_;
};

}  // namespace perfcheck::measuring
