// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "workbench.h"

#include "errors.h"
#include "worker_choice.h"

#include <fmt/format.h>

namespace perfcheck::cli {

session::WorkerCommand worker_command(Options const& options, std::string& why) {
  WorkerChoice choice = choose_worker(options, "/", program_folder());
  why = choice.why;
  session::WorkerCommand command;
  command.argv = std::move(choice.argv);
  command.device = options.device;
  return command;
}

std::filesystem::path baselines_folder(Options const& options, Config const& config) {
  return options.baselines.empty() ? config.baselines : std::filesystem::path(options.baselines);
}

Workbench set_up(Options const& options, Context& context) {
  Workbench bench;
  bench.config = load_config(options.config);
  bench.baselines = baselines_folder(options, bench.config);
  bench.suite = options.suite;
  bench.command = worker_command(options, bench.why_this_worker);
  session::WorkerClient worker(bench.command, &context.interrupt);
  model::WorkerInfo const& info = worker.hello().worker;
  Suite const& suite = bench.config.suite(options.suite, info.backend);
  bench.plan = make_plan(worker, bench.config, suite, options.filters);
  if (bench.plan.cases.empty()) {
    throw CommandError(model::ExitCode::broken,
                       no_match_message(make_plan(worker, bench.config, suite, {}), options.filters));
  }
  worker.close();
  if (options.detail != Detail::quiet) {
    context.terminal.message(fmt::format("{} on {} ({}): suite {}, {} cases, {} skipped", info.name,
                                         bench.device().name, bench.why_this_worker, suite.name,
                                         bench.plan.cases.size(), bench.plan.cases.size() - bench.plan.runnable()));
  }
  return bench;
}

}  // namespace perfcheck::cli
