// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck history creep: which cases became slower by steps that no check sees.
#include "command_line/errors.h"
#include "commands/commands.h"
#include "histories/creep_text.h"
#include "histories/history_place.h"
#include "measuring/workbench.h"

#include <fmt/format.h>

namespace perfcheck::cli {

model::ExitCode command_history_creep(Options const& options, Context& context) {
  Config const config = load_config(options.config);
  std::filesystem::path const baselines = baselines_folder(options, config);
  history::History history = open_history(required_history_place(options, config), config);
  std::vector<CreptDevice> devices;
  for (DeviceHistory const& device : devices_of(history, options.filters)) {
    if (!device.series.empty()) {
      devices.push_back(creep_of(history, device, config, baselines, options.anchor, &context.interrupt));
    }
  }
  if (devices.empty()) {
    throw CommandError(model::ExitCode::broken,
                       options.filters.empty()
                           ? fmt::format("{}: there is no run in it yet; add some with check --history", history.name())
                           : fmt::format("{}: no case matches --filter", history.name()));
  }
  model::ExitCode const code = creep_exit_code(devices);
  context.terminal.print(options.output == Output::json ? creep_json_text(devices, code)
                                                        : creep_text(devices, options.detail));
  return code;
}

}  // namespace perfcheck::cli
