// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report page says about a device besides its series: plain values. docs/report-data.md describes them.
//
// Texts are empty and optional values absent where unknown. Shares: 0.03 is 3 %.
#pragma once

#include "perfcheck/model/run.h"
#include "perfcheck/report/metrics.h"
#include "perfcheck/report/series.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::report {

struct ReportCommit {
  std::string id, subject, author;
  std::string committed;  ///< UTC, ISO 8601
  std::string branch;
};

struct ReportEnvironment {
  model::Environment environment;
  std::string tool_version, compiler, cuda_toolkit;
};

struct ReportRun {
  std::string id, started;
  int commit = -1;  ///< index into ReportDevice::commits; -1 unknown
  bool dirty = false;
  int environment = 0;  ///< index into ReportDevice::environments
  std::string card;     ///< uuid
  std::string suite;
  std::vector<std::string> filters;
  int sessions = 0;
  double seconds = 0;
  std::optional<int> exit_code;       ///< of its decision
  std::map<std::string, int> counts;  ///< cases by verdict, or by status where nothing was decided
  std::string origin;              ///< empty for a worker's run; else the program it was imported from, or "synthetic"
  std::vector<std::string> notes;  ///< what the decision said about the whole run
};

struct ReportProblem {
  std::string text, name;
  double flop = 0, bytes = 0;
  std::vector<model::Axis> axes;  ///< as the operation names them; empty where it names none
};

struct ReportKernel {
  std::string id, summary, file;
  int line = 0;           ///< 0 unknown
  std::string library;    ///< empty for the program's own code
  std::string executes;   ///< arithmetic that it declares to execute; empty when it declares none
  double work_share = 0;  ///< share of the FLOP that it declares to execute; 0 when it declares none
};

/// The output of `perfcheck calibrate --json`, unchanged.
struct ReportCalibration {
  std::string recorded;  ///< when, UTC, ISO 8601
  std::string json;      ///< a document of docs/cli.md
};

/// A case in the newest run in which it appears.
struct ReportLatest {
  int run = 0;  ///< index into ReportDevice::runs
  model::CaseStatus status = model::CaseStatus::measured;
  std::string message;
  std::optional<model::Verdict> verdict;
  std::string reason_code, reason, also_changed, decided_by;
  std::optional<double> change, low, high;  ///< of the deciding witness, shares
  std::optional<double> margin, detectable;
  Figures figures;
};

/// What a baseline says about one metric, over its sessions.
struct ReportLevel {
  double median = 0, low = 0, high = 0;
};

struct ReportBaseline {
  int sessions = 0;
  std::string accepted;  ///< when last, UTC, ISO 8601
  std::string who, why, commit;
  std::optional<ReportLevel> time_ns, ratio, cycles;
  std::optional<double> margin;  ///< slowdown that is allowed, a share

  std::optional<ReportLevel> const& level(Metric metric) const;
};

/// A case that became slower by steps too small for the gate (docs/change-points.md, Creep). Runs are indices into
/// ReportDevice::runs.
struct ReportCreep {
  std::string status;  ///< "drifted" or "creeping"
  Metric metric = Metric::ratio;
  double drift = 0, low = 0, high = 0, margin = 0;
  std::string anchor;  ///< what it is compared with: "the release"
  int anchor_from = 0, anchor_to = 0, onset = 0, alarm = 0;
  struct Commit {
    int run = 0;                             ///< first run of a commit that may have contributed
    std::optional<double> moved, low, high;  ///< rise of the level there; absent where it is unknown
    bool likeliest = false;
  };
  std::vector<Commit> commits;  ///< those that moved the level most first
};

/// Result of the search for creep on a device.
struct ReportCreepSummary {
  int judged = 0;       ///< cases that could be judged
  std::string release;  ///< which most cases are compared with; empty: their first runs
};

struct ReportCase {
  std::string id;
  int kernel = 0, problem = 0;    ///< indices into ReportDevice::kernels and ::problems
  std::string reference;          ///< case id; its own for a control
  std::string arithmetic;         ///< key into DeviceInfo::peak_tflops
  Metric metric = Metric::ratio;  ///< the metric that the gate decides by
  std::optional<ReportLatest> latest;
  std::optional<ReportBaseline> baseline;
  std::optional<ReportCreep> creep;  ///< present for a case that crept
};

/// One device and operation, without its series.
struct ReportDevice {
  std::string key;  ///< "<slug>/<operation>"
  std::string operation;
  model::DeviceInfo card;  ///< of the last run; numbers that are 0 are unknown
  std::string repository;  ///< address of its page
  std::vector<ReportCommit> commits;
  std::vector<ReportEnvironment> environments;
  std::vector<ReportRun> runs;  ///< in the order of the axis: by time of the commit, then of the run
  std::vector<ReportProblem> problems;
  std::vector<ReportKernel> kernels;
  std::vector<ReportCase> cases;
  std::vector<ReportCalibration> calibrations;
  std::optional<ReportCreepSummary> creep;
};

/// A session that measured a case, for the detail of the case's latest runs.
struct DetailSession {
  int run = 0;             ///< index into ReportDevice::runs
  model::Session session;  ///< its cases are not read
  model::CaseResult result;
};

/// Is the page one file, or a folder with its data beside it?
enum class PageKind { single, site };

/// The last run of a device, for the list of devices.
struct ManifestRun {
  std::string started, commit;
  std::optional<int> exit_code;
  std::map<std::string, int> counts;
};

struct ManifestDevice {
  std::string key, name, operation, backend;
  std::string chunk;  ///< device_key()
  int cases = 0, runs = 0;
  std::optional<ManifestRun> last_run;
};

struct ReportManifest {
  std::string title;
  std::string generated;  ///< UTC, ISO 8601
  std::string tool_version;
  PageKind kind = PageKind::single;
  std::vector<std::string> notes;  ///< what every reader must know
  std::vector<ManifestDevice> devices;
};

}  // namespace perfcheck::report
