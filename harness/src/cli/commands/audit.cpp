// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck audit: the evidence for each kernel's time, and a judge's time beside it.
#include "perfcheck/auditing/audit.h"
#include "command_line/command_line.h"
#include "command_line/option_groups.h"

#include <fmt/format.h>

namespace perfcheck::cli {
namespace {

constexpr char const* kHelp =
    "Each case is timed twice: by the worker, as `check` does, and sealed, by a judge that holds outputs and clock in "
    "a\n"
    "process of its own, which the kernel's code cannot reach (docs/sealed.md). The report says what was compared and\n"
    "verified, both times, what a launch could hide at most, how far the kernel was confined, and whether the judge's\n"
    "time supports the worker's. Sealed timing needs a worker with a GPU.\n\n"
    "examples:\n"
    "  perfcheck audit --suite smoke\n"
    "  perfcheck audit --worker build/ci/bin/perfcheck-gemm --filter gemm/simt/naive --batches 50\n"
    "  perfcheck audit --json > audit.json                     docs/schemas/audit.schema.json describes it\n\n"
    "exit codes: 0 the judge supports every time  2 an objection, or a case without a time  3 the machine was not fit\n"
    "            64 usage  130 interrupted";

model::ExitCode run_audit(measuring::Options const& options, Context& context) {
  auditing::Audit const audit = auditing::make_audit(options, context);
  context.terminal.print(context.output == Output::json ? auditing::audit_json(audit)
                                                        : auditing::audit_text(audit, context.detail));
  return audit.exit_code();
}

}  // namespace

void add_audit(CommandLine& line) {
  auto [sub, options] =
      line.add("audit", "The evidence for each kernel's time, and a judge's time beside it", run_audit);
  add_worker(sub, options);
  add_selection(sub, options);
  add_judge(sub, options);
  sub->add_option("--batches", options.batches,
                  fmt::format("batches that the judge times of each case (default {})", session::kUsualBatches))
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  add_seed(sub, options);
  add_retry(sub, options,
            "wait, and measure again, this long while the machine is not fit (default: as [fitness] says)");
  sub->footer(kHelp);
}

}  // namespace perfcheck::cli
