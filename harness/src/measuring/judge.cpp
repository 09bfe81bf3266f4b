// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/judge.h"

#include "perfcheck/console/errors.h"
#include "perfcheck/session/sealed_objection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

namespace perfcheck::measuring {
namespace {

/// A judge starts the worker's program itself, without arguments, so a worker that needs arguments cannot be sealed.
void require_sealable(Workbench const& bench) {
  std::string const& backend = bench.plan.hello.worker.backend;
  if (backend != "cuda") {
    throw UsageError(fmt::format(
        "sealed timing needs a worker with a GPU, and {} is of the backend {}; choose another with --worker or "
        "--backend, or, where perfcheck.toml asks for it, write `sealed` below [measure.cuda]",
        bench.plan.hello.worker.name, backend));
  }
  if (bench.command.argv.size() > 1) {
    throw UsageError(fmt::format(
        "--worker '{}': sealed timing starts the worker's program alone, without arguments; name a program that needs "
        "none",
        fmt::join(bench.command.argv, " ")));
  }
}

/// Whether there is no such file. A name without a slash is not checked here: it is looked up in PATH when it is
/// started.
bool is_missing(std::string const& program) {
  std::error_code ignored;
  return program.find('/') != std::string::npos && !std::filesystem::exists(program, ignored);
}

}  // namespace

session::SealedCommand judge_for(Options const& options, Workbench const& bench) {
  require_sealable(bench);
  std::string const& worker = bench.command.argv.front();
  std::string const& configured = bench.backend().measure.judge;
  std::string const& named = options.judge.empty() ? configured : options.judge;
  std::string const judge = named.empty() ? worker + "-judge" : named;
  if (is_missing(judge)) {
    throw CommandError(
        model::ExitCode::broken,
        fmt::format("{}: there is no such judge, and sealed timing needs one; build it, or name one with --judge or "
                    "judge in [measure.cuda]",
                    judge));
  }
  return {.judge = judge, .program = worker, .device = options.device, .batches = options.batches};
}

std::string Judge::objection_to(model::CaseResult const& ordinary) {
  std::string objection = session::objection_of(ordinary, time(ordinary.id));
  bool const again =
      !objection.empty() && session::may_be_a_disturbance(time(ordinary.id)) && timed_again_.insert(ordinary.id).second;
  if (!again) {
    return objection;
  }
  timed_.erase(ordinary.id);
  return session::objection_of(ordinary, time(ordinary.id));
}

model::SealedResult const& Judge::time(std::string const& case_id) {
  auto const known = timed_.find(case_id);
  return known != timed_.end()
             ? known->second
             : timed_.emplace(case_id, session::time_sealed(command_, case_id, timeout_s_, &interrupt_)).first->second;
}

}  // namespace perfcheck::measuring
