// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "writer.h"

#include "packing.h"
#include "perfcheck/model/digest.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/model/one_line.h"
#include "reader.h"
#include "results.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace perfcheck::history {
namespace {

using nlohmann::json;

constexpr char const* kKeepFirst = "ON CONFLICT DO NOTHING";

void require_fit(model::Run const& run, std::string const& name) {
  auto const refuse = [&](std::string const& why) {
    throw HistoryError(model::one_line(fmt::format("{}: run {}: {}", name, run.id, why)));
  };
  if (run.sessions.empty()) {
    refuse("holds no session, so there is nothing to keep; measure again");
  }
  if (!run.injected.empty()) {
    refuse(fmt::format("has slowdowns put in on purpose ({}); a history tells what the code was, so leave it out",
                       fmt::join(run.injected, ", ")));
  }
  for (model::Session const& session : run.sessions) {
    if (session.device.slug != run.sessions.front().device.slug) {
      refuse("has sessions of several devices; add a run per device");
    }
  }
}

/// Writes and reads the run as a file would, so that history and run file agree to the last digit, and so that what a
/// run file may not contain is refused here too.
model::Run as_its_file_would_hold(model::Run run, std::string const& name) {
  run.base_sessions.clear();  // they belong to another build, and only the decision needs them
  try {
    return model::run_from_text(model::run_to_text(run), "run " + run.id);
  } catch (model::FormatError const& error) {
    throw HistoryError(fmt::format("{}: nothing was added: {}", name, error.what()));
  }
}

/// Adds one run, within the caller's transaction.
class RunWriter {
 public:
  RunWriter(Database& database, std::string const& name, model::Run const& run,
            std::optional<RunDecision> const& decision)
      : database_(database),
        name_(name),
        run_(run),
        decision_(decision),
        packed_(pack(run)),
        results_(results_of(run, decision)) {}

  History::Added write() {
    std::optional<int64_t> const number = insert_head();
    if (!number) {
      require_equal_content();
      return History::Added::already_there;
    }
    run_no_ = *number;
    std::map<std::string, int64_t> const series = series_numbers();
    std::map<std::string, int64_t> const attributes = attribute_numbers();
    insert_results(series, attributes);
    insert_sessions();
    insert_rounds(series);
    return History::Added::added;
  }

 private:
  std::string const& slug() const { return run_.sessions.front().device.slug; }
  std::string const& operation() const { return run_.worker.operation; }

  /// The new run's number; nullopt if there already is a run with this id.
  std::optional<int64_t> insert_head() {
    model::SourceInfo const& source = run_.source;
    std::optional<std::string> notes;
    if (decision_) {
      notes = model::one_line_text(decision_->notes);
    }
    std::optional<int64_t> number;
    database_.query(
        "INSERT INTO run (id, device_slug, operation, card, started, committed, commit_id, dirty, suite, origin, "
        "cases, "
        "exit_code, notes, head) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) "
        "ON CONFLICT (id) DO NOTHING RETURNING run_no",
        {run_.id, slug(), operation(), run_.sessions.front().device.uuid, run_.started, source.committed, source.commit,
         int64_t{source.dirty}, run_.suite, run_.imported_from, static_cast<int64_t>(results_.size()),
         decision_ ? Parameter(static_cast<int64_t>(decision_->exit_code)) : Parameter(),
         notes ? Parameter(std::string_view(*notes)) : Parameter(), Bytes{packed_.head}},
        [&](Row const& row) { number = row.integer(0); });
    return number;
  }

  void require_equal_content() {
    for (RunEntry const& entry : read_runs(database_, run_.id)) {
      if (model::run_to_text(read_run(database_, entry)) == model::run_to_text(run_)) {
        return;
      }
    }
    throw HistoryError(
        fmt::format("{}: run {} is there already with other content; nothing was changed. Every run has "
                    "an id of its own: was a run file edited?",
                    name_, run_.id));
  }

  std::map<std::string, int64_t> series_numbers() {
    std::vector<std::vector<Parameter>> rows;
    for (auto const& [id, one] : results_) {
      rows.push_back({slug(), operation(), id});
    }
    // In the order of the ids, so that concurrent writers of the same ids cannot deadlock.
    database_.insert("series", {"device_slug", "operation", "case_id"}, rows, kKeepFirst);
    std::map<std::string, int64_t> numbers;
    database_.query("SELECT case_id, series_no FROM series WHERE device_slug = $1 AND operation = $2",
                    {slug(), operation()}, [&](Row const& row) { numbers[std::string(row.text(0))] = row.integer(1); });
    return numbers;
  }

  /// Fails if there is no such series: the database replaced characters of the id that it cannot hold.
  int64_t number_of(std::map<std::string, int64_t> const& series, std::string const& case_id) const {
    auto const found = series.find(case_id);
    if (found == series.end()) {
      throw HistoryError(model::one_line(fmt::format(
          "{}: run {}: nothing was added: the database cannot hold the case id {}; leave the case out, or rename it",
          name_, run_.id, model::in_quotes(case_id))));
    }
    return found->second;
  }

  /// Leaves out the hash of the arguments, which may differ from process to process, so that equal texts are stored
  /// once.
  static std::string attributes_text(model::CaseResult const& result) {
    json object = {{"launches", model::to_json(result).at("launches")},
                   {"machine_code", model::machine_code_of(result)}};
    for (json& launch : object.at("launches")) {
      launch.erase("arguments");
    }
    return model::one_line_text(object);
  }

