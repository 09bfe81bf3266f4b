// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "presentation.h"

#include "gate/glob.h"
#include "model/run.h"
#include "model/summary.h"
#include "report/case_table.h"
#include "report/format.h"
#include "results_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace perfcheck::cli {
namespace {

report::TableStyle style_of(Options const& options, Terminal const& terminal) {
  report::TableStyle style;
  style.color = terminal.colored(options.color) ? report::Color::on : report::Color::off;
  switch (options.detail) {
    case Detail::quiet: style.rows = report::TableStyle::Rows::attention; break;
    case Detail::normal: style.rows = report::TableStyle::Rows::all; break;
    case Detail::verbose: style.rows = report::TableStyle::Rows::all_and_skipped; break;
  }
  return style;
}

std::string device_line(model::Run const& run) {
  if (run.sessions.empty()) {
    return "";
  }
  model::Session const& session = run.sessions.front();
  std::string line = session.device.name;
  if (!session.environment.driver.empty()) {
    line += ", driver " + session.environment.driver;
  }
  for (auto const& [name, version] : session.environment.libraries) {
    line += fmt::format(", {} {}", name, version);
  }
  if (!run.source.commit.empty()) {
    line += fmt::format(", commit {}{}", run.source.commit.substr(0, 12), run.source.dirty ? " with changes" : "");
  }
  return line + "\n";
}

/// A case that is gone cannot be measured again, and measuring again gives no baseline.
bool reproducible(report::CaseRow const& row) {
  return row.failed && row.outcome != model::to_text(model::Verdict::missing) &&
         row.outcome != model::to_text(model::Verdict::no_baseline);
}

/// Text as one word of a shell command: quoted when it needs to be.
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

/// The command that measures these cases of one kernel again, with the options of this run that matter to them: by
/// their name if there is only one, else with all cases of the kernel.
std::string repro_command(std::string const& command, std::vector<std::string> const& case_ids,
                          Options const& options) {
  std::string text = fmt::format("perfcheck {}", command);
  auto const add = [&](char const* option, std::string const& value) {
    if (!value.empty()) {
      text += fmt::format(" {} {}", option, shell_quoted(value));
    }
  };
  add("--config", options.config);
  add("--worker", options.worker);
  if (options.worker.empty() && options.backend != "auto") {
    add("--backend", options.backend);
  }
  if (options.device != 0) {
    add("--device", std::to_string(options.device));
  }
  add("--baselines", options.baselines);
  if (options.suite != "default") {
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

/// The commands that measure again what failed, one for each kernel.
std::string repro_commands(std::vector<report::CaseRow> const& rows, std::string const& command,
                           Options const& options) {
  std::vector<std::vector<std::string>> kernels;
  std::map<std::string, std::size_t> index;
  for (report::CaseRow const& row : rows) {
    if (reproducible(row)) {
      auto const [place, is_new] = index.emplace(model::split_case_id(row.id).kernel, kernels.size());
      if (is_new) {
        kernels.emplace_back();
      }
      kernels[place->second].push_back(row.id);
    }
  }
  std::string text;
  for (std::vector<std::string> const& case_ids : kernels) {
    text += fmt::format("  {}{}\n", repro_command(command, case_ids, options),
                        case_ids.size() == 1 ? "" : fmt::format("  # {} failed cases", case_ids.size()));
  }
  return text.empty() ? text : "\nto measure again what failed:\n" + text;
}

/// What all cases of a kernel together say, where that is not just "pass".
std::string kernel_lines(gate::Decisions const& decisions, Options const& options) {
  std::string text;
  for (gate::CaseDecision const& kernel : decisions.kernels) {
    if (kernel.verdict != model::Verdict::pass || options.detail == Detail::verbose) {
      text += fmt::format("kernel {}: {}: {}\n", kernel.id, model::to_text(kernel.verdict), kernel.reason);
    }
  }
  return text;
}

std::string closing(model::Run const& run, std::vector<report::CaseRow> const& rows, model::ExitCode code,
                    std::string const& command, Options const& options) {
  return (command.empty() ? "" : repro_commands(rows, command, options)) +
         fmt::format("\n{}; {}; exit code {}\n", report::count_line(rows), report::format_duration(run.seconds),
                     static_cast<int>(code));
}

}  // namespace

void present(model::Run const& run, gate::Decisions const& decisions, gate::Policy const& policy,
             Options const& options, Context& context, std::string const& command) {
  std::vector<report::CaseRow> const rows = report::rows_of(run, decisions, policy.demoted);
  if (options.output == Output::json) {
    context.terminal.print(text_of(check_json(run, decisions, rows)));
    return;
  }
  std::string text = options.detail == Detail::quiet ? "" : device_line(run);
  text += report::case_table(rows, style_of(options, context.terminal));
  text += kernel_lines(decisions, options);
  for (std::string const& note : decisions.notes) {
    text += "note: " + note + "\n";
  }
  if (options.detail != Detail::quiet) {
    text += report::sight_line(rows);
  }
  context.terminal.print(text + closing(run, rows, decisions.exit_code, command, options));
}

void present(model::Run const& run, model::ExitCode exit_code, Options const& options, Context& context,
             std::string const& command) {
  std::vector<report::CaseRow> const rows = report::rows_of(run);
  if (options.output == Output::json) {
    context.terminal.print(text_of(run_json(run, rows, exit_code)));
    return;
  }
  std::string text = options.detail == Detail::quiet ? "" : device_line(run);
  text += report::case_table(rows, style_of(options, context.terminal));
  context.terminal.print(text + closing(run, rows, exit_code, command, options));
}

model::ExitCode exit_code_of(model::Run const& run) {
  bool any_done = false;
  bool any_broken = false;
  for (model::Session const& session : run.sessions) {
    for (model::CaseResult const& result : session.cases) {
      bool const verified = result.skip_reason == model::SkipReason::verify_only;
      bool const measured = result.status == model::CaseStatus::measured && model::summarize(result).has_value();
      any_done = any_done || measured || verified;
      any_broken = any_broken || !(measured || result.status == model::CaseStatus::skipped);
    }
  }
  return any_done && !any_broken ? model::ExitCode::ok : model::ExitCode::broken;
}

}  // namespace perfcheck::cli
