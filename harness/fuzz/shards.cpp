// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Run files of shards, with lines "=== shard" between them, what they make together, and what is decided about that.
#include "perfcheck/console/errors.h"
#include "perfcheck/model/json.h"
#include "perfcheck/results/finished_run.h"
#include "perfcheck/results/merging.h"
#include "support/property.h"
#include "support/run_property.h"

#include <set>
#include <stdexcept>

using namespace perfcheck;

namespace {

/// As `perfcheck merge` does without a stored baseline.
void require_decided(model::Run const& run) {
  results::Comparison const comparison = results::comparison_of(run, std::nullopt, {}, {});
  auto const decisions = fuzz::accepted<std::invalid_argument>([&] { return comparison.decide(run); });
  if (decisions) {
    std::set<std::string> decided;
    for (gate::CaseDecision const& decision : decisions->cases) {
      decided.insert(decision.id);
    }
    for (model::Session const& session : run.sessions) {
      for (model::CaseResult const& result : session.cases) {
        fuzz::require(decided.contains(result.id), "every case is decided about");
      }
    }
  }
}

/// The defaults of both backends.
config::Config const kConfig = [] {
  config::Config config;
  config.backends = {{"cpu", {}}, {"cuda", {}}};
  return config;
}();

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  std::vector<model::Run> shards;
  while (!rest.empty()) {
    std::string_view const text = fuzz::take_until(rest, "\n=== shard\n");
    auto run = fuzz::accepted<model::FormatError>([&] { return model::run_from_text(text, "shard.json"); });
    if (run && kConfig.backends.contains(run->worker.backend)) {  // as whoever reads run files makes sure
      shards.push_back(std::move(*run));
    }
  }
  std::size_t const given = shards.size();
  auto const merged = fuzz::accepted<UsageError>([&] { return results::merged(shards, kConfig); });
  if (merged) {
    fuzz::require(given + merged->missing.size() == static_cast<std::size_t>(merged->run.shard->count),
                  "every shard is there or missing");
    fuzz::require_usable(merged->run);
    require_decided(merged->run);
  }
  return 0;
}
