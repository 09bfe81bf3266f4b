// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The base build: another build of the same kernels, measured beside the build that is judged, on the same device and
// in the same minutes.
#pragma once

#include "perfcheck/measuring/measurement.h"

#include <random>

namespace perfcheck::measuring {

/// The command of the base build's worker according to the options: --base, or the worker built from --base-ref
/// (base_ref.h). Empty without either option.
std::optional<session::WorkerCommand> base_command(Options const& options, config::Config const& config,
                                                   std::string const& backend, Context& context);

/// The name of the base build in messages.
inline constexpr char const* kTheBaseBuild = "the base build";

class BaseBuild {
 public:
  /// Starts the base worker once to ask for its plan. Throws CommandError when it is on another device or serves
  /// another operation than `head`.
  BaseBuild(session::WorkerCommand command, Workbench const& head, Options const& options, Context& context);

  /// Measures `count` pairs of sessions, one of each build, with the same cases. The order is drawn at random for every
  /// pair, so that drift favours neither build.
  void add_pairs(Measurement& head, std::vector<protocol::PlannedCase> const& cases, model::SessionPurpose purpose,
                 std::string const& label, int count);

  /// Everything that was measured of the base build, under the base build's ids.
  model::Run const& run() { return measurement_.run(); }
  /// The same under the new ids.
  model::Run run(model::Renames const& renames);
  /// Cases of the base build's plan that are not skipped, under the base build's ids.
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
