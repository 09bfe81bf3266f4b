// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace perfcheck::report {
namespace {

constexpr char const* kNothing = "-";

bool shown(std::optional<double> value) { return value && std::isfinite(*value); }

struct Unit {
  double ns;
  char const* name;
};
constexpr std::array<Unit, 4> kUnits = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}};

}  // namespace

std::string format_number(std::optional<double> value) {
  if (!shown(value)) {
    return kNothing;
  }
  double const size = std::abs(*value);
  // Powers of ten that the value reaches; what is below a millionth is shown as such.
  int const magnitude = size >= 1e-6 ? static_cast<int>(std::floor(std::log10(size))) : 0;
  return fmt::format("{:.{}f}", *value, std::max(0, 3 - magnitude));
}

std::string format_time(std::optional<double> ns) {
  if (!shown(ns)) {
    return kNothing;
  }
  for (Unit const& unit : kUnits) {
    if (*ns >= unit.ns) {
      return fmt::format("{} {}", format_number(*ns / unit.ns), unit.name);
    }
  }
  return fmt::format("{} ns", format_number(ns));
}

std::string format_share(std::optional<double> share) {
  return shown(share) ? fmt::format("{:.1f} %", *share * 100) : kNothing;
}

std::string format_factor(std::optional<double> factor) {
  return shown(factor) ? format_number(factor) + "x" : kNothing;
}

std::string format_change(std::optional<gate::Witness> const& change) {
  if (!change) {
    return kNothing;
  }
  return fmt::format("{:+.2f} % ({:+.2f} to {:+.2f})", 100 * change->change, 100 * change->low, 100 * change->high);
}

std::string format_duration(double seconds) {
  if (seconds < 10) {
    return fmt::format("{:.1f} s", std::max(0.0, seconds));
  }
  long const whole = std::lround(seconds);
  if (whole < 100) {
    return fmt::format("{} s", whole);
  }
  if (whole < 3600) {
    return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  }
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace perfcheck::report
