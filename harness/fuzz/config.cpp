// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck.toml.
#include "perfcheck/config/config.h"

#include "perfcheck/config/asked.h"
#include "support/property.h"

using namespace perfcheck;

namespace {

bool is_share(double value) { return value > 0 && value <= 1; }
bool is_alpha(double value) { return value > 0 && value <= 0.5; }
template <typename Number>
bool is_within(Number low, Number value, Number high) {
  return low <= value && value <= high;
}

void require_usable(gate::Policy const& policy) {
  fuzz::require(is_share(policy.margin) && is_share(policy.kernel_margin_share) && is_share(policy.min_sd) &&
                    is_share(policy.reference_tolerance),
                "margins, the least deviation and the tolerance are shares");
  fuzz::require(is_alpha(policy.alpha) && is_alpha(policy.screen_alpha), "error rates are a half at most");
  fuzz::require(is_within(0.0, policy.ratio_card_sd, 1.0) && is_within(0.0, policy.cycles_card_sd, 1.0),
                "deviations between cards are shares or 0");
  fuzz::require(is_within(0.0, policy.floor_ns, 1e15), "no time is negative");
  fuzz::require(is_within(2, policy.min_baseline_sessions, 1000) && is_within(1, policy.confirm_sessions, 1000),
                "there are sessions to judge by");
  for (auto const& [pattern, margin] : policy.margins) {
    fuzz::require(is_share(margin), "a margin is a share");
  }
  for (model::Verdict const verdict : policy.demoted) {
    fuzz::require(model::exit_code_of(verdict) == model::ExitCode::undecided, "what is decided cannot be demoted");
  }
}

void require_usable(gate::FitnessPolicy const& fitness) {
  fuzz::require(is_within(0, fitness.max_other_processes, 100000) && is_within(0.0, fitness.retry_s, 1e6),
                "what makes a machine fit has a range");
}

void require_usable(config::MeasureConfig const& measure) {
  protocol::MeasureOptions const& options = measure.options;
  fuzz::require(3 <= options.min_rounds && options.min_rounds <= options.max_rounds && options.max_rounds <= 100000,
                "rounds have a range");
  fuzz::require(options.replay_ms > 0 && options.replay_ms <= 1e4, "a replay's length has a range");
  for (double const seconds : {options.max_seconds, measure.case_timeout_s}) {
    fuzz::require(seconds > 0 && seconds <= 86400, "lengths of time are positive and a day at most");
  }
  fuzz::require(is_within(0.0, options.idle_share, 100.0) && is_share(options.precision),
                "idle time and precision are shares");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const config = fuzz::accepted<config::ConfigError>(
      [&] { return config::parse_config(fuzz::text_of(data, size), "folder/perfcheck.toml"); });
  if (!config) {
    return 0;
  }
  for (auto const& [name, backend] : config->backends) {
    require_usable(backend.policy);
    require_usable(backend.fitness);
    require_usable(backend.measure);
  }
  for (config::Suite const& suite : config->suites) {
    fuzz::require(!config::expand(suite).empty(), "a suite has a problem");
    (void)config::takes(suite.kernels, {"gemm/simt/naive@f32,nn,m64n64k64"});
    for (config::SuiteRule const& rule : suite.rules) {
      fuzz::require(rule.max_gflop > 0 && rule.max_gflop <= 1e15, "a rule's limit has a range");
    }
    (void)config->suite(suite.name, suite.backend);
  }
  return 0;
}
