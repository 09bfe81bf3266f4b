// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "core_probe.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace perfcheck::device {
namespace {

using Clock = std::chrono::steady_clock;

/// Additions in one run of a loop, about 5 us, and number of runs: only the shortest counts, because interrupts hit
/// some of them.
constexpr int kAdditions = 1 << 14;
constexpr int kRuns = 4;
/// More chains than any core has adders, fewer than it has registers.
constexpr int kChains = 8;

constexpr std::size_t kRemembered = 512;
constexpr std::size_t kFewest = 32;
/// This quantile of the samples is the level of a quiet core. It is low, because a core may be shared most of the time.
constexpr double kQuietShare = 0.1;
/// A sample this much above the level of a quiet core is disturbed; on a quiet core, samples differ by 0.1 %.
constexpr double kTolerance = 0.03;

/// A 1 that the compiler does not know, so that it is added from a register. Recent processors (Intel's from Golden
/// Cove on) add small constants while they rename registers, many in a cycle, but add registers one after the other.
std::uint64_t unknown_one() {
  std::uint64_t one = 1;
  asm volatile("" : "+r"(one));
  return one;
}

/// One addition that the compiler can neither merge with others nor move to memory.
void add(std::uint64_t& sum, std::uint64_t number) {
  sum += number;
  asm volatile("" : "+r"(sum));
}

void add_in_one_chain() {
  std::uint64_t const one = unknown_one();
  std::uint64_t sum = 0;
  for (int i = 0; i < kAdditions / kChains; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < kChains; ++j) {
      add(sum, one);
    }
  }
}

void add_in_many_chains() {
  static_assert(kChains == 8);
  std::uint64_t const one = unknown_one();
  std::uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;  // an array would live in memory
  for (int i = 0; i < kAdditions / kChains; ++i) {
    add(a, one), add(b, one), add(c, one), add(d, one), add(e, one), add(f, one), add(g, one), add(h, one);
  }
}

double shortest_ns(void (*loop)()) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRuns; ++i) {
    auto const start = Clock::now();
    loop();
    shortest = std::min(shortest, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  return shortest;
}

}  // namespace

CoreSample sample_core() {
  double const chain_ns = shortest_ns(add_in_one_chain);
  return {.clock_mhz = kAdditions / chain_ns * 1e3, .cycles_per_addition = shortest_ns(add_in_many_chains) / chain_ns};
}

bool ContentionJudge::disturbed(CoreSample const& sample) {
  if (latest_.size() < kRemembered) {
    latest_.push_back(sample.cycles_per_addition);
  } else {
    latest_[next_] = sample.cycles_per_addition;
    next_ = (next_ + 1) % kRemembered;
  }
  if (latest_.size() < kFewest) {
    return false;
  }
  std::vector<double> sorted = latest_;
  auto const quiet = sorted.begin() + static_cast<std::ptrdiff_t>(kQuietShare * static_cast<double>(sorted.size()));
  std::nth_element(sorted.begin(), quiet, sorted.end());
  return sample.cycles_per_addition > *quiet * (1 + kTolerance);
}

}  // namespace perfcheck::device
