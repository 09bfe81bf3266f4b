// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck ab: two builds against each other on one device; needs no stored baseline.
#include "baselines/naming.h"
#include "baselines/stored.h"
#include "command_line/errors.h"
#include "commands/commands.h"
#include "measuring/base_build.h"
#include "measuring/duel.h"
#include "perfcheck/store/store.h"
#include "results/presentation.h"
#include "results/undecided.h"

namespace perfcheck::cli {

model::ExitCode command_ab(Options const& options, Context& context) {
  Workbench const bench = set_up(options, context);
  std::optional<session::WorkerCommand> command =
      base_command(options, bench.config, bench.plan.hello.worker.backend, context);
  if (!command) {
    throw UsageError("ab: name the build to compare with: --base WORKER or --base-ref COMMIT");
  }
  require_todays_ids(bench.plan, bench.config.names);
  require_used(bench.config.names, bench.plan.hello.kernels, bench.baselines);
  Measurement head(bench, options, context);
  BaseBuild base(std::move(*command), bench, options, context);
  std::optional<model::Baseline> const accepted =
      renamed(store::read_baseline(bench.baselines, bench.device().slug, bench.plan.hello.worker.operation),
              bench.config.names.renamed, bench.baselines);
  Duel duel(bench, options, head, base, scope_of(bench.plan, nullptr), accepted ? &*accepted : nullptr);
  gate::Decisions decisions = duel.run();
  advise_undecided(decisions, duel.policy(), Beside::base_build);
  if (!options.out.empty()) {
    store::write_run(options.out, head.run());
  }
  if (!options.out_base.empty()) {
    store::write_run(options.out_base, base.run());
  }
  present({.run = head.run(),
           .decisions = &decisions,
           .demoted = duel.policy().demoted,
           .exit_code = decisions.exit_code,
           .command = "ab"},
          options, context);
  return decisions.exit_code;
}

}  // namespace perfcheck::cli
