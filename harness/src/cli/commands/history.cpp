// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck history: every run ever recorded.
#include "baselines/stored.h"
#include "command_line/errors.h"
#include "commands/commands.h"
#include "config/config.h"
#include "histories/history_place.h"
#include "histories/history_series_text.h"
#include "histories/history_text.h"
#include "measuring/plan.h"
#include "measuring/source_info.h"
#include "measuring/workbench.h"
#include "perfcheck/history/export.h"
#include "perfcheck/store/store.h"
#include "results/finished_run.h"
#include "results/renaming.h"
#include "results/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>

namespace perfcheck::cli {
namespace {

using history::History;
using model::ExitCode;

/// Adds what files hold, whatever kind they are of.
class Adding {
 public:
  Adding(Options const& options, Context& context)
      : options_(options),
        context_(context),
        config_(load_config(options.config)),
        history_(required_history_place(options, config_), history::Mode::write) {}

  ExitCode run() {
    for (std::string const& file : options_.files) {
      if (file == "-" || is_export(file)) {
        add_export(file);
      } else {
        add_run(file);
      }
    }
    context_.terminal.wipe_status();
    if (options_.output == Output::json) {
      context_.terminal.print(fmt::format("{{\"added\": {}, \"already_there\": {}}}\n", added_, there_));
    } else if (options_.detail != Detail::quiet) {
      context_.terminal.print(fmt::format("{} added to {}{}\n", added_, history_.name(),
                                          there_ > 0 ? fmt::format(", {} were there already", there_) : std::string()));
    }
    return ExitCode::ok;
  }

 private:
  /// By its first line; files that cannot be read are left to those who say why.
  static bool is_export(std::string const& file) {
    std::ifstream stream(file);
    std::string line;
    return std::getline(stream, line) && history::looks_like_export(line);
  }

  /// Line by line: an export may be larger than memory.
  void add_export(std::string const& file) {
    std::ifstream stream;
    if (file != "-") {
      stream.open(file);
    }
    std::istream& lines = file == "-" ? std::cin : stream;
    std::string const name = file == "-" ? "standard input" : file;
    std::string line;
    std::size_t number = 0;
    while (std::getline(lines, line)) {
      ++number;
      if (!line.empty()) {
        history::ImportedLine const imported = history::import_line(line, fmt::format("{}:{}", name, number));
        count(imported.run ? history_.add(*imported.run, imported.decision) : history_.add(*imported.calibration));
      }
    }
    if (lines.bad() || number == 0) {
      throw store::IoError(fmt::format("{}: could not be read to its end, or is empty; export it again", name));
    }
  }

  void add_run(std::string const& file) {
    std::filesystem::path const folder = config_.file.parent_path();
    importing::ImportOptions import = import_options(options_);
    if (!options_.commit.empty()) {
      import.source = commit_info(folder, options_.commit, &context_.interrupt);
      if (import.source.commit.empty()) {
        throw UsageError(fmt::format("--commit {}: the repository in {} knows no such commit", options_.commit,
                                     folder.empty() ? "this folder" : folder.string()));
      }
    }
    model::Run run = read_as_one_run(file, import);
    complete(run.source, folder, &context_.interrupt);
    if (run.sessions.empty()) {
      count(history_.add(run, std::nullopt));  // refused, with the reason
      return;
    }
    std::filesystem::path const baselines = baselines_folder(options_, config_);
    Renaming renaming = Renaming::beside(config_.names, {run});
    auto const baseline = renaming.baseline(
        trusted_baseline(baselines, run.sessions.front().device.slug, run.worker.operation), baselines);
    gate::Decisions const decisions =
        decide_finished(renaming.run(run, file), baseline, config_.backend(run.worker.backend).policy,
                        asked_of(run, config_, options_), renaming);
    count(history_.add(run, history::decision_of(under_ids_of(run, decisions, renaming.renames()))));
  }

  void count(History::Added added) {
    context_.interrupt.throw_if_raised();
    ++(added == History::Added::added ? added_ : there_);
    context_.terminal.status(fmt::format("{} added", added_));
  }

  Options const& options_;
  Context& context_;
  Config const config_;
  History history_;
  int added_ = 0, there_ = 0;
};

/// Text that grows in a file or on standard output; the file appears when everything is written.
class Destination {
 public:
  Destination(Options const& options, Context& context) : context_(context) {
    if (!options.out.empty()) {
      file_.emplace(options.out);
    }
  }
  void add(std::string const& text) {
    context_.interrupt.throw_if_raised();
    if (file_) {
      file_->add(text);
    } else {
      context_.terminal.print(text);
    }
  }
  void finish() {
    if (file_) {
      file_->finish();
    }
  }

