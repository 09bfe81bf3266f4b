// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck list: kernels, and the cases that a suite expands to.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "perfcheck/measuring/plan_text.h"
#include "perfcheck/model/json_members.h"

#include <nlohmann/json.hpp>

namespace perfcheck::cli {
namespace {

model::ExitCode run_list(measuring::Options const& options, Context& context) {
  measuring::Workbench const bench = measuring::set_up(options, context);
  context.terminal.print(context.output == Output::json
                             ? model::document_text(measuring::plan_json(bench, options.filters))
                             : measuring::plan_text(bench, options.filters));
  return model::ExitCode::ok;
}

}  // namespace

void add_list(CommandLine& line) {
  auto [sub, options] = line.add("list", "Kernels, and the cases of a suite", run_list);
  add_worker(sub, options);
  add_selection(sub, options);
  sub->footer("examples:\n  perfcheck list --suite smoke\n  perfcheck list --backend cpu --filter '*/naive'");
}

}  // namespace perfcheck::cli
