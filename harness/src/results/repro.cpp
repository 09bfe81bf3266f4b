// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/repro.h"

#include "perfcheck/gate/glob.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace perfcheck::results {
namespace {

/// A case that is gone cannot be measured again, and measuring again gives no baseline.
bool reproducible(report::CaseRow const& row) {
  return row.failed && row.outcome != model::to_text(model::Verdict::missing) &&
         row.outcome != model::to_text(model::Verdict::no_baseline);
}

std::string repro_command(MeasureAgain const& again, std::vector<std::string> const& case_ids) {
  std::string text = again.command;
  for (std::string const& injection : again.injected) {
    std::string const pattern = injection.substr(0, injection.rfind('='));
    if (std::any_of(case_ids.begin(), case_ids.end(),
                    [&](std::string const& id) { return gate::glob_matches_case(pattern, id); })) {
      text += " --inject-slowdown " + shell_quoted(injection);
    }
  }
  std::string const what = case_ids.size() == 1 ? case_ids.front() : model::split_case_id(case_ids.front()).kernel;
  return text + " --filter " + shell_quoted(what);
}

}  // namespace

std::string shell_quoted(std::string const& text) {
  auto const plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("@%+=:,./-_").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) {
    return text;
  }
  std::string quoted = "'";
  for (char const c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

std::vector<report::Repro> repros_of(std::vector<report::CaseRow> const& rows, MeasureAgain const& again) {
  std::vector<report::Repro> repros;
  if (again.command.empty()) {
    return repros;
  }
  std::map<std::string, std::size_t> index;
  for (report::CaseRow const& row : rows) {
    if (reproducible(row)) {
      auto const [place, is_new] = index.emplace(model::split_case_id(row.id).kernel, repros.size());
      if (is_new) {
        repros.emplace_back();
      }
      repros[place->second].case_ids.push_back(row.id);
    }
  }
  for (report::Repro& repro : repros) {
    repro.command = repro_command(again, repro.case_ids);
  }
  return repros;
}

std::string text_of(std::vector<report::Repro> const& repros) {
  std::string text;
  for (report::Repro const& repro : repros) {
    std::size_t const cases = repro.case_ids.size();
    text += fmt::format("  {}{}\n", repro.command, cases == 1 ? "" : fmt::format("  # {} failed cases", cases));
  }
  return text.empty() ? text : "\nto measure again what failed:\n" + text;
}

}  // namespace perfcheck::results
