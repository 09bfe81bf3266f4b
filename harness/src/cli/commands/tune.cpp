// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck tune: which point of each kernel's space is fastest here.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/tuning/tuning_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace perfcheck::cli {
namespace {

constexpr char const* kHelp =
    "A worker for tuning has every point of a kernel's space as a kernel of its own, KERNEL:POINT (docs/tuning.md).\n\n"
    "examples:\n"
    "  perfcheck tune --worker build/portable/bin/perfcheck-gemm-tuning --time-budget 600\n"
    "  perfcheck tune --worker ... --filter 'gemm/simt/persistent:*'    the points of one kernel\n\n"
    "exit codes: 0 complete  2 a point is wrong, crashed, or nothing competes  3 the budget was used up; go on later";

model::ExitCode run_tune(tuning::TuningOptions const& options, Context& context) {
  tuning::Tuner tuner(options, context);
  try {
    tuner.run();
  } catch (session::Interrupted const& interrupted) {
    throw CommandError(model::ExitCode::interrupted,
                       fmt::format("interrupted by signal {}; {} has what was measured before this batch; {}",
                                   interrupted.signal, tuner.file().string(), tuning::what_next(options)));
  }
  model::ExitCode const code = tuning::exit_code_of(tuner);
  context.terminal.print(context.output == Output::json ? model::document_text(tuning::tuning_json(tuner, code))
                                                        : tuning::tuning_text(tuner, options));
  return code;
}

}  // namespace

void add_tune(CommandLine& line) {
  auto [sub, options] =
      line.add("tune", "Which tile shapes of kernels are fastest on this device, for the next build", run_tune);
  options.measuring.suite = "tune";
  add_worker(sub, options.measuring);
  sub->add_option("--suite", options.measuring.suite, "problems to tune for, a suite of perfcheck.toml (default: tune)")
      ->type_name("NAME");
  add_filter(sub, options.measuring.filters);
  add_time_budget(sub, options.measuring, "start no batch after this time; go on later");
  add_flag(sub, "--again", options.again, tuning::TuningOptions::Again::yes,
           "measure everything anew, also what the file holds");
  add_retry(sub, options.measuring,
            "wait, and measure again, this long while the machine is not fit (default: as [fitness] says)");
  sub->add_option("--out", options.out, "file to go on with (default: OPERATION.tuned.json beside the baseline)")
      ->type_name("FILE");
  sub->footer(kHelp);
}

}  // namespace perfcheck::cli
