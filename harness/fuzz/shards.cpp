// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Run files of shards, with lines "=== shard" between them, and what they make together.
#include "model/json.h"
#include "model/shard.h"
#include "support/property.h"
#include "support/run_property.h"

#include <stdexcept>

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  std::vector<model::Run> shards;
  while (!rest.empty()) {
    std::string_view const text = fuzz::take_until(rest, "\n=== shard\n");
    auto run = fuzz::accepted<model::FormatError>([&] { return model::run_from_text(text, "shard.json"); });
    if (run) {
      shards.push_back(std::move(*run));
    }
  }
  std::size_t const given = shards.size();
  auto const merged = fuzz::accepted<std::invalid_argument>([&] { return model::merge(shards); });
  if (merged) {
    fuzz::require(given + merged->missing.size() == static_cast<std::size_t>(merged->run.shard->count),
                  "every shard is there or missing");
    fuzz::require_usable(merged->run);
  }
  return 0;
}
