// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Every run ever recorded: one SQLite file, or a PostgreSQL database that a fleet shares (docs/history.md).
#pragma once

#include "perfcheck/gate/gate.h"
#include "perfcheck/model/renames.h"
#include "perfcheck/model/run.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::history {

/// The history could not be opened, read or written. what() is one line that names the history (without a password),
/// the reason and the remedy.
class HistoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Prefix of RunEntry::origin for runs that were not measured: a program made up their data, to try a report with.
inline constexpr char const* kSynthetic = "synthetic";

enum class Mode { read, write };

/// A run without its cases.
struct RunEntry {
  int64_t number = 0;  ///< in this history; not stable between histories
  std::string id, started, committed, commit;
  std::string device_slug, operation, card;
  bool dirty = false;
  std::string suite;
  std::string origin;            ///< model::Run::imported_from
  std::optional<int> exit_code;  ///< of its decision
  int cases = 0;                 ///< number of cases with a result
  /// The time by which a report orders its axis: when the code was committed or, if unknown, when it was measured.
  std::string const& when() const { return committed.empty() ? started : committed; }
};

/// The part of a decision about one case that is kept.
struct StoredDecision {
  model::Verdict verdict = model::Verdict::inconclusive;
  std::string reason_code, reason, also_changed;  ///< empty for a case that passed
  std::string decided_by;
  std::optional<double> change, low, high;  ///< of the deciding witness, shares
  std::optional<double> margin, detectable;
  bool operator==(StoredDecision const&) const = default;
};

/// The decision about a run.
struct RunDecision {
  model::ExitCode exit_code = model::ExitCode::undecided;
  std::vector<std::string> notes;  ///< about the run as a whole, and about kernels that did not pass as a whole
  std::map<std::string, StoredDecision> cases;
  bool operator==(RunDecision const&) const = default;
};
RunDecision decision_of(gate::Decisions const& decisions);

/// The run without the results of its cases.
struct RunHead {
  model::Run run;  ///< its sessions have no cases
  std::vector<std::string> notes;
};

struct SeriesEntry {
  int64_t number = 0;
  std::string device_slug, operation, case_id;
  std::vector<int64_t> earlier;  ///< numbers of the series under old ids of the case, see History::honour()
};

/// One case in one run: medians over its sessions, each with half the width (_hw) of its 95 % interval on the
/// logarithmic scale (stats/run_interval.h).
struct Result {
  int64_t run = 0;                                       ///< RunEntry::number
  model::CaseStatus status = model::CaseStatus::failed;  ///< also failed if it did not run although it should have
  std::string message;                                   ///< why, for every status but measured
  std::optional<StoredDecision> decision;
  int64_t attributes = 0;  ///< what it launched, see History::attributes; 0 if unknown
  int sessions = 0;        ///< number of sessions that measured it
  std::optional<double> time_ns, time_hw, ratio, ratio_hw, cycles, cycles_hw;
  std::optional<double> clock_mhz, power_w, temperature_c;
  std::optional<double> noise;  ///< robust spread of the rounds within a session
  std::string card;             ///< on which it was measured; empty: on RunEntry::card
};

/// What a case launched, as JSON text: `launches` as in a run file, and `machine_code` (a hash, empty when unknown).
using AttributeTexts = std::map<int64_t, std::string>;

struct StoredCalibration {
  std::string device_slug, operation;
  std::string recorded;  ///< UTC, ISO 8601
  std::string document;  ///< perfcheck.calibration/1
};

class Database;

class History {
 public:
  /// `place` is the path of a SQLite file or postgresql://... . Mode::write creates what is missing and brings an older
  /// schema up to date; Mode::read changes nothing and refuses an older schema.
  History(std::string const& place, Mode mode);
  ~History();
  History(History&&) noexcept;
  History& operator=(History&&) noexcept;

  /// From now on, everything that is read has the new ids: a case that was renamed is one series, whatever its runs
  /// called it. Runs are still added under the ids that they have. Do not call this before an export. Reading throws
  /// model::RenameError if a run holds two cases that a rename would make one.
  void honour(model::Renames renames) { renames_ = std::move(renames); }

  enum class Added { added, already_there };
  /// Adds a complete run and the decision about it, atomically: when it returns, the run is on disk. A run that is
  /// already there with the same content stays as it is; the same id with other content is a HistoryError. So are runs
  /// with injected slowdowns, runs without sessions, and runs of several device models.
  Added add(model::Run const& run, std::optional<RunDecision> const& decision);
  /// The same for a calibration; there is at most one for a device, an operation and a time.
  Added add(StoredCalibration const& calibration);

  /// Keeps a shard of a named fan-out (model::Shard) until its shards are merged; it is not a run of the history yet. A
  /// shard that was measured again replaces the earlier one.
  void put_shard(model::Run const& run);
  /// The shards kept under this name, for every device and operation.
  std::vector<model::Run> shards(std::string const& fan_out);
  /// Adds the run into which shards were merged, and removes these shards.
  Added add_merged(model::Run const& run, std::optional<RunDecision> const& decision);

  /// All runs, by device, operation, RunEntry::when() and start.
  std::vector<RunEntry> runs();
  RunHead head(RunEntry const& run);
  /// The whole run, equal to what was added except for ids that honour() changes.
  model::Run run(RunEntry const& run);
  /// The decision about a run; nullopt where there is none.
  std::optional<RunDecision> decision(RunEntry const& run);

  /// Every case of every device, by device, operation and case id.
  std::vector<SeriesEntry> series();
  /// Results of one case, in the order in which their runs were added.
  void read(SeriesEntry const& series, std::function<void(Result const&)> const& callback);
  AttributeTexts attributes();
  std::vector<StoredCalibration> calibrations();

  /// The name for messages: the path, or the address without a password.
  std::string const& name() const { return name_; }

 private:
  std::string origin_of(RunEntry const& run) const;

  std::string name_;
  model::Renames renames_;
  std::unique_ptr<Database> database_;
};

}  // namespace perfcheck::history
