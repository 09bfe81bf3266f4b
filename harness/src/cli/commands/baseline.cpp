// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck baseline accept | show.
#include "command_line/errors.h"
#include "commands/commands.h"
#include "measuring/clock.h"
#include "measuring/source_info.h"
#include "measuring/workbench.h"
#include "perfcheck/gate/glob.h"
#include "perfcheck/report/columns.h"
#include "perfcheck/store/store.h"
#include "results/results_json.h"
#include "results/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::cli {
namespace {

namespace fs = std::filesystem;

model::DeviceInfo const& device_of(model::Run const& run, std::string const& file) {
  if (run.sessions.empty()) {
    throw UsageError(fmt::format("{}: it has no sessions; record it again", file));
  }
  return run.sessions.front().device;
}

void drop_cases(model::Baseline& baseline, std::vector<std::string> const& patterns) {
  for (std::string const& pattern : patterns) {
    std::size_t const dropped =
        std::erase_if(baseline.cases, [&](auto const& entry) { return gate::glob_matches_case(pattern, entry.first); });
    if (dropped == 0) {
      throw UsageError(
          fmt::format("--drop {}: the baseline has no such case; `perfcheck baseline show` lists them", pattern));
    }
  }
}

struct Stored {
  fs::path file;
  model::Baseline baseline;
};

/// Every baseline below the folder, sorted by path; only those of `slug` unless it is empty.
std::vector<Stored> stored_baselines(fs::path const& root, std::string const& slug) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    bool const concerns = slug.empty() || it->path().parent_path().filename() == slug;
    bool const is_tuning = it->path().stem().extension() == store::kTuningExtension;
    if (it.depth() == 1 && it->path().extension() == ".json" && concerns && !is_tuning) {
      files.push_back(it->path());
    }
  }
  if (error && fs::exists(root)) {
    throw store::IoError(fmt::format("{}: {}; make it readable", root.string(), error.message()));
  }
  std::sort(files.begin(), files.end());
  std::vector<Stored> stored;
  for (fs::path const& file : files) {
    auto baseline = store::read_baseline(root, file.parent_path().filename().string(), file.stem().string());
    if (baseline) {
      stored.push_back({.file = file, .baseline = std::move(*baseline)});
    }
  }
  return stored;
}

/// What to keep in mind about imported runs, each once.
std::vector<std::string> notes_of(std::vector<model::Run> const& runs) {
  std::vector<std::string> notes;
  for (model::Run const& run : runs) {
    for (std::string& note : import_notes(run)) {
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
        notes.push_back(std::move(note));
      }
    }
  }
  return notes;
}

std::size_t cards_of(model::Baseline const& baseline) {
  std::set<std::string> cards;
  for (model::BaselineSession const& session : baseline.sessions) {
    cards.insert(session.device_uuid);
  }
  return cards.size();
}

std::string as_text(std::vector<Stored> const& stored, Options const& options) {
  std::string text;
  for (Stored const& one : stored) {
    model::Baseline const& baseline = one.baseline;
    text += fmt::format("{}\n  {} on {}: {} cases, {} sessions, {} card{}\n", one.file.string(), baseline.operation,
                        baseline.device_name, baseline.cases.size(), baseline.sessions.size(), cards_of(baseline),
                        cards_of(baseline) == 1 ? "" : "s");
    for (model::Acceptance const& acceptance : baseline.accepted) {
      text += fmt::format("  {} {}: {} cases, {} sessions, commit {}: {}\n", acceptance.when, acceptance.who,
                          acceptance.cases, acceptance.sessions.size(),
                          acceptance.commit.empty() ? "unknown" : acceptance.commit, acceptance.why);
    }
    if (options.detail == Detail::verbose) {
      std::vector<std::vector<std::string>> rows;
      for (auto const& [id, entry] : baseline.cases) {
        rows.push_back({id, std::to_string(entry.session.size()), entry.reference});
      }
      text += report::columns({{"case", {}}, {"sessions", report::Column::Align::right}, {"reference", {}}}, rows);
    }
  }
  return text;
}