  /// Numbers of the attributes by case id; cases whose launches are unknown have none.
  std::map<std::string, int64_t> attribute_numbers() {
    std::map<std::string, std::string> texts;  // by case id
    std::set<std::string> distinct;
    for (auto const& [id, one] : results_) {
      if (one.launched != nullptr) {
        distinct.insert(texts[id] = attributes_text(*one.launched));
      }
    }
    std::map<std::string, int64_t> by_text;
    for (std::string const& text : distinct) {
      by_text[text] = attribute_number(text);
    }
    std::map<std::string, int64_t> numbers;
    for (auto const& [id, text] : texts) {
      numbers[id] = by_text.at(text);
    }
    return numbers;
  }

  int64_t attribute_number(std::string const& text) {
    // The digest only finds the row; texts with the same digest are distinguished by their content.
    std::string digest = model::digest_of(text);
    for (;; digest += '+') {
      database_.insert("attributes", {"digest", "body"}, {{std::string_view(digest), std::string_view(text)}},
                       kKeepFirst);
      std::optional<int64_t> number;
      database_.query("SELECT attributes_no, body FROM attributes WHERE digest = $1", {std::string_view(digest)},
                      [&](Row const& row) {
                        if (row.text(1) == text) {
                          number = row.integer(0);
                        }
                      });
      if (number) {
        return *number;
      }
    }
  }

  void insert_results(std::map<std::string, int64_t> const& series, std::map<std::string, int64_t> const& attributes) {
    auto const text_or_null = [](std::string const& text) {
      return text.empty() ? Parameter() : Parameter(std::string_view(text));
    };
    std::vector<std::vector<Parameter>> rows;
    for (auto const& [id, one] : results_) {
      Result const& result = one.result;
      auto const known = attributes.find(id);
      std::vector<Parameter> row{number_of(series, id),
                                 run_no_,
                                 model::to_text(result.status),
                                 text_or_null(result.message),
                                 known == attributes.end() ? Parameter() : Parameter(known->second),
                                 int64_t{result.sessions},
                                 nullable(result.time_ns),
                                 nullable(result.time_hw),
                                 nullable(result.ratio),
                                 nullable(result.ratio_hw),
                                 nullable(result.cycles),
                                 nullable(result.cycles_hw),
                                 nullable(result.clock_mhz),
                                 nullable(result.power_w),
                                 nullable(result.temperature_c),
                                 nullable(result.noise),
                                 text_or_null(result.card)};
      row.resize(kResultColumns.size());
      if (result.decision) {
        StoredDecision const& decision = *result.decision;
        std::vector<Parameter> const decided{model::to_text(decision.verdict), text_or_null(decision.decided_by),
                                             nullable(decision.change),        nullable(decision.low),
                                             nullable(decision.high),          nullable(decision.margin),
                                             nullable(decision.detectable),    text_or_null(decision.reason_code),
                                             text_or_null(decision.reason),    text_or_null(decision.also_changed)};
        std::copy(decided.begin(), decided.end(), row.end() - static_cast<std::ptrdiff_t>(decided.size()));
      }
      rows.push_back(std::move(row));
    }
    database_.insert("result", kResultColumns, rows, "");
  }

  void insert_sessions() {
    std::vector<std::vector<Parameter>> rows;
    for (std::size_t i = 0; i < packed_.sessions.size(); ++i) {
      rows.push_back({run_no_, static_cast<int64_t>(i), Bytes{packed_.sessions[i]}});
    }
    database_.insert("session", {"run_no", "session_index", "cases"}, rows, "");
  }

  void insert_rounds(std::map<std::string, int64_t> const& series) {
    std::vector<std::vector<Parameter>> rows;
    for (PackedRounds const& one : packed_.rounds) {
      rows.push_back({run_no_, number_of(series, one.case_id), static_cast<int64_t>(one.session), Bytes{one.bytes}});
    }
    database_.insert("rounds", {"run_no", "series_no", "session_index", "rounds"}, rows, "");
  }

  Database& database_;
  std::string const& name_;
  model::Run const& run_;
  std::optional<RunDecision> const& decision_;
  PackedRun const packed_;
  std::map<std::string, CaseOfRun> const results_;
  int64_t run_no_ = 0;
};

}  // namespace

History::Added add_run(Database& database, std::string const& name, model::Run const& run,
                       std::optional<RunDecision> const& decision) {
  require_fit(run, name);
  model::Run const as_written = as_its_file_would_hold(run, name);
  RunWriter writer(database, name, as_written, decision);
  History::Added added = History::Added::already_there;
  database.in_transaction([&] { added = writer.write(); });
  return added;
}

History::Added add_calibration(Database& database, std::string const& name, StoredCalibration const& calibration) {
  History::Added added = History::Added::already_there;
  database.in_transaction([&] {
    std::vector<Parameter> const key{calibration.device_slug, calibration.operation, calibration.recorded};
    std::optional<std::string> stored;
    database.query("SELECT document FROM calibration WHERE device_slug = $1 AND operation = $2 AND recorded = $3", key,
                   [&](Row const& row) { stored = row.text(0); });
    if (stored && *stored != calibration.document) {
      throw HistoryError(fmt::format("{}: holds another calibration of {} at {}; nothing was changed", name,
                                     calibration.device_slug, calibration.recorded));
    }
    if (!stored) {
      database.insert("calibration", {"device_slug", "operation", "recorded", "document"},
                      {{calibration.device_slug, calibration.operation, calibration.recorded, calibration.document}},
                      "");
      added = History::Added::added;
    }
  });
  return added;
}

}  // namespace perfcheck::history
