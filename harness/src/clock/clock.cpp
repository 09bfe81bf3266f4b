// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/clock/clock.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <random>

namespace perfcheck::clock {
namespace {

std::tm now_utc() { return fmt::gmtime(std::chrono::system_clock::now()); }

}  // namespace

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now_utc()); }

std::string utc_text(std::time_t time) { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time)); }

std::string new_run_id() {
  std::random_device random;
  return fmt::format("{:%Y%m%dT%H%M%SZ}-{:06x}", now_utc(), random() & 0xffffffU);
}

}  // namespace perfcheck::clock
