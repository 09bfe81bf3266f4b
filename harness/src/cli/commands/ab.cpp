// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck ab: two builds against each other on one device; needs no stored baseline.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "perfcheck/baselines/naming.h"
#include "perfcheck/baselines/stored.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/measuring/ab_comparison.h"
#include "perfcheck/measuring/again.h"
#include "perfcheck/results/undecided.h"
#include "perfcheck/store/operations.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>

namespace perfcheck::cli {
namespace {

constexpr char const* kExamples =
    "examples:\n"
    "  perfcheck ab --base old/perfcheck-gemm --head new/perfcheck-gemm\n"
    "  perfcheck ab --base-ref main --filter 'gemm/simt/*'    builds main in a worktree of its own, once";

struct AbOptions {
  measuring::Options measuring;
  results::ShowOptions show;
  std::string out, out_base;
};

model::ExitCode run_ab(AbOptions const& options, Context& context) {
  results::prepare_results(options.show);
  measuring::Workbench const bench = measuring::set_up(options.measuring, context);
  std::optional<session::WorkerCommand> command =
      measuring::base_command(options.measuring, bench.config, bench.plan.hello.worker.backend, context);
  if (!command) {
    throw UsageError("ab: name the build to compare with: --base WORKER or --base-ref COMMIT");
  }
  baselines::require_todays_ids(bench.plan.cases, bench.config.names);
  baselines::require_used(bench.config, bench.plan.hello.kernels, bench.baselines);
  measuring::Measurement head(bench, options.measuring, context);
  measuring::BaseBuild base(std::move(*command), bench, options.measuring, context);
  std::optional<model::Baseline> const accepted = baselines::renamed(
      store::read_baselines(bench.baselines, bench.device().slug, model::operations_of(bench.plan.hello.worker)),
      bench.config.names.renamed, bench.baselines);
  measuring::AbComparison comparison(bench, options.measuring, head, base, measuring::scope_of(bench.plan, nullptr),
                                     accepted ? &*accepted : nullptr);
  gate::Decisions decisions = comparison.run();
  results::advise_undecided(decisions, comparison.policy(), results::ComparedWith::base_build);
  results::write_run(head.run(), options.out, options.show);
  if (!options.out_base.empty()) {
    store::write_run(options.out_base, base.run());
  }
  results::present({.run = head.run(),
                    .decisions = &decisions,
                    .demoted = comparison.policy().demoted,
                    .exit_code = decisions.exit_code,
                    .command = "ab",
                    .again = measuring::measure_again("ab", options.show.repro, options.measuring, context)},
                   options.show, context);
  return decisions.exit_code;
}

}  // namespace

void add_ab(CommandLine& line) {
  auto [sub, options] = line.add("ab", "Two builds against each other on one device; needs no baseline", run_ab);
  add_base(sub, options.measuring);
  add_measuring(sub, options.measuring, options.out, options.show);
  sub->add_option("--head", options.measuring.worker, "the same as --worker: the build that is judged")
      ->type_name("'PROGRAM ARGS'");
  sub->add_option("--pairs", options.measuring.pairs, "screening sessions of either build (default 2)")
      ->check(CLI::Range(2, 1000))
      ->type_name("N");
  sub->add_option("--out-base", options.out_base, "write the base build's run file")->type_name("FILE");
  add_flag(sub, "--no-confirm", options.measuring.confirm, measuring::Options::Confirm::no,
           "leave flagged cases inconclusive");
  add_demote(sub, options.measuring.demote, options.measuring.change_config);
  sub->footer(std::string(kExamples) + "\n\n" + kExitCodes);
}

}  // namespace perfcheck::cli
