// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/fan_out.h"

#include "command_line/errors.h"
#include "histories/history_place.h"
#include "measuring/fan_out.h"
#include "perfcheck/store/store.h"
#include "results/merging.h"
#include "results/presentation.h"

namespace perfcheck::cli {
namespace {

void require_sensible(Options const& options) {
  if (options.record != Options::Record::no) {
    throw UsageError(
        "--devices with --record-missing-baseline: a baseline needs every case on every card; record one device after "
        "the other with --device");
  }
  if (!options.base.empty() || !options.base_ref.empty()) {
    throw UsageError("--devices with --base: two builds are compared on one card; use perfcheck ab with --device");
  }
}

/// Nothing is compared: the runs' cases side by side.
model::ExitCode show_merged(model::MergedRun const& whole, Options const& options, Context& context) {
  model::ExitCode code = exit_code_of(whole.run);
  if (!whole.missing.empty()) {
    code = model::worse(code, model::ExitCode::broken);
  }
  if (!options.out.empty()) {
    store::write_run(options.out, whole.run);
  }
  present({.run = whole.run, .demoted = {}, .exit_code = code, .command = "run"}, options, context);
  return code;
}

}  // namespace

model::ExitCode fan_out(FanOut what, Options const& options, Context& context) {
  require_sensible(options);
  Config const config = load_config(options.config, options.demote, options.change_config);
  std::optional<history::History> history;
  if (std::string const place = history_place(options, config); what == FanOut::check && !place.empty()) {
    history.emplace(place, history::Mode::write);
  }
  Whole const whole = merged(measure_shards(devices_of(options, context), options, context), config);
  Options judging = options;
  judging.of_suite = options.suite;
  return what == FanOut::check ? decide_merged(whole, config, history, judging, context)
                               : show_merged(whole, options, context);
}

}  // namespace perfcheck::cli