 private:
  Context& context_;
  std::optional<store::AtomicFile> file_;
};

/// With today's ids.
History open_to_read(Options const& options) {
  Config const config = load_config(options.config);
  return open_history(required_history_place(options, config), config);
}

/// The cases that match --filter, each over its runs.
void show_series(History& history, std::vector<history::RunEntry> const& runs, Options const& options,
                 Context& context) {
  std::map<int64_t, std::size_t> place;  // in the order of the commits
  for (std::size_t i = 0; i < runs.size(); ++i) {
    place[runs[i].number] = i;
  }
  std::vector<ShownSeries> shown;
  for (history::SeriesEntry const& series : history.series()) {
    if (!selected(options.filters, series.case_id)) {
      continue;
    }
    context.interrupt.throw_if_raised();
    ShownSeries one{.series = series, .points = {}};
    history.read(series, [&](history::Result const& result) {
      if (auto const found = place.find(result.run); found != place.end()) {  // else added a moment ago
        one.points.push_back({.run = &runs[found->second], .result = result});
      }
    });
    std::ranges::sort(one.points, {}, [](ShownPoint const& point) { return point.run; });
    shown.push_back(std::move(one));
  }
  if (shown.empty()) {
    throw CommandError(ExitCode::broken,
                       fmt::format("{}: no case matches --filter; `perfcheck history export --format csv` has them all",
                                   history.name()));
  }
  context.terminal.print(options.output == Output::json ? series_json_text(shown)
                                                        : series_text(shown, options.detail == Detail::verbose));
}

}  // namespace

ExitCode command_history_add(Options const& options, Context& context) { return Adding(options, context).run(); }

ExitCode command_history_upgrade(Options const& options, Context& context) {
  History const history(required_history_place(options, load_config(options.config)), history::Mode::write);
  context.terminal.message(fmt::format("{} is up to date", history.name()));
  return ExitCode::ok;
}

ExitCode command_history_show(Options const& options, Context& context) {
  History history = open_to_read(options);
  std::vector<history::RunEntry> runs = history.runs();
  if (!options.filters.empty()) {
    show_series(history, runs, options, context);
    return ExitCode::ok;
  }
  if (!options.run_id.empty()) {
    std::erase_if(runs, [&](history::RunEntry const& run) { return run.id != options.run_id; });
    if (runs.empty()) {
      throw CommandError(ExitCode::broken, fmt::format("{}: there is no run {}; `perfcheck history show` lists them",
                                                       history.name(), options.run_id));
    }
    auto const decision = history.decision(runs.front());
    context.terminal.print(options.output == Output::json
                               ? run_json_text(runs.front(), history.head(runs.front()), decision)
                               : run_text(runs.front(), history.head(runs.front()), decision));
    return ExitCode::ok;
  }
  context.terminal.print(options.output == Output::json
                             ? runs_json_text(runs)
                             : runs_text(runs, history.name(), options.detail == Detail::verbose));
  return ExitCode::ok;
}

ExitCode command_history_export(Options const& options, Context& context) {
  History history = open_to_read(options);
  if (options.format == Options::Format::jsonl) {
    history.honour({});  // to be added elsewhere, where the same run may be already
  }
  Destination output(options, context);
  std::vector<history::RunEntry> const runs = history.runs();
  if (options.format == Options::Format::csv) {
    std::map<int64_t, history::RunEntry const*> by_number;
    for (history::RunEntry const& run : runs) {
      by_number[run.number] = &run;
    }
    output.add(history::csv_header());
    for (history::SeriesEntry const& series : history.series()) {
      std::string lines;
      history.read(series, [&](history::Result const& result) {
        if (auto const run = by_number.find(result.run); run != by_number.end()) {  // else added a moment ago
          lines += history::csv_line(*run->second, series, result);
        }
      });
      output.add(lines);
    }
  } else {
    for (history::RunEntry const& run : runs) {
      output.add(history::export_line(history.run(run), history.decision(run)));
    }
    for (history::StoredCalibration const& calibration : history.calibrations()) {
      output.add(history::export_line(calibration));
    }
  }
  output.finish();
  return ExitCode::ok;
}

}  // namespace perfcheck::cli
