// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/again.h"

#include <fmt/format.h>

namespace perfcheck::measuring {

results::MeasureAgain measure_again(std::string const& command, std::string const& begin, Options const& options,
                                    Context const& context) {
  std::string text = begin.empty() ? fmt::format("perfcheck {}", command) : begin;
  auto const add = [&](char const* option, std::string const& value) {
    if (!value.empty()) {
      text += fmt::format(" {} {}", option, results::shell_quoted(value));
    }
  };
  if (begin.empty()) {
    add("--config", context.config);
    add("--config-of-change", options.change_config);
    add("--worker", options.worker);
    if (options.worker.empty() && options.backend != "auto") {
      add("--backend", options.backend);
    }
    if (options.device != 0) {
      add("--device", std::to_string(options.device));
    }
    add("--baselines", options.baselines);
    add("--base", options.base);
    add("--base-ref", options.base_ref);
    add("--judge", options.judge);
  }
  if (options.sealed) {
    add("--sealed", std::string(to_text(*options.sealed)));
  }
  if (options.suite != config::kDefaultSuite) {
    add("--suite", options.suite);
  }
  return {.command = std::move(text), .injected = options.inject};
}

}  // namespace perfcheck::measuring
