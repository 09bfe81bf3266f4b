// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "file.h"

#include <perfcheck/model/json.h>
#include <perfcheck/model/json_members.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace perfcheck::energy {
namespace {

using nlohmann::json;

/// One column: a number of each pair.
json column(Measured const& measured, Figures Pair::* side, double Figures::* member) {
  json values = json::array();
  for (Pair const& pair : measured.pairs) {
    values.push_back(model::rounded(pair.*side.*member, model::kMeasurementDigits));
  }
  return values;
}

bool clocks_are_known(Measured const& measured) {
  for (Pair const& pair : measured.pairs) {
    if (!(pair.kernel.clock_mhz > 0 && pair.reference.clock_mhz > 0)) return false;
  }
  return true;
}

json columns(Measured const& measured, Figures Pair::* side) {
  json all = {{"joules", column(measured, side, &Figures::joules)},
              {"watts", column(measured, side, &Figures::watts)},
              {"time_ns", column(measured, side, &Figures::time_ns)}};
  if (clocks_are_known(measured)) all["clock_mhz"] = column(measured, side, &Figures::clock_mhz);
  return all;
}

std::string joules_text(double joules) {
  return joules >= 1 ? fmt::format("{:.3f} J", joules) : fmt::format("{:.4g} mJ", joules * 1e3);
}

}  // namespace

std::string file_text(Session const& session) {
  json cases = json::array();
  for (Measured const& one : session.cases) {
    cases.push_back({{"kernel", one.kernel},
                     {"reference", one.reference},
                     {"problem", one.problem},
                     {"of_kernel", columns(one, &Pair::kernel)},
                     {"of_reference", columns(one, &Pair::reference)}});
  }
  json file = {{"schema", "perfcheck.energy/1"},
               {"started", session.started},
               {"device", session.device},
               {"block_seconds", session.block_seconds},
               {"cases", std::move(cases)}};
  model::put_nonempty(file, "driver", session.driver);
  if (session.power_limit_w > 0) file["power_limit_w"] = session.power_limit_w;
  return model::json_to_text(file);
}

std::string line_of(Measured const& measured) {
  Summary const summary = summary_of(measured.pairs);
  std::string line =
      fmt::format("{}@{}: {} per launch, {:.1f} % of {}'s {}; {:.0f} W ({:.0f} W), {:.2f} us ({:.2f} us)",
                  measured.kernel, measured.problem, joules_text(summary.kernel.joules), 100 * summary.of_reference,
                  measured.reference, joules_text(summary.reference.joules), summary.kernel.watts,
                  summary.reference.watts, summary.kernel.time_ns / 1e3, summary.reference.time_ns / 1e3);
  if (clocks_are_known(measured)) {
    line += fmt::format(", SM clock {:.0f} MHz ({:.0f} MHz)", summary.kernel.clock_mhz, summary.reference.clock_mhz);
  }
  return line;
}

}  // namespace perfcheck::energy
