// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck history: every run ever recorded.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/history/export.h"
#include "perfcheck/results/history_import.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/creep_text.h"
#include "perfcheck/trends/history_place.h"
#include "perfcheck/trends/history_series_text.h"
#include "perfcheck/trends/history_text.h"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace perfcheck::cli {
namespace {

using history::History;
using model::ExitCode;

constexpr char const* kPlace = "SQLite file or PostgreSQL database (default: as perfcheck.toml says)";

constexpr char const* kExamples =
    "examples:\n"
    "  perfcheck check --history perf.sqlite                     measure, decide, keep\n"
    "  perfcheck history add --history perf.sqlite *.run.json    keep runs that were measured elsewhere\n"
    "  perfcheck history show --history postgresql://ci@db/perf\n"
    "  perfcheck history show --history perf.sqlite --filter 'gemm/mma/wide_tile_tf32@*4096*'    a case over its runs\n"
    "  perfcheck history creep --history perf.sqlite             steps below the margin that add up\n"
    "  perfcheck history export --history perf.sqlite --format csv --out perf.csv";

constexpr char const* kCreepHelp =
    "Each case is compared with its level at the last release (the newest tag v*, or as [creep] says), at the last\n"
    "accepted baseline that moved it, or else in its first runs (docs/change-points.md, Creep). The commits that\n"
    "may have contributed are named, those that moved the level most first.\n\n"
    "exit codes: 0 no case crept beyond its margin  1 one did  3 it cannot be told: too few runs, or the machine moved";

ExitCode run_add(results::ImportOptions const& options, Context& context) {
  results::add_to_history(options, context);
  return ExitCode::ok;
}

/// Writes text piece by piece to a file or standard output; the file appears when everything is written.
class Destination {
 public:
  Destination(std::string const& file, Context& context) : context_(context) {
    if (!file.empty()) {
      file_.emplace(file);
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

/// Opens the history under today's ids.
History open_to_read(std::string const& place, Context const& context) {
  config::Config const config = config::load_config(context.config);
  return trends::open_history(trends::required_history_place(place, config), config);
}

struct UpgradeOptions {
  std::string history;
};

ExitCode run_upgrade(UpgradeOptions const& options, Context& context) {
  History const history(trends::required_history_place(options.history, config::load_config(context.config)),
                        history::Mode::write);
  context.terminal.message(fmt::format("{} is up to date", history.name()));
  return ExitCode::ok;
}

struct ShowOptions {
  std::string history, run_id;
  std::vector<std::string> filters;
};

void show_series(History& history, std::vector<history::RunEntry> const& runs, std::vector<std::string> const& filters,
                 Context& context) {
  std::vector<trends::ShownSeries> const shown = trends::matching_series(history, runs, filters, context.interrupt);
  if (shown.empty()) {
    throw CommandError(ExitCode::broken,
                       fmt::format("{}: no case matches --filter; `perfcheck history export --format csv` has them all",
                                   history.name()));
  }
  context.terminal.print(context.output == Output::json
                             ? trends::series_json_text(shown)
                             : trends::series_text(shown, context.detail == Detail::verbose));
}

ExitCode run_show(ShowOptions const& options, Context& context) {
  History history = open_to_read(options.history, context);
  std::vector<history::RunEntry> runs = history.runs();
  if (!options.filters.empty()) {
    show_series(history, runs, options.filters, context);
    return ExitCode::ok;
  }
  if (!options.run_id.empty()) {
    std::erase_if(runs, [&](history::RunEntry const& run) { return run.id != options.run_id; });
    if (runs.empty()) {
      throw CommandError(ExitCode::broken, fmt::format("{}: there is no run {}; `perfcheck history show` lists them",
                                                       history.name(), options.run_id));
    }
    auto const decision = history.decision(runs.front());
    context.terminal.print(context.output == Output::json
                               ? trends::run_json_text(runs.front(), history.head(runs.front()), decision)
                               : trends::run_text(runs.front(), history.head(runs.front()), decision));
    return ExitCode::ok;
  }
  context.terminal.print(context.output == Output::json
                             ? trends::runs_json_text(runs)
                             : trends::runs_text(runs, history.name(), context.detail == Detail::verbose));
  return ExitCode::ok;
}

struct ExportOptions {
  std::string history, out;
  enum class Format { jsonl, csv } format = Format::jsonl;
};

ExitCode run_export(ExportOptions const& options, Context& context) {
  History history = open_to_read(options.history, context);
  if (options.format == ExportOptions::Format::jsonl) {
    history.honour({});  // ids as recorded: the export may go into a history that already has the run
  }
  Destination output(options.out, context);
  std::vector<history::RunEntry> const runs = history.runs();
  if (options.format == ExportOptions::Format::csv) {
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

struct CreepOptions {
  std::string history, baselines;
  std::string anchor;  ///< empty: the last release
  std::vector<std::string> filters;
};

ExitCode run_creep(CreepOptions const& options, Context& context) {
  config::Config const config = config::load_config(context.config);
  std::filesystem::path const baselines = config::baselines_folder(options.baselines, config);
  History history = trends::open_history(trends::required_history_place(options.history, config), config);
  std::vector<trends::CreptDevice> devices;
  for (trends::DeviceHistory const& device : trends::devices_of(history, options.filters)) {
    if (!device.series.empty()) {
      devices.push_back(trends::creep_of(history, device, config, baselines, options.anchor, &context.interrupt));
    }
  }
  if (devices.empty()) {
    throw CommandError(ExitCode::broken,
                       options.filters.empty()
                           ? fmt::format("{}: there is no run in it yet; add some with check --history", history.name())
                           : fmt::format("{}: no case matches --filter", history.name()));
  }
  ExitCode const code = trends::creep_exit_code(devices);
  context.terminal.print(context.output == Output::json ? trends::creep_json_text(devices, code)
                                                        : trends::creep_text(devices, context.detail));
  return code;
}

void add_adding(CommandLine& line, CLI::App& group, char const* name, char const* description) {
  auto [sub, options] = line.add(group, name, description, run_add);
  sub->add_option("files", options.files,
                  "run files, exported histories (- for standard input), Google Benchmark's and NVBench's JSON")
      ->required()
      ->expected(1, -1)
      ->type_name("FILE...");
  add_history(sub, options.history, kPlace);
  add_of_suite(sub, options.asked.of_suite);
  add_filter(sub, options.asked.filters)->description(kMeasuredFilter);
  add_import(sub, options.foreign);
  sub->add_option("--commit", options.commit, "commit that an imported file measured; the file itself does not name it")
      ->type_name("COMMIT");
  add_baselines(sub, options.baselines);
}

void add_show(CommandLine& line, CLI::App& group) {
  auto [sub, options] = line.add(group, "show", "Which runs there are, or a case over its runs", run_show);
  CLI::Option* const run = sub->add_option("run", options.run_id, "only this run, with what was decided");
  run->type_name("ID");
  add_filter(sub, options.filters)->excludes(run);
  add_history(sub, options.history, kPlace);
}

void add_creep(CommandLine& line, CLI::App& group) {
  auto [sub, options] =
      line.add(group, "creep", "Cases that became slower by many small steps, and with which commits", run_creep);
  sub->add_option("--anchor", options.anchor, "compare with this commit or tag (default: the last release's tag)")
      ->type_name("COMMIT");
  add_filter(sub, options.filters);
  add_baselines(sub, options.baselines);
  add_history(sub, options.history, kPlace);
  sub->footer(kCreepHelp);
}

void add_export(CommandLine& line, CLI::App& group) {
  auto [sub, options] = line.add(group, "export", "All of it as text, to standard output or a file", run_export);
  add_history(sub, options.history, kPlace);
  sub->add_option_function<std::string>(
         "--format",
         [&format = options.format](std::string const& name) {
           format = name == "csv" ? ExportOptions::Format::csv : ExportOptions::Format::jsonl;
         },
         "jsonl (everything; `history import` reads it) or csv (a line per case and run)")
      ->check(CLI::IsMember({"jsonl", "csv"}))
      ->type_name("NAME");
  sub->add_option("--out", options.out, "write here instead of to standard output")->type_name("FILE");
}

}  // namespace

void add_history(CommandLine& line) {
  CLI::App& group = line.add_group("history", "All recorded runs: add, show, export");
  add_adding(line, group, "add", "Decide about runs against the stored baseline and keep both");
  add_adding(line, group, "import", "The same for exported histories and other programs' results");
  add_show(line, group);
  add_creep(line, group);
  add_export(line, group);
  auto [upgrade, options] = line.add(group, "upgrade", "Bring an older history's tables up to date", run_upgrade);
  add_history(upgrade, options.history, kPlace);
  group.footer(kExamples);
}

}  // namespace perfcheck::cli
