// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/physics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace perfcheck::model {
namespace {

/// One of the two kernels that a result has times of.
struct Side {
  std::string who;  ///< "", or a prefix that names the reference
  std::string case_id;
  std::vector<double> const& time_ns;
  int launches;
  KernelEntry const* kernel;
};

/// The least time that a launch can take, and why.
struct Floor {
  double ns;
  std::string why;
};

struct Unit {
  std::string name;
  double tflops = 0;
  bool declared = false;
};

bool known(std::optional<double> const& limit) { return limit && !(*limit <= 0); }

std::string short_number(double value) {
  return value >= 999.5 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

/// "268 MFLOP", "3.15 MB"
std::string with_prefix(double value, char const* unit) {
  constexpr std::array kPrefixes = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  for (; value >= 999.5 && prefix + 1 < kPrefixes.size(); ++prefix) {
    value /= 1000;
  }
  return fmt::format("{} {}{}", short_number(value), kPrefixes[prefix], unit);
}

std::string microseconds(double ns) { return short_number(ns / 1000) + " us"; }

bool declares_unit(Side const& side) { return side.kernel != nullptr && !side.kernel->executes.empty(); }

bool is_hot(std::string const& case_id) {
  std::string const problem = split_case_id(case_id).problem;
  return problem.ends_with(",hot") || problem.find(",hot,") != std::string::npos;
}

/// The unit that does the work: the declared one, else the fastest. Empty when its rate is unknown.
std::optional<Unit> unit_of(Side const& side, DeviceInfo const& device) {
  if (declares_unit(side)) {
    auto const found = device.peak_tflops.find(side.kernel->executes);
    return found == device.peak_tflops.end() ? std::nullopt : std::optional(Unit{found->first, found->second, true});
  }
  std::optional<Unit> fastest;
  for (auto const& [name, tflops] : device.peak_tflops) {
    if (!fastest || !(tflops <= fastest->tflops)) {
      fastest = Unit{name, tflops, false};
    }
  }
  return fastest;
}

double share_of_work(Side const& side) {
  bool const declared = side.kernel != nullptr && side.kernel->work_share > 0;
  return declared ? side.kernel->work_share : declares_unit(side) ? 1 : kLeastWorkShare;
}

std::optional<Floor> arithmetic_floor(Side const& side, Work const& work, DeviceInfo const& device) {
  std::optional<Unit> const unit = unit_of(side, device);
  if (!unit || work.flop <= 0) {
    return std::nullopt;
  }
  double const share = share_of_work(side);
  double const ns = work.flop * share / (unit->tflops * 1e3);
  std::string const part = share == 1 ? "" : share == kLeastWorkShare ? "half of " : fmt::format("{:.3g} of ", share);
  return Floor{ns, fmt::format("{}{} need at least {} at {} TFLOP/s ({}, {})", part, with_prefix(work.flop, "FLOP"),
                               microseconds(ns), short_number(unit->tflops), unit->name,
                               unit->declared ? "which it declares to execute" : "the device's fastest unit")};
}

std::optional<Floor> memory_floor(Side const& side, Work const& work, DeviceInfo const& device) {
  bool const hot = is_hot(side.case_id);
  std::optional<double> const& gb_s = hot ? device.peak_cache_gb_s : device.peak_gb_s;
  if (!known(gb_s) || work.bytes <= 0) {
    return std::nullopt;
  }
  if (hot) {
    double const ns = work.bytes / *gb_s;
    return Floor{ns, fmt::format("{} need at least {} at {} GB/s, the rate of its cache", with_prefix(work.bytes, "B"),
                                 microseconds(ns), short_number(*gb_s))};
  }
  // A replay may find data of the replay before in the cache, at most what it holds.
  double const moved = side.launches * work.bytes - static_cast<double>(device.cache_bytes);
  double const ns = moved / *gb_s / side.launches;
  return Floor{ns, fmt::format("{} launches that move {} each, less {} of cache, need at least {} each at {} GB/s",
                               side.launches, with_prefix(work.bytes, "B"),
                               with_prefix(static_cast<double>(device.cache_bytes), "B"), microseconds(ns),
                               short_number(*gb_s))};
}

std::optional<Floor> launch_floor(DeviceInfo const& device) {
  if (!known(device.empty_launch_ns)) {
    return std::nullopt;
  }
  double const ns = *device.empty_launch_ns * kLeastLaunchShare;
  return Floor{ns, fmt::format("half of the {} of an empty launch are {}", microseconds(*device.empty_launch_ns),
                               microseconds(ns))};
}

std::optional<Disbelief> unknown_unit(Side const& side, DeviceInfo const& device) {
  if (!declares_unit(side) || device.peak_tflops.empty() || device.peak_tflops.contains(side.kernel->executes)) {
    return std::nullopt;
  }
  std::vector<std::string> units;
  for (auto const& [name, tflops] : device.peak_tflops) {
    units.push_back(name);
  }
  return Disbelief{CaseStatus::invalid,
                   fmt::format("{}unknown unit: it declares to execute \"{}\", and the device has {}; mend the "
                               "declaration of {}",
                               side.who, side.kernel->executes, fmt::join(units, ", "), side.kernel->id)};
}

/// Index of the shortest time; NaN counts as the shortest.
std::size_t shortest_of(std::vector<double> const& times) {
  auto const shorter = [](double a, double b) { return a < b || (std::isnan(a) && !std::isnan(b)); };
  return static_cast<std::size_t>(std::min_element(times.begin(), times.end(), shorter) - times.begin());
}

/// Names the highest floor that the shortest time falls below. Written so that NaN, as a time or a limit, is rejected.
std::optional<Disbelief> impossible(Side const& side, Work const& work, DeviceInfo const& device) {
  if (side.time_ns.empty()) {
    return std::nullopt;
  }
  std::size_t const round = shortest_of(side.time_ns);
  double const time = side.time_ns[round];
  std::optional<Floor> highest;
  for (std::optional<Floor> const& floor :
       {arithmetic_floor(side, work, device), memory_floor(side, work, device), launch_floor(device)}) {
    if (floor && !(time >= kPlausibleShare * floor->ns) && (!highest || !(floor->ns <= highest->ns))) {
      highest = floor;
    }
  }
  if (!highest) {
    return std::nullopt;
  }
  return Disbelief{
      CaseStatus::implausible,
      fmt::format("{}{} per launch (round {} of {}) is {} times faster than the device can: {}", side.who,
                  microseconds(time), round + 1, side.time_ns.size(), short_number(highest->ns / time), highest->why)};
}

}  // namespace

std::optional<Disbelief> implausible_time(CaseResult const& result, DeviceInfo const& device, KernelEntry const* kernel,
                                          KernelEntry const* reference) {
  if (!result.rounds) {
    return std::nullopt;
  }
  Rounds const& rounds = *result.rounds;
  Side const sides[] = {{"", result.id, rounds.time_ns, rounds.launches, kernel},
                        {fmt::format("its reference {}: ", result.reference), result.reference,
                         rounds.reference_time_ns, rounds.reference_launches, reference}};
  for (Side const& side : sides) {
    if (std::optional<Disbelief> disbelief = unknown_unit(side, device)) {
      return disbelief;
    }
  }
  for (Side const& side : sides) {
    if (std::optional<Disbelief> disbelief = impossible(side, result.work, device)) {
      return disbelief;
    }
  }
  return std::nullopt;
}

std::optional<std::string> unknown_limits(DeviceInfo const& device) {
  std::vector<std::string> unknown;
  if (device.peak_tflops.empty()) {
    unknown.emplace_back("peak arithmetic");
  }
  if (!known(device.peak_gb_s)) {
    unknown.emplace_back("memory bandwidth");
  }
  if (!known(device.peak_cache_gb_s)) {
    unknown.emplace_back("cache bandwidth");
  }
  if (unknown.empty()) {
    return std::nullopt;
  }
  bool const nothing_known = unknown.size() == 3 && !known(device.empty_launch_ns);
  return fmt::format(
      "{}the device's {} {} unknown: times are only checked against {}; a worker that knows tells it in its hello",
      kPhysicsNote, fmt::join(unknown, ", "), unknown.size() == 1 ? "is" : "are",
      nothing_known ? "perfcheck's own clock" : "its other limits and perfcheck's own clock");
}

}  // namespace perfcheck::model
