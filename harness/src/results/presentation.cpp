// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/presentation.h"

#include "perfcheck/model/json_members.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/model/physics.h"
#include "perfcheck/model/run.h"
#include "perfcheck/model/summary.h"
#include "perfcheck/report/case_table.h"
#include "perfcheck/report/format.h"
#include "perfcheck/report/result_formats.h"
#include "perfcheck/results/repro.h"
#include "perfcheck/results/results_json.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/creep_text.h"
#include "trends.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace perfcheck::results {
namespace {

report::TableStyle style_of(Context const& context) {
  report::TableStyle style;
  style.color = context.terminal.colored(context.color) ? report::Color::on : report::Color::off;
  switch (context.detail) {
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
  return model::one_line(line) + "\n";
}

/// A line for each kernel about all of its cases together, where that is not just "pass".
std::string kernel_lines(gate::Decisions const& decisions, Detail detail) {
  std::string text;
  for (gate::CaseDecision const& kernel : decisions.kernels) {
    if (kernel.verdict != model::Verdict::pass || detail == Detail::verbose) {
      text +=
          model::one_line(fmt::format("kernel {}: {}: {}", kernel.id, model::to_text(kernel.verdict), kernel.reason)) +
          "\n";
    }
  }
  return text;
}

std::string closing(report::CheckResult const& result) {
  return text_of(result.repro) + fmt::format("\n{}; {}; exit code {}\n", report::count_line(result.rows),
                                             report::format_duration(result.run.seconds),
                                             static_cast<int>(result.exit_code));
}

/// Adds what could not be checked about times, and which cases got a second try; once, however many sessions say it.
void add_session_notes(std::vector<std::string>& notes, model::Run const& run) {
  for (model::Session const& session : run.sessions) {
    for (std::string const& warning : session.environment.warnings) {
      bool const told = warning.starts_with(model::kPhysicsNote) || warning.starts_with(model::kSecondTryNote);
      if (told && std::ranges::find(notes, warning) == notes.end()) {
        notes.push_back(warning);
      }
    }
  }
}

report::CheckResult result_of(Outcome const& outcome, ShowOptions const& options) {
  report::CheckResult result;
  result.run = outcome.run;
  if (outcome.decisions != nullptr) {
    result.decisions = *outcome.decisions;
    result.rows = report::rows_of(outcome.run, *outcome.decisions, outcome.demoted);
  } else {
    result.rows = report::rows_of(outcome.run);
  }
  add_session_notes(result.decisions.notes, outcome.run);
  result.exit_code = outcome.exit_code;
  result.command = outcome.command;
  result.repro = repros_of(result.rows, outcome.again);
  result.name = !options.result_name.empty()   ? options.result_name
                : outcome.run.sessions.empty() ? outcome.run.worker.operation
                                               : outcome.run.sessions.front().device.slug;
  if (outcome.baseline != nullptr && outcome.decisions != nullptr) {
    result.trends = trends_of(*outcome.baseline, outcome.run, *outcome.decisions);
  }
  result.report_url = options.report_url;
  return result;
}

std::string json_of(report::CheckResult const& result, Outcome const& outcome) {
  nlohmann::json object = outcome.decisions != nullptr
                              ? check_json(result.run, result.decisions, result.rows)
                              : run_json(result.run, result.decisions.notes, result.rows, result.exit_code);
  if (outcome.crept != nullptr) {
    object["creep"] = trends::creep_json(*outcome.crept, trends::Cases::crept);
  }
  return model::document_text(object);
}

std::string table_of(report::CheckResult const& result, Context const& context) {
  std::string text = context.detail == Detail::quiet ? "" : device_line(result.run);
  text += report::case_table(result.rows, style_of(context));
  text += kernel_lines(result.decisions, context.detail);
  for (std::string const& note : result.decisions.notes) {
    text += "note: " + model::one_line(note) + "\n";
  }
  bool const compared = !result.decisions.cases.empty();
  if (compared && context.detail != Detail::quiet) {
    text += report::sight_line(result.rows) + report::pass_line(result.rows);
  }
  return text + closing(result);
}

constexpr char const* kRunFile = "run.json";
constexpr char const* kJsonFile = "check.json";

std::string in_results_dir(ShowOptions const& options, std::string_view file) {
  return (std::filesystem::path(options.results_dir) / file).string();
}

/// Every format in --results-dir. JSON is last: once it is there, all of them are.
std::vector<ResultFile> folder_files(ShowOptions const& options) {
  std::vector<ResultFile> files;
  for (report::ResultFormat const format : report::result_formats()) {
    files.push_back({.format = format, .file = in_results_dir(options, report::result_file(format))});
  }
  files.push_back({.format = std::nullopt, .file = in_results_dir(options, kJsonFile)});
  return files;
}

std::vector<ResultFile> wanted_files(ShowOptions const& options) {
  std::vector<ResultFile> files = options.results;
  if (!options.results_dir.empty()) {
    std::ranges::move(folder_files(options), std::back_inserter(files));
  }
  return files;
}

}  // namespace

void prepare_results(ShowOptions const& options) {
  if (options.results_dir.empty()) {
    return;
  }
  std::error_code error;
  std::filesystem::create_directories(options.results_dir, error);
  std::vector<ResultFile> old = folder_files(options);
  old.push_back({.format = std::nullopt, .file = in_results_dir(options, kRunFile)});
  for (ResultFile const& one : old) {
    if (!error) {
      std::filesystem::remove(one.file, error);
    }
  }
  if (error || ::access(options.results_dir.c_str(), W_OK | X_OK) != 0) {
    throw store::IoError(fmt::format("--results-dir {}: {}; make it a folder that can be written, or name another",
                                     options.results_dir,
                                     error ? error.message() : std::generic_category().message(errno)));
  }
}

void write_run(model::Run const& run, std::string const& out, ShowOptions const& options) {
  if (!out.empty()) {
    store::write_run(out, run);
  }
  if (!options.results_dir.empty()) {
    store::write_run(in_results_dir(options, kRunFile), run);
  }
}

void present(Outcome const& outcome, ShowOptions const& options, Context& context) {
  report::CheckResult const result = result_of(outcome, options);
  std::string const json = json_of(result, outcome);
  context.terminal.print(context.output == Output::json ? json : table_of(result, context));
  for (ResultFile const& wanted : wanted_files(options)) {
    std::string const text = wanted.format ? report::write_result(*wanted.format, result) : json;
    if (wanted.file == "-") {
      context.terminal.print(text);
    } else {
      store::write_file_atomically(wanted.file, text);
    }
  }
}

}  // namespace perfcheck::results
