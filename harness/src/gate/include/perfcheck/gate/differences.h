// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What else changed when a case became slower or faster. This only explains; it has no influence on a verdict.
#pragma once

#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"

#include <string>
#include <vector>

namespace perfcheck::gate {

/// One thing that differs from the baseline. With `before` equal to `after` it is a statement that something is the
/// same: the machine code, or the work as far as hashes can tell.
struct Difference {
  std::string what;           ///< stable, for machines: "registers", "machine_code", "driver", ...
  std::string before, after;  ///< with their units: "25 %"
  std::string text;           ///< for a person: "occupancy 25 % -> 12.5 %"
  int launch = 0;             ///< which kernel of a case that launches several, from 1; 0 for the whole case
};

/// Everything on record that differs between a case's baseline and `fresh`, the new results on which its verdict rests;
/// `measured_on` describes their environment. The most telling differences come first. `sessions` are those of the
/// whole baseline. What only one side knows does not count as a difference. Neither does what varies between equal
/// builds: clock and power must have moved by more than a limit, with all new sessions on one side of all stored ones,
/// and a number of launches per replay that follows from the new time is not reported.
std::vector<Difference> differences_of(model::BaselineCase const& stored,
                                       std::vector<model::BaselineSession> const& sessions,
                                       std::vector<model::CaseResult const*> const& fresh,
                                       model::BaselineSession const& measured_on);

/// One line for a person, without a newline: "also changed: registers 128 -> 168, occupancy 25 % -> 12.5 %; machine
/// code changed". Empty when there are no differences.
std::string also_changed(std::vector<Difference> const& differences);

}  // namespace perfcheck::gate
