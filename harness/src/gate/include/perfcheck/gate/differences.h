// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What else changed when a case became slower or faster. Nothing here decides anything.
#pragma once

#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"

#include <string>
#include <vector>

namespace perfcheck::gate {

/// One thing that is not as it was in the baseline; or, with `before` equal to `after`, the statement that the machine
/// code, or all work that hashes tell of, is.
struct Difference {
  std::string what;           ///< stable, for machines: "registers", "machine_code", "driver", ...
  std::string before, after;  ///< with their units: "25 %"
  std::string text;           ///< for a person: "occupancy 25 % -> 12.5 %"
  int launch = 0;             ///< which kernel of a case that launches several, from 1; 0 for the whole case
};

/// Everything on record that differs between a case's baseline and `fresh`, the new results that its verdict rests on,
/// measured where `measured_on` says. The most telling first. `sessions` are those of the whole baseline. What only one
/// side knows is no difference, and neither is what differs between equal builds too: clock and power must have moved
/// by more than a limit and lie apart in every session, launches per replay must not follow from the new time.
std::vector<Difference> differences_of(model::BaselineCase const& stored,
                                       std::vector<model::BaselineSession> const& sessions,
                                       std::vector<model::CaseResult const*> const& fresh,
                                       model::BaselineSession const& measured_on);

/// One line for a person, without a newline: "also changed: registers 128 -> 168, occupancy 25 % -> 12.5 %; machine
/// code changed". Empty when nothing is known to differ.
std::string also_changed(std::vector<Difference> const& differences);

}  // namespace perfcheck::gate
