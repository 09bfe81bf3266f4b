// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck baseline accept | show | upgrade.
#include "baselines/findings_text.h"
#include "baselines/stored.h"
#include "command_line/errors.h"
#include "commands/commands.h"
#include "measuring/clock.h"
#include "measuring/source_info.h"
#include "measuring/workbench.h"
#include "perfcheck/gate/glob.h"
#include "perfcheck/model/json.h"
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
      throw UsageError(fmt::format(
          "--drop {}: the baseline has no such case; `perfcheck baseline show --verbose` lists them", pattern));
    }
  }
}

/// A baseline with what is odd about it.
struct Stored {
  fs::path file;
  model::Baseline baseline;
  std::vector<store::Finding> findings;
};

/// Every baseline below the folder, sorted by path; only those of `slug` unless it is empty.
std::vector<Stored> stored_baselines(Config const& config, fs::path const& root, std::string const& slug) {
  std::vector<Stored> stored;
  for (fs::path const& file : baseline_files(root, slug)) {
    auto baseline = store::read_baseline(root, file.parent_path().filename().string(), file.stem().string());
    if (baseline) {
      std::vector<store::Finding> findings = store::audit(*baseline, audit_policy(config, *baseline));
      stored.push_back({.file = file, .baseline = std::move(*baseline), .findings = std::move(findings)});
    }
  }
  return stored;
}

/// --despite: what somebody knows better about. Each pattern must be about something.
class KnownBetter {
 public:
  explicit KnownBetter(std::vector<std::pair<std::string, std::string>> const& given) {
    for (auto const& [pattern, why] : given) {
      if (why.find_first_not_of(" \t\n") == std::string::npos) {
        throw UsageError(fmt::format("--despite {}: say why", pattern));
      }
      patterns_.push_back({.pattern = pattern, .why = why});
    }
  }

  std::string why(store::Finding const& finding) {
    for (Pattern& one : patterns_) {
      if (gate::glob_matches(one.pattern, finding.name)) {
        one.used = true;
        return one.why;
      }
    }
    return "";
  }

  void require_all_used() const {
    for (Pattern const& one : patterns_) {
      if (!one.used) {
        throw UsageError(fmt::format("--despite {}: nothing of that name was found; leave it out", one.pattern));
      }
    }
  }

 private:
  struct Pattern {
    std::string pattern, why;
    bool used = false;
  };
  std::vector<Pattern> patterns_;
};

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
    if (!baseline.has_digest) {
      text += fmt::format("  no digest: it is of an older version; perfcheck baseline upgrade {}\n", one.file.string());
    }
    text += findings_text(baseline, one.findings, options.detail);
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
         {"digest", one.baseline.has_digest},
         {"findings", findings_json(one.baseline, one.findings)},
         {"last_accepted", {{"who", last.who}, {"when", last.when}, {"commit", last.commit}, {"why", last.why}}}});
  }
  return {{"schema", kBaselinesSchema}, {"baselines", list}};
}

/// `base` with the runs, or UsageError with what is in the way, the gravest last.
model::Baseline accepted(std::optional<model::Baseline> base, std::vector<model::Run> const& runs,
                         store::AcceptOptions accept, Options const& options, Context& context) {
  KnownBetter known_better(options.despite);
  accept.despite = [&known_better](store::Finding const& finding) { return known_better.why(finding); };
  try {
    model::Baseline updated = store::accept(std::move(base), runs, accept);
    known_better.require_all_used();
    return updated;
  } catch (store::Refused const& refused) {
    for (std::size_t i = 1; i < refused.findings().size(); ++i) {
      store::Finding const& finding = refused.findings()[i];
      context.terminal.message(fmt::format("also {}: {} ({})", to_text(finding.kind), finding.text, finding.name));
    }
    throw UsageError(refused.what());
  } catch (std::invalid_argument const& rejected) {
    throw UsageError(rejected.what());
  }
}

/// Of cases that were accepted, what makes the gate blind.
void report_scattered(model::Baseline const& updated, store::AuditPolicy const& audit, Context& context) {
  for (store::Finding const& finding : store::audit(updated, audit)) {
    if (finding.kind == store::FindingKind::scattered) {
      context.terminal.message("note: " + finding.text);
    }
  }
}

