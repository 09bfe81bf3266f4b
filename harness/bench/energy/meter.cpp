// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "meter.h"

#include "choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <thread>

namespace perfcheck::energy {
namespace {

/// Between two looks at the counter: a fifth of a percent of the shortest block, at either end.
constexpr auto kPoll = std::chrono::milliseconds(1);

}  // namespace

void Meter::lead_in(Launches& launches) const {
  for (double const begin = now(); now() - begin < kLeadSeconds;) {
    interrupt_.throw_if_raised();
    launches.keep_full();
    std::this_thread::sleep_for(kPoll);
  }
}

Meter::Reading Meter::next_step(Launches& launches, Steps& steps) const {
  for (;;) {
    interrupt_.throw_if_raised();
    launches.keep_full();
    Reading reading;
    reading.millijoules = nvml_.energy_mj();
    reading.at = now();
    if (steps.take(reading.at, reading.millijoules)) return reading;
    std::this_thread::sleep_for(kPoll);
  }
}

double Meter::clock_mhz() const {
  model::DeviceState const state = nvml_.state();
  if (state.other_processes.value_or(0) > 0) {
    throw BlockError(
        fmt::format("the counter is of the whole board, and others use it ({}): wait for them, or stop them",
                    fmt::join(state.processes, ", ")));
  }
  return state.sm_clock_mhz.value_or(0);
}

Figures Meter::measure(Launches& launches) const {
  Event begin, end;
  lead_in(launches);
  Steps steps;
  Block block;
  Reading const first = next_step(launches, steps);
  launches.record(begin);
  std::int64_t const launches_before = launches.launches();
  int const queued_before = launches.queued(), dry_before = launches.ran_dry();
  Reading last = first;
  double clocks = 0;
  while (last.at - first.at < seconds_) {
    last = next_step(launches, steps);
    clocks += clock_mhz();
    ++block.steps;
  }
  launches.record(end);
  block.begin_mj = first.millijoules;
  block.end_mj = last.millijoules;
  block.seconds = last.at - first.at;
  block.launches = launches.launches() - launches_before;
  block.queued = launches.queued() - queued_before;
  block.ran_dry = launches.ran_dry() - dry_before;
  block.clock_mhz = block.steps > 0 ? clocks / block.steps : 0;
  launches.drain();
  float ms = 0;
  PERFCHECK_CUDA(cudaEventElapsedTime(&ms, begin.get(), end.get()));
  block.device_seconds = static_cast<double>(ms) / 1e3;
  return figures_of(block);
}

}  // namespace perfcheck::energy
