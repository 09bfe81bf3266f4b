// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck.toml.
#include "config/config.h"

#include "measuring/plan.h"
#include "support/property.h"

using namespace perfcheck;

namespace {

bool is_share(double value) { return value > 0 && value <= 1; }

void require_usable(gate::Policy const& policy) {
  fuzz::require(is_share(policy.margin) && is_share(policy.alpha) && is_share(policy.screen_alpha),
                "margin and alphas are shares");
  fuzz::require(policy.min_baseline_sessions >= 2 && policy.confirm_sessions >= 1, "there are sessions to judge by");
  for (auto const& [pattern, margin] : policy.margins) {
    fuzz::require(is_share(margin), "a margin is a share");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const config = fuzz::accepted<cli::ConfigError>(
      [&] { return cli::parse_config(fuzz::text_of(data, size), "folder/perfcheck.toml"); });
  if (!config) {
    return 0;
  }
  for (auto const& [name, backend] : config->backends) {
    require_usable(backend.policy);
    protocol::MeasureOptions const& measure = backend.measure.options;
    fuzz::require(measure.min_rounds >= 1 && measure.min_rounds <= measure.max_rounds, "rounds have a range");
    fuzz::require(measure.replay_ms > 0 && measure.max_seconds > 0 && backend.measure.case_timeout_s > 0,
                  "lengths of time are positive");
  }
  for (cli::Suite const& suite : config->suites) {
    fuzz::require(!cli::expand(suite).empty(), "a suite has a problem");
    (void)config->suite(suite.name, suite.backend);
  }
  return 0;
}
