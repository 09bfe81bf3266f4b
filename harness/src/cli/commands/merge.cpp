// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck merge: the shards of a fan-out, from files or out of a history, become one run with one decision.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/measuring/again.h"
#include "perfcheck/results/merging.h"
#include "perfcheck/results/run_files.h"
#include "perfcheck/trends/history_place.h"

#include <fmt/format.h>

namespace perfcheck::cli {
namespace {

constexpr char const* kExamples =
    "examples:\n"
    "  perfcheck check --shard 1/2 --out shards/1.run.json     on one machine\n"
    "  perfcheck check --shard 2/2 --out shards/2.run.json     on another with the same GPU\n"
    "  perfcheck merge shards --result junit=junit.xml         one decision; a missing shard fails";

struct MergeCommand {
  results::MergeOptions merge;
  std::vector<std::string> run_files;
  std::string history;
  std::vector<std::string> demote;
  std::string change_config;
};

std::vector<model::Run> shards_of(MergeCommand const& options, std::optional<history::History>& history) {
  std::string const fan_out = options.merge.asked.shard ? options.merge.asked.shard->fan_out : "";
  if (!options.run_files.empty()) {
    return results::read_shards(options.run_files, {.tool_version = PERFCHECK_VERSION});
  }
  if (!history || fan_out.empty()) {
    throw UsageError(
        "merge: name the run files of the shards or a folder that holds them, or, for shards in a history, --fan-out "
        "ID "
        "and --history");
  }
  std::vector<model::Run> shards = history->shards(fan_out);
  if (shards.empty()) {
    throw CommandError(model::ExitCode::broken,
                       fmt::format("{}: there is no shard of fan-out {}; perfcheck check --shard I/N --fan-out {} "
                                   "--history keeps one",
                                   history->name(), fan_out, fan_out));
  }
  return shards;
}

model::ExitCode run_merge(MergeCommand const& options, Context& context) {
  results::prepare_results(options.merge.show);
  config::Config const config = config::load_config(context.config, options.demote, options.change_config);
  std::optional<history::History> history;
  if (std::string const place = trends::history_place(options.history, config); !place.empty()) {
    history.emplace(place, history::Mode::write);
  }
  results::MergeOptions merge = options.merge;
  merge.again = measuring::measure_again(
      "check", merge.show.repro, {.baselines = merge.baselines, .change_config = options.change_config}, context);
  return results::decide_merged(results::merged(shards_of(options, history), config), config, history, merge, context);
}

}  // namespace

void add_merge(CommandLine& line) {
  auto [sub, options] = line.add("merge", "Put shards together and judge the whole; needs no device", run_merge);
  sub->add_option("runs", options.run_files,
                  "run files of the shards, or folders that hold them as *.run.json, however deep")
      ->type_name("RUN...");
  add_fan_out_id(sub, options.merge.asked.shard, "take the shards that were kept under this name in the history");
  add_history(sub, options.history, "history to take shards from, and to keep the whole in");
  sub->add_option("--out", options.merge.out, "write the whole as a run file")->type_name("FILE");
  add_of_suite(sub, options.merge.asked.of_suite);
  add_filter(sub, options.merge.asked.filters)->description(kMeasuredFilter);
  add_baselines(sub, options.merge.baselines);
  add_demote(sub, options.demote, options.change_config);
  add_results(sub, options.merge.show);
  sub->footer(std::string(kExamples) + "\n\n" + kExitCodes);
}

}  // namespace perfcheck::cli
