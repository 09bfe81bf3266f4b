// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/accepted_text.h"

#include "baselines/findings_text.h"
#include "results/results_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace perfcheck::cli {

nlohmann::json accepted_json(model::Baseline const& updated, std::vector<store::LevelMove> const& moves,
                             std::string const& file) {
  model::Acceptance const& last = updated.accepted.back();
  nlohmann::json despite = nlohmann::json::array();
  for (model::Despite const& one : last.despite) {
    despite.push_back({{"finding", one.finding}, {"text", one.text}, {"why", one.why}});
  }
  return {{"schema", kBaselinesSchema},         {"file", file},       {"accepted_cases", last.cases},
          {"accepted_sessions", last.sessions}, {"despite", despite}, {"levels", levels_json(moves)}};
}

std::string accepted_text(model::Baseline const& updated, std::vector<store::LevelMove> const& moves,
                          std::string const& file, Detail detail) {
  model::Acceptance const& last = updated.accepted.back();
  std::string text = levels_text(moves, detail);
  for (model::Despite const& one : last.despite) {
    text += fmt::format("accepted all the same: {} ({})\n", one.text, one.why);
  }
  return text + fmt::format("{}: {} cases from {} sessions accepted by {}; review the change and commit it\n", file,
                            last.cases, last.sessions.size(), last.who);
}

}  // namespace perfcheck::cli
