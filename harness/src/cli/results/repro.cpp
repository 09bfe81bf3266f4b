// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "results/repro.h"

#include "perfcheck/gate/glob.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace perfcheck::cli {
namespace {

/// A case that is gone cannot be measured again, and measuring again gives no baseline.
bool reproducible(report::CaseRow const& row) {
  return row.failed && row.outcome != model::to_text(model::Verdict::missing) &&
         row.outcome != model::to_text(model::Verdict::no_baseline);
}

std::string repro_command(std::string const& command, std::vector<std::string> const& case_ids,
                          Options const& options) {
  std::string text = options.repro.empty() ? fmt::format("perfcheck {}", command) : options.repro;
  auto const add = [&](char const* option, std::string const& value) {
    if (!value.empty()) {
      text += fmt::format(" {} {}", option, shell_quoted(value));
    }
  };
  if (options.repro.empty()) {
    add("--config", options.config);
    add("--config-of-change", options.change_config);
    add("--worker", options.worker);
    if (options.worker.empty() && options.backend != "auto") {
      add("--backend", options.backend);
    }
    if (options.device != 0) {
      add("--device", std::to_string(options.device));
    }
    add("--baselines", options.baselines);
    add("--base", options.base);
    add("--base-ref", options.base_ref);
    add("--judge", options.judge);
  }
  if (options.sealed) {
    add("--sealed", std::string(to_text(*options.sealed)));
  }
  if (options.suite != kDefaultSuite) {
    add("--suite", options.suite);
  }
  for (std::string const& injection : options.inject) {
    std::string const pattern = injection.substr(0, injection.rfind('='));
    if (std::any_of(case_ids.begin(), case_ids.end(),
                    [&](std::string const& id) { return gate::glob_matches_case(pattern, id); })) {
      add("--inject-slowdown", injection);
    }
  }
  add("--filter", case_ids.size() == 1 ? case_ids.front() : model::split_case_id(case_ids.front()).kernel);
  return text;
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

std::vector<report::Repro> repros_of(std::vector<report::CaseRow> const& rows, std::string const& command,
                                     Options const& options) {
  std::vector<report::Repro> repros;
  if (command.empty()) {
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
    repro.command = repro_command(command, repro.case_ids, options);
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

}  // namespace perfcheck::cli
