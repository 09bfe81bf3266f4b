// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "reader.h"

#include "packing.h"
#include "perfcheck/codec/deflate.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/one_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <tuple>

namespace perfcheck::history {

std::vector<std::string> const kResultColumns{
    "series_no",     "run_no", "status",     "message",     "attributes_no", "sessions",    "time_ns",
    "time_hw",       "ratio",  "ratio_hw",   "cycles",      "cycles_hw",     "clock_mhz",   "power_w",
    "temperature_c", "noise",  "card",       "verdict",     "decided_by",    "change",      "change_low",
    "change_high",   "margin", "detectable", "reason_code", "reason",        "also_changed"};

namespace {

/// Reads a row of the columns above from left to right.
class ResultReader {
 public:
  explicit ResultReader(Row const& row) : row_(row) {}

  Result result() {
    at_ = 1;
    Result result;
    result.run = row_.integer(at_++);
    result.status = known(model::case_status_from_text(row_.text(at_)), row_.text(at_));
    ++at_;
    result.message = text();
    result.attributes = row_.is_null(at_) ? 0 : row_.integer(at_);
    ++at_;
    result.sessions = count();
    for (std::optional<double>* value :
         {&result.time_ns, &result.time_hw, &result.ratio, &result.ratio_hw, &result.cycles, &result.cycles_hw,
          &result.clock_mhz, &result.power_w, &result.temperature_c, &result.noise}) {
      *value = figure();
    }
    result.card = text();
    if (!row_.is_null(at_)) {
      result.decision = decision();
    }
    return result;
  }

 private:
  StoredDecision decision() {
    StoredDecision decision;
    decision.verdict = known(model::verdict_from_text(row_.text(at_)), row_.text(at_));
    ++at_;
    decision.decided_by = text();
    for (std::optional<double>* value :
         {&decision.change, &decision.low, &decision.high, &decision.margin, &decision.detectable}) {
      *value = figure();
    }
    decision.reason_code = text();
    decision.reason = text();
    decision.also_changed = text();
    return decision;
  }

  std::string text() { return std::string(row_.text(at_++)); }

  int count() {
    int64_t const count = row_.integer(at_);
    if (count < 0 || count > INT_MAX) {
      throw codec::DecodeError(fmt::format("{} of a result is {}, which is no count", column(), count));
    }
    ++at_;
    return static_cast<int>(count);
  }

  /// Absent where the stored value is not finite: older versions stored such values.
  std::optional<double> figure() {
    std::optional<double> const value = row_.optional_real(at_++);
    return value && std::isfinite(*value) ? value : std::nullopt;
  }

  std::string const& column() const { return kResultColumns[static_cast<std::size_t>(at_)]; }

  template <typename Enum>
  static Enum known(std::optional<Enum> value, std::string_view text) {
    if (!value) {
      throw codec::DecodeError(fmt::format("{} is no status and no verdict", model::in_quotes(text)));
    }
    return *value;
  }

