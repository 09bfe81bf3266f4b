// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "trends.h"

#include "perfcheck/model/median.h"
#include "perfcheck/model/summary.h"

namespace perfcheck::results {
namespace {

bool is_told(gate::CaseDecision const& decision) {
  return decision.verdict == model::Verdict::regressed || decision.verdict == model::Verdict::improved ||
         decision.verdict == model::Verdict::inconclusive;
}

std::vector<double> const& stored_values(model::BaselineCase const& stored, std::string const& metric) {
  return metric == "ratio" ? stored.ratio : metric == "cycles" ? stored.cycles : stored.time_ns;
}

std::optional<double> value_of(model::SessionSummary const& summary, std::string const& metric) {
  return metric == "ratio" ? summary.ratio : metric == "cycles" ? summary.cycles : std::optional(summary.time_ns);
}

/// Sessions of the run that count for a case, in their order.
std::vector<double> fresh_values(model::Run const& run, gate::CaseDecision const& decision) {
  std::vector<double> values;
  for (model::Session const& session : run.sessions) {
    for (model::CaseResult const& result : session.cases) {
      if (result.id != decision.id || !result.unfit.empty()) {
        continue;
      }
      std::optional<model::SessionSummary> const summary = model::summarize(result);
      if (std::optional<double> const value = summary ? value_of(*summary, decision.decided_by) : std::nullopt) {
        values.push_back(*value);
      }
    }
  }
  return values;
}

}  // namespace

std::map<std::string, std::vector<double>> trends_of(model::Baseline const& baseline, model::Run const& run,
                                                     gate::Decisions const& decisions) {
  std::map<std::string, std::vector<double>> trends;
  for (gate::CaseDecision const& decision : decisions.cases) {
    auto const stored = baseline.cases.find(decision.id);
    if (!is_told(decision) || stored == baseline.cases.end()) {
      continue;
    }
    std::vector<double> values = stored_values(stored->second, decision.decided_by);
    std::optional<double> const usual = model::median(values);
    if (!usual) {
      continue;
    }
    std::vector<double> const fresh = fresh_values(run, decision);
    values.insert(values.end(), fresh.begin(), fresh.end());
    if (values.size() > kTrendLength) {
      values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(kTrendLength));
    }
    for (double& value : values) {
      value /= *usual;
    }
    trends[decision.id] = std::move(values);
  }
  return trends;
}

}  // namespace perfcheck::results
