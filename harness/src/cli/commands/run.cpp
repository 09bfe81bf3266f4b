// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck run: measure and keep, compare with nothing.
#include "commands/commands.h"
#include "commands/fan_out.h"
#include "perfcheck/measuring/measurement.h"
#include "perfcheck/results/presentation.h"
#include "perfcheck/store/store.h"

#include <algorithm>

namespace perfcheck::cli {

model::ExitCode command_run(Options const& options, Context& context) {
  if (!options.devices.empty()) {
    return fan_out(FanOut::run, options, context);
  }
  Workbench const bench = set_up(options, context);
  Measurement measurement(bench, options, context);
  measurement.seal_with(sealing_of(options, bench, nullptr, context));
  measurement.add_sessions(bench.plan.cases, model::SessionPurpose::baseline, "session", std::max(1, options.sessions));
  bool const empty_shard = bench.plan.asked.shard && bench.plan.cases.empty();
  model::ExitCode const code = empty_shard ? model::ExitCode::ok : exit_code_of(measurement.run());
  if (!options.out.empty()) {
    store::write_run(options.out, measurement.run());
  }
  present({.run = measurement.run(), .demoted = {}, .exit_code = code, .command = "run"}, options, context);
  return code;
}

}  // namespace perfcheck::cli
