// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck baseline accept | show | upgrade.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "perfcheck/baselines/accepting.h"
#include "perfcheck/baselines/findings_text.h"
#include "perfcheck/baselines/overview.h"
#include "perfcheck/baselines/stored.h"
#include "perfcheck/baselines/upgrade.h"
#include "perfcheck/clock/clock.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/git/source_info.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/results/run_files.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace perfcheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr char const* kAcceptHelp =
    "It refuses runs of another device, broken cases, slowdowns put in on purpose, and odd numbers: sessions that are\n"
    "off in a case or as a whole, that repeat another one's numbers, or that mix machine code. Each finding has a\n"
    "name; --despite takes one, or a pattern, with the reason why it is no obstacle.\n\n"
    "examples:\n"
    "  perfcheck baseline accept new.run.json --replace --why 'larger tiles, 12 % faster'\n"
    "  perfcheck baseline accept new.run.json --why 'another card' --despite 'outlier:*/s3:*' 'two levels, as of old'";

constexpr char const* kUpgradeHelp =
    "A file has a digest of its contents, which reveals accidental edits. After an intended edit, or a merge by\n"
    "hand, this makes a new one. No number changes. It says what is odd about the sessions, and refuses nothing.\n\n"
    "examples:\n"
    "  perfcheck baseline upgrade                                  every baseline of this project\n"
    "  perfcheck baseline upgrade baselines/nvidia-h200/gemm.json";

struct AcceptOptions {
  std::vector<std::string> run_files;
  importing::ImportOptions foreign;
  std::string baselines;
  std::string why, who;
  std::vector<std::string> drop;
  std::vector<std::pair<std::string, std::string>> despite;  ///< names of findings, and why they are no obstacle
  enum class Replace { no, yes } replace = Replace::no;
  enum class Dirty { refuse, allow } dirty = Dirty::refuse;
};

model::DeviceInfo const& device_of(model::Run const& run, std::string const& file) {
  if (run.sessions.empty()) {
    throw UsageError(fmt::format("{}: it has no sessions; record it again", file));
  }
  return run.sessions.front().device;
}

/// Notes about imported runs, without duplicates.
std::vector<std::string> notes_of(std::vector<model::Run> const& runs) {
  std::vector<std::string> notes;
  for (model::Run const& run : runs) {
    for (std::string& note : results::import_notes(run)) {
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
        notes.push_back(std::move(note));
      }
    }
  }
  return notes;
}

model::ExitCode run_accept(AcceptOptions const& options, Context& context) {
  config::Config const config = config::load_config(context.config);
  fs::path const root = config::baselines_folder(options.baselines, config);
  std::vector<model::Run> runs;
  for (std::string const& path : options.run_files) {
    for (model::Run& run : results::read_runs(path, options.foreign)) {
      runs.push_back(std::move(run));
    }
  }
  std::string const slug = device_of(runs.front(), options.run_files.front()).slug;
  model::Renames const& renames = config.names.renamed;
  for (model::Run& run : runs) {
    run = model::renamed(std::move(run), renames, options.run_files.front());
  }
  std::vector<model::Baseline> bases;
  for (std::string const& operation : model::operations_of(runs.front().worker)) {
    if (auto base = baselines::renamed(baselines::trusted_baseline(root, slug, operation), renames, root)) {
      bases.push_back(std::move(*base));
    }
  }
  std::vector<model::Baseline> const before = bases;
  if (!options.drop.empty()) {
    if (bases.empty()) {
      throw UsageError(fmt::format("--drop: there is no baseline for {} yet", slug));
    }
    baselines::drop_cases(bases, options.drop);
  }
  std::string const who =
      options.who.empty() ? git::current_user(config.file.parent_path(), &context.interrupt) : options.who;
  if (who.empty()) {
    throw UsageError("nobody knows who accepts this; give --who NAME or set git's user.name");
  }
  store::AuditPolicy const audit = baselines::audit_policy(config.backend(runs.front().worker.backend).policy);
  std::vector<model::Baseline> const updated =
      baselines::accepted(bases, runs,
                          {.who = who,
                           .when = clock::utc_now(),
                           .why = options.why,
                           .replace = options.replace == AcceptOptions::Replace::yes,
                           .allow_dirty = options.dirty == AcceptOptions::Dirty::allow,
                           .audit = audit},
                          options.despite, context);
  baselines::require_written(bases, before, updated);
  for (model::Baseline const& one : updated) {
    store::write_baseline(root, one);
  }
  if (context.detail != Detail::quiet) {
    for (std::string const& note : notes_of(runs)) {
      context.terminal.message("note: " + note);
    }
    for (model::Baseline const& one : updated) {
      baselines::report_scattered(one, audit, context);
    }
  }
  baselines::report_accepted(updated, before, audit.shared_device, root, context);
  return model::ExitCode::ok;
}

