// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/fit_machine.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/gate/fitness.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <algorithm>
#include <optional>

namespace perfcheck::measuring {
namespace {

using Clock = std::chrono::steady_clock;

// The first pauses are short, to notice quickly when a short process ends; later ones are longer, so as not to poll for
// hours a device that stays busy.
constexpr double kFirstPauseS = 2, kLongestPauseS = 20, kPauseGrowth = 1.5;

}  // namespace

void sleep_for(double seconds, session::Interrupt const& interrupt) {
  pollfd descriptor{.fd = interrupt.fd(), .events = POLLIN, .revents = 0};
  (void)::poll(&descriptor, 1, static_cast<int>(seconds * 1e3));
  interrupt.throw_if_raised();
}

std::vector<std::string> unfit_at_hello(gate::FitnessPolicy const& policy, protocol::HelloAnswer const& hello) {
  return gate::unfit_reasons(policy, hello.environment, hello.state.value_or(model::DeviceState()));
}

std::vector<std::string> FitMachine::ask() const {
  session::WorkerClient worker(command_, &context_.interrupt);
  std::vector<std::string> reasons = unfit_at_hello(policy_, worker.hello());
  worker.close();
  return reasons;
}

std::vector<std::string> FitMachine::wait(std::vector<std::string> reasons) const {
  double pause = kFirstPauseS;
  while (!reasons.empty() && budget_.left() > 0) {
    Clock::time_point const start = Clock::now();
    context_.terminal.message(
        fmt::format("the machine is not fit to measure on: {}; waiting, {:.0f} s of {:.0f} s left",
                    fmt::join(reasons, "; "), budget_.left(), budget_.total()));
    sleep_for(std::min(pause, budget_.left()), context_.interrupt);
    reasons = ask();
    pause = std::min(pause * kPauseGrowth, kLongestPauseS);
    budget_.spend(clock::seconds_since(start));
  }
  return reasons;
}

std::vector<std::string> mark_unfit(model::Session& session, FitMachine const& machine) {
  std::optional<std::vector<std::string>> now;
  std::vector<std::string> ids;
  for (model::CaseResult& result : session.cases) {
    std::vector<std::string> reasons;
    if (result.state) {
      reasons = gate::unfit_reasons(machine.policy(), session.environment, *result.state);
    } else if (result.status == model::CaseStatus::crashed || result.status == model::CaseStatus::timed_out) {
      now = now ? now : machine.ask();
      reasons = *now;
    }
    std::ranges::move(gate::unfit_for(result.status, reasons), std::back_inserter(result.unfit));
    if (!result.unfit.empty()) {
      ids.push_back(result.id);
    }
  }
  return ids;
}

}  // namespace perfcheck::measuring
