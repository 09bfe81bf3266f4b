// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/simulation_text.h"

#include "perfcheck/model/status.h"
#include "text/limits.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace perfcheck::report {
namespace {

using calibrate::SimulatedCard;
using calibrate::SimulatedChecks;
using calibrate::SimulatedFinding;
using calibrate::Simulation;

std::string places(Simulation const& simulation) {
  std::string text;
  for (SimulatedCard const& card : simulation.cards) {
    text += fmt::format(
        "{}: noise of {} recorded sessions; a check has {} to compare with, 1 that screens and {} that "
        "confirm\n",
        card.name, card.recorded_sessions, card.baseline_sessions, simulation.confirm_sessions);
  }
  for (std::string const& card : simulation.left_out) {
    text += fmt::format("{}: left out, too few sessions are recorded\n", card);
  }
  return text;
}

std::string rate(std::string const& which, SimulatedChecks const& checks) {
  return fmt::format("  {:<42} {:>5} checks  {:>3} with an alarm (95 % sure: fewer than {}), {} undecided\n", which,
                     checks.checks, checks.alarms, upper_limit(checks.alarms, checks.checks), checks.undecided);
}

std::string rates(Simulation const& simulation) {
  SimulatedChecks const& all = simulation.result;
  std::string text = fmt::format(
      "\nSimulated checks of unchanged code\n"
      "  {} of {} called a case, or a kernel as a whole, regressed or improved (95 % sure: fewer than {}); of these {} "
      "a kernel\n"
      "  {} of {} more were undecided: a case or a kernel neither passed nor was an alarm ({})\n"
      "  {} of the {} decisions about a case were sent to confirmation\n\n",
      all.alarms, all.checks, upper_limit(all.alarms, all.checks), all.kernel_alarms, all.undecided, all.checks,
      percent_of(all.checks > 0 ? static_cast<double>(all.undecided) / all.checks : 0),
      percent_of(simulation.decisions > 0
                     ? static_cast<double>(simulation.flagged) / static_cast<double>(simulation.decisions)
                     : 0),
      simulation.decisions);
  text += rate("machine code of the baseline", simulation.equal) + rate("own kernels built anew", simulation.rebuilt);
  for (SimulatedCard const& card : simulation.cards) {
    text += rate(card.name, card.result);
  }
  return text + "  (limits are about this noise: that of other cards and days may be another)\n";
}

/// Lists what did not pass, and how often.
std::string cases(Simulation const& simulation) {
  std::map<std::pair<std::string, std::string>, int> counts;
  for (SimulatedFinding const& finding : simulation.findings) {
    ++counts[{finding.id, fmt::format("{} ({})", model::to_text(finding.verdict), finding.reason_code)}];
  }
  std::string text = counts.empty() ? "" : "\nWhat did not pass\n";
  for (auto const& [what, count] : counts) {
    text += fmt::format("  {:>5}  {}  {}\n", count, what.first, what.second);
  }
  return text;
}

std::string every(Simulation const& simulation) {
  std::string text = simulation.findings.empty() ? "" : "\nCheck by check\n";
  for (SimulatedFinding const& finding : simulation.findings) {
    text += fmt::format("  {:>5}  {}  {} ({})\n", finding.check, finding.id, model::to_text(finding.verdict),
                        finding.reason_code);
  }
  return text;
}

}  // namespace

std::string simulation_text(Simulation const& simulation, bool every_finding) {
  return places(simulation) + rates(simulation) + cases(simulation) + (every_finding ? every(simulation) : "");
}

}  // namespace perfcheck::report
