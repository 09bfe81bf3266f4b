// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/baselines/findings_text.h"

#include "perfcheck/model/json_members.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/report/columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace perfcheck::baselines {
namespace {

// Few enough to leave room for other output; --verbose shows all lines.
constexpr std::size_t kFewLines = 10;

std::string percent(std::optional<double> const& share) { return share ? fmt::format("{:+.2f} %", 100 * *share) : "-"; }

struct Counts {
  std::size_t slower = 0, faster = 0;
};

Counts counts_of(std::vector<store::LevelMove> const& moves) {
  Counts counts;
  for (store::LevelMove const& move : moves) {
    counts.slower += move.change > store::kNoticedMove ? 1 : 0;
    counts.faster += move.change < -store::kNoticedMove ? 1 : 0;
  }
  return counts;
}

}  // namespace

std::string findings_text(model::Baseline const& baseline, std::vector<store::Finding> const& findings, Detail detail) {
  std::size_t const shown = detail == Detail::verbose ? findings.size() : std::min(findings.size(), kFewLines);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    std::string const why = model::one_line(store::accepted_despite(baseline, findings[i]));
    text += fmt::format("  {}: {}{}\n", to_text(findings[i].kind), findings[i].text,
                        why.empty() ? "" : fmt::format(" (accepted all the same: {})", why));
  }
  if (shown < findings.size()) {
    text += fmt::format("  and {} more findings; --verbose shows them\n", findings.size() - shown);
  }
  return text;
}

nlohmann::json findings_json(model::Baseline const& baseline, std::vector<store::Finding> const& findings) {
  nlohmann::json list = nlohmann::json::array();
  for (store::Finding const& finding : findings) {
    nlohmann::json one = {{"kind", to_text(finding.kind)},
                          {"name", finding.name},
                          {"text", finding.text},
                          {"sessions", finding.sessions},
                          {"cases", finding.cases}};
    model::put_nonempty(one, "accepted_because", store::accepted_despite(baseline, finding));
    list.push_back(std::move(one));
  }
  return list;
}

std::string levels_text(std::vector<store::LevelMove> const& moves, Detail detail) {
  if (moves.empty()) {
    return "";
  }
  Counts const counts = counts_of(moves);
  std::size_t const rows = detail == Detail::verbose ? moves.size() : std::min(counts.slower, kFewLines);
  std::string text;
  if (rows > 0 && detail != Detail::quiet) {
    std::vector<std::vector<std::string>> cells;
    for (std::size_t i = 0; i < rows; ++i) {
      cells.push_back({moves[i].case_id, percent(moves[i].ratio), percent(moves[i].cycles), percent(moves[i].time)});
    }
    constexpr auto kRight = report::Column::Align::right;
    text = report::columns({{"level of", {}}, {"ratio", kRight}, {"cycles", kRight}, {"time", kRight}}, cells);
    if (detail != Detail::verbose && rows < counts.slower) {
      text += fmt::format("and {} more became slower; --verbose shows all levels\n", counts.slower - rows);
    }
  }
  std::string const most = counts.slower == 0 ? ""
                                              : fmt::format(", by {} at most ({})", percent(moves.front().change),
                                                            model::one_line(moves.front().case_id));
  return text + fmt::format("{} of {} levels move by more than {:.1f} %; slower: {}{}; faster: {}\n",
                            counts.slower + counts.faster, moves.size(), 100 * store::kNoticedMove, counts.slower, most,
                            counts.faster);
}

nlohmann::json levels_json(std::vector<store::LevelMove> const& moves) {
  Counts const counts = counts_of(moves);
  nlohmann::json cases = nlohmann::json::array();
  for (store::LevelMove const& move : moves) {
    nlohmann::json one = {{"id", move.case_id}};
    model::put_number(one, "change", move.change);
    model::put_number(one, "ratio", move.ratio);
    model::put_number(one, "cycles", move.cycles);
    model::put_number(one, "time", move.time);
    cases.push_back(std::move(one));
  }
  return {{"noticed", store::kNoticedMove},
          {"compared", moves.size()},
          {"slower", counts.slower},
          {"faster", counts.faster},
          {"cases", cases}};
}

}  // namespace perfcheck::baselines
