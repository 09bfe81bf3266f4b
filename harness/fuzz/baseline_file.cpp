// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Baseline files, whatever their digest: with the right one few bytes could change.
#include "perfcheck/model/json.h"
#include "support/property.h"
#include "support/run_property.h"

#include <set>

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const given = fuzz::text_of(data, size);
  auto const strict = fuzz::accepted<model::FormatError>([&] { return model::baseline_from_text(given, "gemm.json"); });
  auto const baseline = fuzz::accepted<model::FormatError>(
      [&] { return model::baseline_from_text(given, "gemm.json", model::DigestCheck::ignored); });
  auto const upgraded =
      fuzz::accepted<model::FormatError>([&] { return model::upgraded_baseline(given, "gemm.json"); });
  fuzz::require(baseline.has_value() || !strict.has_value(), "a right digest makes nothing readable");
  fuzz::require(baseline.has_value() == upgraded.has_value(), "what can be read can be upgraded, and nothing else");
  if (!baseline) {
    return 0;
  }
  fuzz::require(model::baseline_from_text(*upgraded, "upgraded").has_digest, "an upgraded file has a digest that fits");
  std::set<std::string> sessions;
  for (model::BaselineSession const& session : baseline->sessions) {
    fuzz::require(sessions.insert(session.id).second, "ids of sessions are unique");
  }
  for (auto const& [id, entry] : baseline->cases) {
    fuzz::require(!entry.session.empty(), "a case has a session at least");
    std::set<std::string> named;
    for (std::string const& session : entry.session) {
      fuzz::require(sessions.contains(session) && named.insert(session).second,
                    "a case names sessions once, all known");
    }
    fuzz::require_column(entry.time_ns, entry.session.size(), fuzz::Column::required);
    fuzz::require_column(entry.ratio, entry.session.size(), fuzz::Column::required);
    fuzz::require_column(entry.cycles, entry.session.size(), fuzz::Column::optional);
    fuzz::require_column(entry.clock_mhz, entry.session.size(), fuzz::Column::optional);
    fuzz::require_column(entry.power_w, entry.session.size(), fuzz::Column::optional);
    fuzz::require_column(entry.tail, entry.session.size(), fuzz::Column::optional);
  }
  std::string const text = model::baseline_to_text(*baseline);
  fuzz::require(model::baseline_to_text(model::baseline_from_text(text, "written")) == text,
                "a baseline reads back as it was written");
  return 0;
}
