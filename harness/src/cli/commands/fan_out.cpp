// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/fan_out.h"

#include "perfcheck/console/errors.h"
#include "perfcheck/measuring/again.h"
#include "perfcheck/measuring/fan_out.h"
#include "perfcheck/results/exit_code.h"
#include "perfcheck/results/merging.h"
#include "perfcheck/trends/history_place.h"

namespace perfcheck::cli {
namespace {

results::Whole measure_whole(FanOutOptions const& options, config::Config const& config, Context& context) {
  return results::merged(measuring::measure_shards(measuring::devices_of(options.measuring, context), context), config);
}

config::Config config_of(FanOutOptions const& options, Context const& context) {
  return config::load_config(context.config, options.measuring.demote, options.measuring.change_config);
}

void require_no_base(FanOutOptions const& options) {
  if (!options.measuring.base.empty() || !options.measuring.base_ref.empty()) {
    throw UsageError("--devices with --base: two builds are compared on one card; use perfcheck ab with --device");
  }
}

}  // namespace

model::ExitCode fan_out_run(FanOutOptions const& options, Context& context) {
  config::Config const config = config_of(options, context);
  results::Whole const whole = measure_whole(options, config, context);
  model::ExitCode code = results::exit_code_of(whole.run);
  if (!whole.missing.empty()) {
    code = model::worse(code, model::ExitCode::broken);
  }
  results::write_run(whole.run, options.out, options.show);
  results::present({.run = whole.run,
                    .demoted = {},
                    .exit_code = code,
                    .command = "run",
                    .again = measuring::measure_again("run", options.show.repro, options.measuring, context)},
                   options.show, context);
  return code;
}

model::ExitCode fan_out_check(FanOutOptions const& options, Context& context) {
  require_no_base(options);
  config::Config const config = config_of(options, context);
  std::optional<history::History> history;
  if (std::string const place = trends::history_place(options.history, config); !place.empty()) {
    history.emplace(place, history::Mode::write);
  }
  measuring::Options const& asked = options.measuring;
  return results::decide_merged(measure_whole(options, config, context), config, history,
                                {.asked = {.of_suite = asked.suite, .filters = asked.filters, .shard = asked.shard},
                                 .baselines = asked.baselines,
                                 .out = options.out,
                                 .show = options.show,
                                 .again = measuring::measure_again("check", options.show.repro, asked, context)},
                                context);
}

}  // namespace perfcheck::cli
