// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/base_build.h"

#include "base_ref.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/measuring/worker_choice.h"

#include <fmt/format.h>

#include <set>

namespace perfcheck::measuring {
namespace {

/// Slowdowns are injected into the head build only.
Options base_options(Options options) {
  options.inject.clear();
  return options;
}

Context quiet(Context context) {
  context.detail = Detail::quiet;
  return context;
}

Workbench bench_of(session::WorkerCommand command, Workbench const& head, Options const& options, Context& context) {
  Workbench bench = head;  // including its lock and budget
  bench.command = std::move(command);
  session::WorkerClient worker(bench.command, &context.interrupt);
  bench.plan = make_plan(worker, bench.config, bench.config.suite(options.suite, worker.hello().worker.backend),
                         options.filters);
  worker.close();
  keep_shard(bench.plan, options.shard, bench.config.names.proposed);
  auto const subject = [](Workbench const& one) {
    return fmt::format("{} on {} {}", one.plan.hello.worker.operation, one.device().name, one.device().uuid);
  };
  if (subject(bench) != subject(head)) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("the base build measures {}, the head build {}; give both the same operation and "
                                   "device",
                                   subject(bench), subject(head)));
  }
  return bench;
}

}  // namespace

std::optional<session::WorkerCommand> base_command(Options const& options, config::Config const& config,
                                                   std::string const& backend, Context& context) {
  if (options.base.empty() && options.base_ref.empty()) {
    return std::nullopt;
  }
  session::WorkerCommand command;
  command.argv = options.base.empty() ? std::vector{build_base(options.base_ref, config, backend, context).string()}
                                      : split_command(options.base);
  command.device = options.device;
  command.start_timeout_s = options.start_timeout_s;
  return command;
}

BaseBuild::BaseBuild(session::WorkerCommand command, Workbench const& head, Options const& options, Context& context)
    : options_(base_options(options)),
      context_(quiet(context)),
      bench_(bench_of(std::move(command), head, options, context)),
      measurement_(bench_, options_, context_),
      random_(options.seed ? *options.seed : std::random_device()()) {}

std::vector<protocol::PlannedCase> BaseBuild::own(std::vector<protocol::PlannedCase> const& cases) const {
  std::set<std::string> wanted, own;
  for (protocol::PlannedCase const& one : cases) {
    wanted.insert(one.id);
  }
  for (protocol::PlannedCase const& one : bench_.plan.cases) {
    if (wanted.contains(bench_.config.names.proposed.now(one.id))) {
      own.insert(one.id);
    }
  }
  return with_ids(bench_.plan.cases, own);
}

void BaseBuild::add_pairs(Measurement& head, std::vector<protocol::PlannedCase> const& cases,
                          model::SessionPurpose purpose, std::string const& label, int count) {
  std::vector<protocol::PlannedCase> const base_cases = own(cases);
  for (int i = 1; i <= count; ++i) {
    std::string const pair = fmt::format("{}, pair {} of {}", label, i, count);
    // Verification changes how the device's memory is laid out, and the clock, so either both builds go through it or
    // neither does.
    std::set<std::string> const here = head.verified();
    std::set<std::string> both, both_here;
    for (std::string const& id : measurement_.verified()) {
      if (std::string const now = bench_.config.names.proposed.now(id); here.contains(now)) {
        both.insert(id);
        both_here.insert(now);
      }
    }
    head.skip_verification_of(std::move(both_here));
    measurement_.skip_verification_of(std::move(both));
    bool const base_first = random_() % 2 == 0;
    for (bool const base : {base_first, !base_first}) {
      if (!base) {
        head.add_session(cases, purpose, pair + ", head");
      } else if (!base_cases.empty()) {
        measurement_.add_session(base_cases, purpose, pair + ", base");
      }
    }
  }
  head.skip_verification_of({});
}

model::Run BaseBuild::run(model::Renames const& renames) {
  return model::renamed(measurement_.run(), renames, kTheBaseBuild);
}

std::vector<std::string> BaseBuild::case_ids() const {
  std::vector<std::string> ids;
  for (protocol::PlannedCase const& planned : bench_.plan.cases) {
    if (!planned.skip_reason) {
      ids.push_back(planned.id);
    }
  }
  return ids;
}

}  // namespace perfcheck::measuring
