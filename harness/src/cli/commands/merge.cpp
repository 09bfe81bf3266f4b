// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck merge: the shards of a fan-out, from files or out of a history, become one run with one decision.
#include "command_line/errors.h"
#include "commands/commands.h"
#include "histories/history_place.h"
#include "results/merging.h"
#include "results/run_files.h"

#include <fmt/format.h>

namespace perfcheck::cli {
namespace {

std::vector<model::Run> shards_of(Options const& options, std::optional<history::History>& history) {
  std::string const fan_out = options.shard ? options.shard->fan_out : "";
  if (!options.run_files.empty()) {
    return read_shards(options.run_files, import_options(options));
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

}  // namespace

model::ExitCode command_merge(Options const& options, Context& context) {
  Config const config = load_config(options.config, options.demote, options.change_config);
  std::optional<history::History> history;
  if (std::string const place = history_place(options, config); !place.empty()) {
    history.emplace(place, history::Mode::write);
  }
  return decide_merged(merged(shards_of(options, history), config), config, history, options, context);
}

}  // namespace perfcheck::cli
