// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/baselines/overview.h"

#include "perfcheck/baselines/findings_text.h"
#include "perfcheck/baselines/stored.h"
#include "perfcheck/report/columns.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace perfcheck::baselines {
namespace {

std::size_t cards_of(model::Baseline const& baseline) {
  std::set<std::string> cards;
  for (model::BaselineSession const& session : baseline.sessions) {
    cards.insert(session.device_uuid);
  }
  return cards.size();
}

}  // namespace

std::vector<StoredBaseline> stored_baselines(config::Config const& config, std::filesystem::path const& root,
                                             std::string const& slug) {
  std::vector<StoredBaseline> stored;
  for (std::filesystem::path const& file : baseline_files(root, slug)) {
    auto baseline = store::read_baseline(root, file.parent_path().filename().string(), file.stem().string());
    if (baseline) {
      std::vector<store::Finding> findings = store::audit(*baseline, audit_policy(config, *baseline));
      stored.push_back({.file = file, .baseline = std::move(*baseline), .findings = std::move(findings)});
    }
  }
  return stored;
}

std::string stored_text(std::vector<StoredBaseline> const& stored, Detail detail) {
  std::string text;
  for (StoredBaseline const& one : stored) {
    model::Baseline const& baseline = one.baseline;
    text += fmt::format("{}\n  {} on {}: {} cases, {} sessions, {} card{}\n", one.file.string(), baseline.operation,
                        baseline.device_name, baseline.cases.size(), baseline.sessions.size(), cards_of(baseline),
                        cards_of(baseline) == 1 ? "" : "s");
    for (model::Acceptance const& acceptance : baseline.accepted) {
      text += fmt::format("  {} {}: {} cases, {} sessions, commit {}: {}\n", acceptance.when, acceptance.who,
                          acceptance.cases, acceptance.sessions.size(),
                          acceptance.commit.empty() ? "unknown" : acceptance.commit, acceptance.why);
    }
    if (!baseline.has_digest) {
      text += fmt::format("  no digest: it is of an older version; perfcheck baseline upgrade {}\n", one.file.string());
    }
    text += findings_text(baseline, one.findings, detail);
    if (detail == Detail::verbose) {
      std::vector<std::vector<std::string>> rows;
      for (auto const& [id, entry] : baseline.cases) {
        rows.push_back({id, std::to_string(entry.session.size()), entry.reference});
      }
      text += report::columns({{"case", {}}, {"sessions", report::Column::Align::right}, {"reference", {}}}, rows);
    }
  }
  return text;
}

nlohmann::json stored_json(std::vector<StoredBaseline> const& stored) {
  nlohmann::json list = nlohmann::json::array();
  for (StoredBaseline const& one : stored) {
    nlohmann::json cases = nlohmann::json::object();
    for (auto const& [id, entry] : one.baseline.cases) {
      cases[id] = entry.session.size();
    }
    model::Acceptance const last = one.baseline.accepted.empty() ? model::Acceptance{} : one.baseline.accepted.back();
    list.push_back(
        {{"file", one.file.string()},
         {"operation", one.baseline.operation},
         {"device", one.baseline.device_name},
         {"slug", one.baseline.device_slug},
         {"sessions", one.baseline.sessions.size()},
         {"cards", cards_of(one.baseline)},
         {"sessions_by_case", cases},
         {"digest", one.baseline.has_digest},
         {"findings", findings_json(one.baseline, one.findings)},
         {"last_accepted", {{"who", last.who}, {"when", last.when}, {"commit", last.commit}, {"why", last.why}}}});
  }
  return {{"schema", kBaselinesSchema}, {"baselines", list}};
}

}  // namespace perfcheck::baselines