nlohmann::json as_json(std::vector<Stored> const& stored) {
  nlohmann::json list = nlohmann::json::array();
  for (Stored const& one : stored) {
    nlohmann::json cases = nlohmann::json::object();
    for (auto const& [id, entry] : one.baseline.cases) {
      cases[id] = entry.session.size();
    }
    model::Acceptance const last = one.baseline.accepted.empty() ? model::Acceptance{} : one.baseline.accepted.back();
    list.push_back(
        {{"file", one.file.string()},
         {"operation", one.baseline.operation},
         {"device", one.baseline.device_name},
         {"slug", one.baseline.device_slug},
         {"sessions", one.baseline.sessions.size()},
         {"cards", cards_of(one.baseline)},
         {"sessions_by_case", cases},
         {"last_accepted", {{"who", last.who}, {"when", last.when}, {"commit", last.commit}, {"why", last.why}}}});
  }
  return {{"schema", kBaselinesSchema}, {"baselines", list}};
}

}  // namespace

model::ExitCode command_baseline_accept(Options const& options, Context& context) {
  Config const config = load_config(options.config);
  fs::path const root = baselines_folder(options, config);
  std::vector<model::Run> runs;
  for (std::string const& path : options.run_files) {
    for (model::Run& run : read_runs(path, import_options(options))) {
      runs.push_back(std::move(run));
    }
  }
  std::string const slug = device_of(runs.front(), options.run_files.front()).slug;
  std::optional<model::Baseline> base = store::read_baseline(root, slug, runs.front().worker.operation);
  if (!options.drop.empty()) {
    if (!base) {
      throw UsageError(fmt::format("--drop: there is no baseline for {} yet", slug));
    }
    drop_cases(*base, options.drop);
  }
  std::string const who =
      options.who.empty() ? current_user(config.file.parent_path(), &context.interrupt) : options.who;
  if (who.empty()) {
    throw UsageError("nobody knows who accepts this; give --who NAME or set git's user.name");
  }
  model::Baseline updated;
  try {
    updated = store::accept(std::move(base), runs,
                            {.who = who,
                             .when = utc_now(),
                             .why = options.why,
                             .replace = options.replace == Options::Replace::yes,
                             .allow_dirty = options.dirty == Options::Dirty::allow});
  } catch (std::invalid_argument const& rejected) {
    throw UsageError(rejected.what());
  }
  store::write_baseline(root, updated);
  if (options.detail != Detail::quiet) {
    for (std::string const& note : notes_of(runs)) {
      context.terminal.message("note: " + note);
    }
  }
  model::Acceptance const& last = updated.accepted.back();
  std::string const file = store::baseline_path(root, updated.device_slug, updated.operation).string();
  if (options.output == Output::json) {
    context.terminal.print(text_of({{"schema", kBaselinesSchema},
                                    {"file", file},
                                    {"accepted_cases", last.cases},
                                    {"accepted_sessions", last.sessions}}));
  } else {
    context.terminal.print(
        fmt::format("{}: {} cases from {} sessions accepted by {}; review the change and commit it\n", file, last.cases,
                    last.sessions.size(), last.who));
  }
  return model::ExitCode::ok;
}

model::ExitCode command_baseline_show(Options const& options, Context& context) {
  fs::path const root = baselines_folder(options, load_config(options.config));
  std::vector<Stored> const stored = stored_baselines(root, options.slug);
  if (options.output == Output::json) {
    context.terminal.print(text_of(as_json(stored)));
  } else if (!stored.empty()) {
    context.terminal.print(as_text(stored, options));
  } else {
    context.terminal.print(
        fmt::format("no baseline{} in {}; record one with: perfcheck check --record-missing-baseline\n",
                    options.slug.empty() ? "" : " for " + options.slug, root.string()));
  }
  return stored.empty() ? model::ExitCode::undecided : model::ExitCode::ok;
}

}  // namespace perfcheck::cli
