// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/history_import.h"

#include "perfcheck/baselines/stored.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/git/source_info.h"
#include "perfcheck/history/export.h"
#include "perfcheck/results/renaming.h"
#include "perfcheck/results/run_files.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/history_place.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>

namespace perfcheck::results {
namespace {

using history::History;

class HistoryImport {
 public:
  HistoryImport(ImportOptions const& options, Context& context)
      : options_(options),
        context_(context),
        config_(config::load_config(context.config)),
        history_(trends::required_history_place(options.history, config_), history::Mode::write) {}

  void run() {
    for (std::string const& file : options_.files) {
      if (file == "-" || is_export(file)) {
        add_export(file);
      } else {
        add_run(file);
      }
    }
    context_.terminal.wipe_status();
    if (context_.output == Output::json) {
      context_.terminal.print(fmt::format("{{\"added\": {}, \"already_there\": {}}}\n", added_, there_));
    } else if (context_.detail != Detail::quiet) {
      context_.terminal.print(fmt::format("{} added to {}{}\n", added_, history_.name(),
                                          there_ > 0 ? fmt::format(", {} were there already", there_) : std::string()));
    }
  }

 private:
  /// Tells by the first line. A file that cannot be read is no export; whoever reads it later reports the error.
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
    importing::ImportOptions import = options_.foreign;
    if (!options_.commit.empty()) {
      import.source = git::commit_info(folder, options_.commit, &context_.interrupt);
      if (import.source.commit.empty()) {
        throw UsageError(fmt::format("--commit {}: the repository in {} knows no such commit", options_.commit,
                                     folder.empty() ? "this folder" : folder.string()));
      }
    }
    model::Run run = read_as_one_run(file, import);
    git::complete(run.source, folder, &context_.interrupt);
    if (run.sessions.empty()) {
      count(history_.add(run, std::nullopt));  // refused, with the reason
      return;
    }
    std::filesystem::path const root = config::baselines_folder(options_.baselines, config_);
    Renaming renaming = Renaming::beside(config_.names, {run});
    auto const baseline =
        renaming.baseline(baselines::trusted_baseline(root, run.sessions.front().device.slug, run.worker), root);
    gate::Decisions const decisions =
        decide_finished(renaming.run(run, file), baseline, config_.backend(run.worker.backend).policy,
                        asked_of(run, config_, options_.asked), renaming);
    count(history_.add(run, history::decision_of(under_ids_of(run, decisions, renaming.renames()))));
  }

  void count(History::Added added) {
    context_.interrupt.throw_if_raised();
    ++(added == History::Added::added ? added_ : there_);
    context_.terminal.status(fmt::format("{} added", added_));
  }

  ImportOptions const& options_;
  Context& context_;
  config::Config const config_;
  History history_;
  int added_ = 0, there_ = 0;
};

}  // namespace

void add_to_history(ImportOptions const& options, Context& context) { HistoryImport(options, context).run(); }

}  // namespace perfcheck::results