/// What was accepted, and by how much that moves levels.
void report_accepted(model::Baseline const& updated, std::vector<store::LevelMove> const& moves,
                     std::string const& file, Options const& options, Context& context) {
  model::Acceptance const& last = updated.accepted.back();
  if (options.output == Output::json) {
    nlohmann::json despite = nlohmann::json::array();
    for (model::Despite const& one : last.despite) {
      despite.push_back({{"finding", one.finding}, {"text", one.text}, {"why", one.why}});
    }
    context.terminal.print(text_of({{"schema", kBaselinesSchema},
                                    {"file", file},
                                    {"accepted_cases", last.cases},
                                    {"accepted_sessions", last.sessions},
                                    {"despite", despite},
                                    {"levels", levels_json(moves)}}));
    return;
  }
  context.terminal.print(levels_text(moves, options.detail));
  for (model::Despite const& one : last.despite) {
    context.terminal.print(fmt::format("accepted all the same: {} ({})\n", one.text, one.why));
  }
  context.terminal.print(fmt::format("{}: {} cases from {} sessions accepted by {}; review the change and commit it\n",
                                     file, last.cases, last.sessions.size(), last.who));
}

/// One file of `upgrade`.
struct Upgraded {
  fs::path file;
  std::string was;  ///< its schema
  bool changed = false;
  model::Baseline baseline;
  std::vector<store::Finding> findings;
};

Upgraded upgrade(Config const& config, fs::path const& file) {
  std::string const before = store::read_file(file), after = model::upgraded_baseline(before, file.string());
  Upgraded result{.file = file,
                  .was = model::parse_strict(before, file.string()).at("schema"),
                  .changed = after != before,
                  .baseline = model::baseline_from_text(after, file.string()),
                  .findings = {}};
  result.findings = store::audit(result.baseline, audit_policy(config, result.baseline));
  if (result.changed) {
    store::write_file_atomically(file, after);
  }
  return result;
}

std::string as_text(Upgraded const& one, Detail detail) {
  std::string const what = !one.changed ? "nothing to do"
                           : one.was == model::kBaselineSchema
                               ? "it has a new digest; review what was edited"
                               : fmt::format("{} is now {}", one.was, model::kBaselineSchema);
  return fmt::format("{}: {}\n{}", one.file.string(), what, findings_text(one.baseline, one.findings, detail));
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
  model::Renames const& renames = config.names.renamed;
  for (model::Run& run : runs) {
    run = model::renamed(std::move(run), renames, options.run_files.front());
  }
  std::optional<model::Baseline> base =
      renamed(trusted_baseline(root, slug, runs.front().worker.operation), renames, root);
  std::optional<model::Baseline> const before = base;
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
  store::AuditPolicy const audit = audit_policy(config.backend(runs.front().worker.backend).policy);
  model::Baseline const updated = accepted(std::move(base), runs,
                                           {.who = who,
                                            .when = utc_now(),
                                            .why = options.why,
                                            .replace = options.replace == Options::Replace::yes,
                                            .allow_dirty = options.dirty == Options::Dirty::allow,
                                            .audit = audit},
                                           options, context);
  store::write_baseline(root, updated);
  if (options.detail != Detail::quiet) {
    for (std::string const& note : notes_of(runs)) {
      context.terminal.message("note: " + note);
    }
    report_scattered(updated, audit, context);
  }
  report_accepted(updated,
                  before ? store::level_moves(*before, updated, audit.shared_device) : std::vector<store::LevelMove>{},
                  store::baseline_path(root, updated.device_slug, updated.operation).string(), options, context);
  return model::ExitCode::ok;
}

model::ExitCode command_baseline_show(Options const& options, Context& context) {
  Config const config = load_config(options.config);
  fs::path const root = baselines_folder(options, config);
  std::vector<Stored> const stored = stored_baselines(config, root, options.slug);
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

model::ExitCode command_baseline_upgrade(Options const& options, Context& context) {
  Config const config = load_config(options.config);
  fs::path const place =
      options.baseline_place.empty() ? baselines_folder(options, config) : fs::path(options.baseline_place);
  std::vector<fs::path> const files = fs::is_directory(place) ? baseline_files(place, "") : std::vector{place};
  if (files.empty()) {
    throw UsageError(
        fmt::format("{}: there is no baseline in it; name a file, or a folder of devices", place.string()));
  }
  nlohmann::json list = nlohmann::json::array();
  std::string unreadable;
  for (fs::path const& file : files) {
    try {
      Upgraded const one = upgrade(config, file);
      list.push_back({{"file", file.string()},
                      {"was", one.was},
                      {"changed", one.changed},
                      {"findings", findings_json(one.baseline, one.findings)}});
      if (options.output == Output::text) {
        context.terminal.print(as_text(one, options.detail));
      }
    } catch (model::FormatError const& error) {
      // One that cannot be read keeps no other from being upgraded.
      context.terminal.message(error.what());
      unreadable = unreadable.empty() ? error.what() : unreadable;
    }
  }
  if (options.output == Output::json) {
    context.terminal.print(text_of({{"schema", kBaselinesSchema}, {"upgraded", list}}));
  }
  return unreadable.empty() ? model::ExitCode::ok : model::ExitCode::io_error;
}

}  // namespace perfcheck::cli
