// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes a machine and finds what on it will disturb measurements.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/console/context.h"
#include "perfcheck/measuring/options.h"
#include "perfcheck/protocol/messages.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace perfcheck::measuring {

struct Examination {
  struct Fact {
    std::string name, value;
  };
  protocol::HelloAnswer hello;  ///< of the worker
  std::vector<Fact> facts;
  std::vector<std::string> warnings;  ///< each with its remedy
  std::vector<std::string> unfit;     ///< why nothing can be measured now
};

/// Starts the worker and asks it. If the machine is not fit, waits as long as the options' retry budget allows.
Examination examine(Options const& options, Context& context);

std::string examination_text(Examination const& findings);
/// perfcheck.doctor/1, see docs/cli.md.
nlohmann::json examination_json(Examination const& findings);

}  // namespace perfcheck::measuring
