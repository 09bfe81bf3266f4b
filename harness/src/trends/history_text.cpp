// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/history_text.h"

#include "perfcheck/model/json_members.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/report/columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace perfcheck::trends {
namespace {

using nlohmann::json;

json entry_json(history::RunEntry const& run) {
  json object = {{"id", run.id},       {"started", run.started},     {"device", run.device_slug},
                 {"card", run.card},   {"operation", run.operation}, {"suite", run.suite},
                 {"cases", run.cases}, {"dirty", run.dirty}};
  for (auto const& [key, text] :
       {std::pair{"committed", run.committed}, {"commit", run.commit}, {"origin", run.origin}}) {
    if (!text.empty()) {
      object[key] = text;
    }
  }
  if (run.exit_code) {
    object["exit_code"] = *run.exit_code;
  }
  return object;
}

std::map<std::string, int> counts_of(std::optional<history::RunDecision> const& decision) {
  std::map<std::string, int> counts;
  if (decision) {
    for (auto const& [id, one] : decision->cases) {
      ++counts[std::string(model::to_text(one.verdict))];
    }
  }
  return counts;
}

}  // namespace

std::string short_commit(history::RunEntry const& run) {
  return run.commit.empty() ? "-" : model::one_line(run.commit.substr(0, 12)) + (run.dirty ? "-dirty" : "");
}

std::string counted(std::size_t count, char const* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string runs_text(std::vector<history::RunEntry> const& runs, std::string const& name, bool every_run) {
  if (runs.empty()) {
    return fmt::format("{} holds no run yet\n", model::one_line(name));
  }
  std::map<std::pair<std::string, std::string>, std::vector<history::RunEntry const*>> devices;
  for (history::RunEntry const& run : runs) {
    devices[{run.device_slug, run.operation}].push_back(&run);
  }
  std::string text;
  for (auto const& [key, own] : devices) {
    std::set<std::string> commits, cards;
    for (history::RunEntry const* run : own) {
      commits.insert(run->commit);
      cards.insert(run->card);
    }
    text += fmt::format("{}{}, {}: {} of {} on {}\n", text.empty() ? "" : "\n", model::one_line(key.first),
                        model::one_line(key.second), counted(own.size(), "run"), counted(commits.size(), "commit"),
                        counted(cards.size(), "card"));
    std::size_t const hidden = every_run || own.size() <= kShownRuns ? 0 : own.size() - kShownRuns;
    if (hidden > 0) {
      text += fmt::format("  {} before these (--verbose shows them)\n", counted(hidden, "run"));
    }
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = hidden; i < own.size(); ++i) {
      history::RunEntry const& run = *own[i];
      rows.push_back({model::one_line(run.id), short_commit(run),
                      run.committed.empty() ? "-" : model::one_line(run.committed), model::one_line(run.suite),
                      fmt::format("{}", run.cases), run.exit_code ? fmt::format("{}", *run.exit_code) : "-"});
    }
    using Align = report::Column::Align;
    text += report::columns(
        {{"run"}, {"commit"}, {"committed"}, {"suite"}, {"cases", Align::right}, {"exit code", Align::right}}, rows);
  }
  return text;
}

std::string runs_json_text(std::vector<history::RunEntry> const& runs) {
  json object = {{"schema", "perfcheck.runs/1"}, {"runs", json::array()}};
  for (history::RunEntry const& run : runs) {
    object["runs"].push_back(entry_json(run));
  }
  return model::document_text(object);
}

std::string run_text(history::RunEntry const& run, history::RunHead const& head,
                     std::optional<history::RunDecision> const& decision) {
  model::SourceInfo const& source = head.run.source;
  std::string text =
      fmt::format("run        {}\nmeasured   {}, {} on {}{}\n", model::one_line(run.id), model::one_line(run.started),
                  counted(head.run.sessions.size(), "session"), model::one_line(run.device_slug),
                  run.origin.empty() ? "" : ", by " + model::one_line(run.origin));
  text += fmt::format("commit     {} {}\n", short_commit(run), model::one_line(source.subject));
  if (!source.author.empty()) {
    text += fmt::format("           {}, {}\n", model::one_line(source.author), model::one_line(source.committed));
  }
  text += fmt::format("suite      {}, {}\n", model::one_line(run.suite),
                      counted(static_cast<std::size_t>(run.cases), "case"));
  if (!decision) {
    return text + "decision   none\n";
  }
  std::string counts;
  for (auto const& [verdict, count] : counts_of(decision)) {
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, verdict);
  }
  text += fmt::format("decision   exit code {}: {}\n", static_cast<int>(decision->exit_code), counts);
  for (auto const& [id, one] : decision->cases) {
    if (one.verdict != model::Verdict::pass && one.verdict != model::Verdict::skipped) {
      text += fmt::format("\n{}\n    {}: {}\n", model::one_line(id), model::to_text(one.verdict),
                          model::one_line(one.reason));
    }
  }
  for (std::string const& note : decision->notes) {
    text += fmt::format("\nnote: {}\n", model::one_line(note));
  }
  return text;
}

std::string run_json_text(history::RunEntry const& run, history::RunHead const& head,
                          std::optional<history::RunDecision> const& decision) {
  json object = entry_json(run);
  object["schema"] = "perfcheck.history_run/1";
  object["subject"] = head.run.source.subject;
  object["sessions"] = head.run.sessions.size();
  if (decision) {
    object["counts"] = counts_of(decision);
    object["notes"] = decision->notes;
    for (auto const& [id, one] : decision->cases) {
      object["verdicts"][id] = model::to_text(one.verdict);
    }
  }
  return model::document_text(object);
}

}  // namespace perfcheck::trends
