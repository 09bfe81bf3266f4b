// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "history_place.h"

#include "errors.h"

#include <fmt/format.h>

namespace perfcheck::cli {

std::string history_place(Options const& options, Config const& config) {
  return options.history.empty() ? config.history : options.history;
}

std::string required_history_place(Options const& options, Config const& config) {
  std::string place = history_place(options, config);
  if (place.empty()) {
    throw UsageError(
        fmt::format("which history? Name one with --history FILE, or in {} as history = \"FILE\" under [paths]",
                    config.file.string()));
  }
  return place;
}

void keep_in_history(history::History& history, model::Run const& run, gate::Decisions const& decisions,
                     Context& context) {
  if (!run.injected.empty()) {
    context.terminal.message("not kept in the history: --inject-slowdown makes this run unfit for one");
    return;
  }
  history.add(run, history::decision_of(decisions));
  context.terminal.message(fmt::format("kept as run {} in {}", run.id, history.name()));
}

}  // namespace perfcheck::cli