struct ShowOptions {
  std::string slug, baselines;
};

model::ExitCode run_show(ShowOptions const& options, Context& context) {
  config::Config const config = config::load_config(context.config);
  fs::path const root = config::baselines_folder(options.baselines, config);
  std::vector<baselines::StoredBaseline> const stored = baselines::stored_baselines(config, root, options.slug);
  if (context.output == Output::json) {
    context.terminal.print(model::document_text(baselines::stored_json(stored)));
  } else if (!stored.empty()) {
    context.terminal.print(baselines::stored_text(stored, context.detail));
  } else {
    context.terminal.print(
        fmt::format("no baseline{} in {}; record one with: perfcheck check --record-missing-baseline\n",
                    options.slug.empty() ? "" : " for " + options.slug, root.string()));
  }
  return stored.empty() ? model::ExitCode::undecided : model::ExitCode::ok;
}

struct UpgradeOptions {
  std::string place;  ///< a file or a folder; empty: as for --baselines
  std::string baselines;
};

model::ExitCode run_upgrade(UpgradeOptions const& options, Context& context) {
  config::Config const config = config::load_config(context.config);
  fs::path const place =
      options.place.empty() ? config::baselines_folder(options.baselines, config) : fs::path(options.place);
  std::vector<fs::path> const files =
      fs::is_directory(place) ? baselines::baseline_files(place, "") : std::vector{place};
  if (files.empty()) {
    throw UsageError(
        fmt::format("{}: there is no baseline in it; name a file, or a folder of devices", place.string()));
  }
  nlohmann::json list = nlohmann::json::array();
  std::string unreadable;
  for (fs::path const& file : files) {
    try {
      baselines::Upgraded const one = baselines::upgrade(config, file);
      list.push_back({{"file", file.string()},
                      {"was", one.was},
                      {"changed", one.changed},
                      {"findings", baselines::findings_json(one.baseline, one.findings)}});
      if (context.output == Output::text) {
        context.terminal.print(baselines::upgraded_text(one, context.detail));
      }
    } catch (model::FormatError const& error) {
      // An unreadable file does not keep the others from being upgraded.
      context.terminal.message(error.what());
      unreadable = unreadable.empty() ? error.what() : unreadable;
    }
  }
  if (context.output == Output::json) {
    context.terminal.print(model::document_text({{"schema", baselines::kBaselinesSchema}, {"upgraded", list}}));
  }
  return unreadable.empty() ? model::ExitCode::ok : model::ExitCode::io_error;
}

void add_accept(CommandLine& line, CLI::App& group) {
  auto [sub, options] = line.add(group, "accept", "Make the sessions of run files part of the baseline", run_accept);
  sub->add_option("runs", options.run_files, "run files, or folders of them")
      ->required()
      ->expected(1, -1)
      ->type_name("RUN...");
  sub->add_option("--why", options.why, "the reason, for those who review it")->required()->type_name("TEXT");
  sub->add_option("--who", options.who, "who accepts (default: git's user.name)")->type_name("NAME");
  sub->add_option("--drop", options.drop, "first remove matching cases from the baseline; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_flag(sub, "--replace", options.replace, AcceptOptions::Replace::yes,
           "forget the sessions that the measured cases have: after an accepted change");
  add_flag(sub, "--allow-dirty", options.dirty, AcceptOptions::Dirty::allow,
           "even if the tree had uncommitted changes");
  sub->add_option("--despite", options.despite,
                  "override the findings of this name; the reason goes on record; repeatable")
      ->type_name("NAME REASON")
      ->allow_extra_args(false);
  add_import(sub, options.foreign);
  add_baselines(sub, options.baselines);
  sub->footer(kAcceptHelp);
}

}  // namespace

void add_baseline(CommandLine& line) {
  CLI::App& group = line.add_group("baseline", "Accept measured sessions, show what was accepted, upgrade its files");
  add_accept(line, group);
  auto [show, shown] = line.add(group, "show", "Baselines there are, by device, and what is odd about them", run_show);
  show->add_option("slug", shown.slug, "only this device's folder")->type_name("SLUG");
  add_baselines(show, shown.baselines);
  auto [upgrade, options] =
      line.add(group, "upgrade", "Give files of older versions, or edited ones, a new digest", run_upgrade);
  upgrade
      ->add_option("place", options.place,
                   "a file, or a folder with a folder for each device (default: as perfcheck.toml says)")
      ->type_name("FILE|DIR");
  add_baselines(upgrade, options.baselines);
  upgrade->footer(kUpgradeHelp);
}

}  // namespace perfcheck::cli
