// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts about creep, for `perfcheck history creep` and for `check --history`.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/trends/device_creep.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace perfcheck::trends {

/// One device after the other: a table of the cases that crept (of all cases with Detail::verbose), how many are
/// steady, and for each case that crept, since when, and which commits may have contributed.
std::string creep_text(std::vector<CreptDevice> const& devices, Detail detail);
/// perfcheck.creep/1, see docs/cli.md.
std::string creep_json_text(std::vector<CreptDevice> const& devices, model::ExitCode exit_code);

/// One device as in that document; with Cases::crept, only the cases that crept.
enum class Cases { all, crept };
nlohmann::json creep_json(CreptDevice const& device, Cases cases);

/// A change of the trend as text: "+1.02 % (+0.91 to +1.13)".
std::string drift_text(creep::CaseCreep const& found);

/// Looks for creep on the device of a run that was just kept, and adds what it finds to the notes of the run's
/// decision. If that fails, the failure becomes a note: the run itself was measured and kept. Nothing where the run is
/// not in the history.
std::optional<CreptDevice> creep_of_run(history::History& history, model::Run const& run, config::Config const& config,
                                        std::filesystem::path const& baselines, std::vector<std::string>& notes);

/// 1 where a case drifted; else 3 where no case can be judged, or where one cannot because the machine moved; else 0.
model::ExitCode creep_exit_code(std::vector<CreptDevice> const& devices);

}  // namespace perfcheck::trends
