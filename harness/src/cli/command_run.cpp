// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck run: measure and keep, compare with nothing.
#include "commands.h"
#include "measurement.h"
#include "presentation.h"
#include "store/store.h"

#include <algorithm>

namespace perfcheck::cli {

model::ExitCode command_run(Options const& options, Context& context) {
  Workbench const bench = set_up(options, context);
  Measurement measurement(bench, options, context);
  measurement.add_sessions(bench.plan.cases, model::SessionPurpose::baseline, "session", std::max(1, options.sessions));
  model::ExitCode const code = exit_code_of(measurement.run());
  if (!options.out.empty()) {
    store::write_run(options.out, measurement.run());
  }
  present(measurement.run(), code, options, context, "run");
  return code;
}

}  // namespace perfcheck::cli
