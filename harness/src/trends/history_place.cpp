// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/history_place.h"

#include "perfcheck/console/errors.h"

#include <fmt/format.h>

namespace perfcheck::trends {

std::string history_place(std::string const& given, config::Config const& config) {
  if (given == kNoHistory) {
    return "";
  }
  return given.empty() ? config.history : given;
}

std::string required_history_place(std::string const& given, config::Config const& config) {
  std::string place = history_place(given, config);
  if (place.empty()) {
    throw UsageError(
        fmt::format("which history? Name one with --history FILE, or in {} as history = \"FILE\" under [paths]",
                    config.file.string()));
  }
  return place;
}

history::History open_history(std::string const& place, config::Config const& config) {
  history::History history(place, history::Mode::read);
  history.honour(config.names.renamed);
  return history;
}

void require_fan_out(std::optional<model::Shard> const& shard) {
  if (shard && shard->fan_out.empty()) {
    throw UsageError(
        "a shard that is kept in a history needs --fan-out ID, the same for all its shards, to be found by");
  }
}

void keep_shard_in_history(history::History& history, model::Run const& run, Context& context) {
  history.put_shard(run);
  context.terminal.message(
      fmt::format("kept as shard {} of {} in {}; perfcheck merge --fan-out {} --history ... puts "
                  "all of them together",
                  run.shard->index, run.shard->count, history.name(), run.shard->fan_out));
}

namespace {

bool is_fit_for_history(model::Run const& run, Context& context) {
  if (!run.injected.empty()) {
    context.terminal.message("not kept in the history: --inject-slowdown makes this run unfit for one");
  }
  return run.injected.empty();
}

void tell_kept(history::History const& history, model::Run const& run, Context& context) {
  context.terminal.message(fmt::format("kept as run {} in {}", run.id, history.name()));
}

}  // namespace

void keep_in_history(history::History& history, model::Run const& run, gate::Decisions const& decisions,
                     Context& context) {
  if (is_fit_for_history(run, context)) {
    history.add(run, history::decision_of(decisions));
    tell_kept(history, run, context);
  }
}

void keep_merged(history::History& history, model::Run const& run, gate::Decisions const& decisions, Context& context) {
  if (is_fit_for_history(run, context)) {
    history.add_merged(run, history::decision_of(decisions));
    tell_kept(history, run, context);
  }
}

}  // namespace perfcheck::trends
