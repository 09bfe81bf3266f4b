// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck run: measure and store, without comparing.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "commands/fan_out.h"
#include "perfcheck/measuring/again.h"
#include "perfcheck/measuring/measurement.h"
#include "perfcheck/results/exit_code.h"

namespace perfcheck::cli {
namespace {

struct RunOptions {
  measuring::Options measuring;
  results::ShowOptions show;
  std::string out;
  int sessions = 1;
};

model::ExitCode run_run(RunOptions const& options, Context& context) {
  results::prepare_results(options.show);
  if (!options.measuring.devices.empty()) {
    return fan_out_run({.measuring = options.measuring, .show = options.show, .out = options.out}, context);
  }
  measuring::Workbench const bench = measuring::set_up(options.measuring, context);
  measuring::Measurement measurement(bench, options.measuring, context);
  measurement.seal_with(measuring::sealing_of(options.measuring, bench, nullptr, context));
  measurement.add_sessions(bench.plan.cases, model::SessionPurpose::baseline, "session", options.sessions);
  bool const empty_shard = bench.plan.asked.shard && bench.plan.cases.empty();
  model::ExitCode const code = empty_shard ? model::ExitCode::ok : results::exit_code_of(measurement.run());
  results::write_run(measurement.run(), options.out, options.show);
  results::present({.run = measurement.run(),
                    .demoted = {},
                    .exit_code = code,
                    .command = "run",
                    .again = measuring::measure_again("run", options.show.repro, options.measuring, context)},
                   options.show, context);
  return code;
}

}  // namespace

void add_run(CommandLine& line) {
  auto [sub, options] = line.add("run", "Verify and time, without comparing", run_run);
  add_measuring(sub, options.measuring, options.out, options.show);
  add_sealed(sub, options.measuring);
  add_fan_out(sub, options.measuring);
  sub->add_option("--sessions", options.sessions, "fresh worker processes, one after the other (default 1)")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  sub->footer("examples:\n  perfcheck run --sessions 8 --out h100.run.json\n  perfcheck run --verify-only");
}

}  // namespace perfcheck::cli