  Row const& row_;
  int at_ = 0;
};

std::string result_columns(std::string const& prefix = {}) {
  return prefix + fmt::format("{}", fmt::join(kResultColumns, ", " + prefix));
}

std::vector<Parameter> number_of(RunEntry const& run) { return {run.number}; }

std::string origin_of(RunEntry const& run) { return "run " + model::one_line(run.id); }

/// Narrows to int such that an invalid exit code stays invalid.
int bounded_exit_code(int64_t stored) { return static_cast<int>(std::clamp<int64_t>(stored, -1, 256)); }

/// Accepts the same range as an exported line.
model::ExitCode exit_code_of(int stored) {
  if (stored < 0 || stored > 255) {
    throw codec::DecodeError(fmt::format("{} is no exit code", stored));
  }
  return static_cast<model::ExitCode>(stored);
}

}  // namespace

std::vector<RunEntry> read_runs(Database& database, std::string_view id) {
  std::vector<RunEntry> runs;
  std::string const sql =
      "SELECT run_no, id, started, committed, commit_id, device_slug, operation, card, dirty, suite, origin, "
      "exit_code, "
      "cases FROM run";
  auto const take = [&](Row const& row) {
    runs.push_back({.number = row.integer(0),
                    .id = std::string(row.text(1)),
                    .started = std::string(row.text(2)),
                    .committed = std::string(row.text(3)),
                    .commit = std::string(row.text(4)),
                    .device_slug = std::string(row.text(5)),
                    .operation = std::string(row.text(6)),
                    .card = std::string(row.text(7)),
                    .dirty = row.integer(8) != 0,
                    .suite = std::string(row.text(9)),
                    .origin = std::string(row.text(10)),
                    .exit_code = row.is_null(11) ? std::nullopt : std::optional(bounded_exit_code(row.integer(11))),
                    .cases = static_cast<int>(row.integer(12))});
  };
  if (id.empty()) {
    database.query(sql, {}, take);
  } else {
    database.query(sql + " WHERE id = $1", {id}, take);
  }
  // Sorted here: databases differ in how they sort text.
  std::sort(runs.begin(), runs.end(), [](RunEntry const& a, RunEntry const& b) {
    return std::tie(a.device_slug, a.operation, a.when(), a.started, a.id) <
           std::tie(b.device_slug, b.operation, b.when(), b.started, b.id);
  });
  return runs;
}

RunHead read_head(Database& database, RunEntry const& run) {
  RunHead head;
  std::string packed;
  database.query("SELECT head, notes FROM run WHERE run_no = $1", number_of(run), [&](Row const& row) {
    packed = row.bytes(0);
    if (!row.is_null(1)) {
      head.notes = model::parse_strict(row.text(1), origin_of(run)).get<std::vector<std::string>>();
    }
  });
  head.run = unpack_head(packed, origin_of(run));
  return head;
}

model::Run read_run(Database& database, RunEntry const& run) {
  PackedRun packed;
  database.query("SELECT head FROM run WHERE run_no = $1", number_of(run),
                 [&](Row const& row) { packed.head = row.bytes(0); });
  database.query("SELECT cases FROM session WHERE run_no = $1 ORDER BY session_index", number_of(run),
                 [&](Row const& row) { packed.sessions.emplace_back(row.bytes(0)); });
  database.query(
      "SELECT case_id, session_index, rounds FROM rounds JOIN series ON series.series_no = rounds.series_no "
      "WHERE run_no = $1",
      number_of(run), [&](Row const& row) {
        packed.rounds.push_back({.case_id = std::string(row.text(0)),
                                 .session = static_cast<std::size_t>(row.integer(1)),
                                 .bytes = std::string(row.bytes(2))});
      });
  return unpack(packed, origin_of(run));
}

std::optional<RunDecision> read_decision(Database& database, RunEntry const& run) {
  if (!run.exit_code) {
    return std::nullopt;
  }
  RunDecision decision{.exit_code = exit_code_of(*run.exit_code), .notes = read_head(database, run).notes, .cases = {}};
  database.query(fmt::format("SELECT {}, series.case_id FROM result JOIN series ON series.series_no = result.series_no "
                             "WHERE result.run_no = $1",
                             result_columns("result.")),
                 number_of(run), [&](Row const& row) {
                   Result const result = ResultReader(row).result();
                   if (result.decision) {
                     decision.cases[std::string(row.text(static_cast<int>(kResultColumns.size())))] = *result.decision;
                   }
                 });
  return decision;
}

std::vector<SeriesEntry> read_series(Database& database) {
  std::vector<SeriesEntry> series;
  database.query("SELECT series_no, device_slug, operation, case_id FROM series", {}, [&](Row const& row) {
    series.push_back({.number = row.integer(0),
                      .device_slug = std::string(row.text(1)),
                      .operation = std::string(row.text(2)),
                      .case_id = std::string(row.text(3)),
                      .earlier = {}});
  });
  std::sort(series.begin(), series.end(), [](SeriesEntry const& a, SeriesEntry const& b) {
    return std::tie(a.device_slug, a.operation, a.case_id) < std::tie(b.device_slug, b.operation, b.case_id);
  });
  return series;
}

void read_results(Database& database, int64_t series, std::function<void(Result const&)> const& callback) {
  database.query(fmt::format("SELECT {} FROM result WHERE series_no = $1 ORDER BY run_no", result_columns()), {series},
                 [&](Row const& row) { callback(ResultReader(row).result()); });
}

AttributeTexts read_attributes(Database& database) {
  AttributeTexts texts;
  database.query("SELECT attributes_no, body FROM attributes", {},
                 [&](Row const& row) { texts[row.integer(0)] = row.text(1); });
  return texts;
}

std::vector<StoredCalibration> read_calibrations(Database& database) {
  std::vector<StoredCalibration> calibrations;
  database.query("SELECT device_slug, operation, recorded, document FROM calibration", {}, [&](Row const& row) {
    calibrations.push_back({.device_slug = std::string(row.text(0)),
                            .operation = std::string(row.text(1)),
                            .recorded = std::string(row.text(2)),
                            .document = std::string(row.text(3))});
  });
  std::sort(calibrations.begin(), calibrations.end(), [](StoredCalibration const& a, StoredCalibration const& b) {
    return std::tie(a.device_slug, a.operation, a.recorded) < std::tie(b.device_slug, b.operation, b.recorded);
  });
  return calibrations;
}

}  // namespace perfcheck::history
