// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/workbench.h"

#include "perfcheck/console/errors.h"
#include "perfcheck/measuring/worker_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfcheck::measuring {

session::WorkerCommand worker_command(Options const& options, config::Config const& config, std::string& why) {
  WorkerChoice choice = choose_worker(options, config, "/", program_folder());
  why = choice.why;
  session::WorkerCommand command;
  command.argv = std::move(choice.argv);
  command.device = options.device;
  command.start_timeout_s = options.start_timeout_s;
  return command;
}

namespace {

/// Whether a judge may be asked about the worker's results. Then the worker must not be able to tamper with the means
/// by which it is judged: the judge's program, perfcheck itself, and their files. The worker's backend is not known
/// yet, so the setting for CUDA counts, the only backend with sealed timing.
bool is_to_be_sealed(Options const& options, config::Config const& config) {
  config::Sealed const configured = config.backend("cuda").measure.sealed;
  return options.timing != Options::Timing::verify_only && options.sealed.value_or(configured) != config::Sealed::never;
}

/// Locks a GPU for this process alone and waits until the machine is fit. A CPU is not locked: it has neighbours
/// anyway, and its policy allows for them.
void await_device(Workbench& bench, Options const& options, Context& context) {
  gate::FitnessPolicy const& policy = bench.backend().fitness;
  bench.budget = std::make_shared<RetryBudget>(options.retry_budget_s.value_or(policy.retry_s));
  if (bench.device().backend == "cuda" && !bench.device().uuid.empty()) {
    bench.lock = std::make_shared<DeviceLock const>(lock_folder(), bench.device().uuid, *bench.budget, context);
  }
  std::vector<std::string> const reasons = bench.machine(context).wait(unfit_at_hello(policy, bench.plan.hello));
  if (!reasons.empty()) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("the machine is not fit: {}; waited {:.0f} s, --retry-budget gives more",
                                   fmt::join(reasons, "; "), bench.budget->total()));
  }
}

}  // namespace

Workbench set_up(Options const& options, Context& context) {
  Workbench bench;
  bench.config = config::load_config(context.config, options.demote, options.change_config);
  bench.baselines = config::baselines_folder(options.baselines, bench.config);
  bench.suite = options.suite;
  bench.command = worker_command(options, bench.config, bench.why_this_worker);
  // Orphaned processes would disturb timing. Where nothing is timed they may stay: a profiler around the worker may
  // have to run on for a while.
  bench.command.takes_orphans = options.timing != Options::Timing::verify_only;
  if (is_to_be_sealed(options, bench.config)) {
    session::close_own_memory();
    bench.command.trust = session::Trust::confined;
  }
  session::WorkerClient worker(bench.command, &context.interrupt);
  model::WorkerInfo const& info = worker.hello().worker;
  config::Suite const& suite = bench.config.suite(options.suite, info.backend);
  bench.plan = make_plan(worker, bench.config, suite, options.filters);
  if (bench.plan.cases.empty()) {
    throw CommandError(model::ExitCode::broken,
                       no_match_message(make_plan(worker, bench.config, suite, {}), options.filters));
  }
  worker.close();
  keep_shard(bench.plan, options.shard, bench.config.names.proposed);
  if (bench.plan.cases.empty()) {
    context.terminal.message(fmt::format("none of the cases falls to shard {} of {}: there is nothing to measure",
                                         options.shard->index, options.shard->count));
  }
  await_device(bench, options, context);
  if (context.detail != Detail::quiet) {
    context.terminal.message(fmt::format("{} on {} ({}): suite {}, {} cases, {} skipped", info.name,
                                         bench.device().name, bench.why_this_worker, suite.name,
                                         bench.plan.cases.size(), bench.plan.cases.size() - bench.plan.runnable()));
  }
  return bench;
}

}  // namespace perfcheck::measuring
