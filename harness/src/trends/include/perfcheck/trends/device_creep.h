// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a history says about creep on one device (docs/change-points.md, Creep).
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/creep/creep.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/session/interrupt.h"
#include "perfcheck/trends/case_series.h"
#include "perfcheck/trends/release.h"
#include "perfcheck/trends/report_device.h"

namespace perfcheck::trends {

/// What is known about a run.
struct CreepRun {
  std::string commit, subject;
  std::string when;  ///< as RunEntry::when
};

struct CreptCase {
  report::Metric metric = report::Metric::ratio;  ///< the metric of its numbers
  creep::CaseCreep found;
};

struct CreptDevice {
  std::string device_slug, device_name, operation;
  std::optional<Release> release;  ///< what most cases are compared with; none: the first runs
  std::vector<CreepRun> runs;      ///< by place on the axis
  std::vector<CreptCase> cases;    ///< as they were added
  int judged = 0, controls = 0, controls_moved = 0;

  std::size_t count(creep::Status status) const;
};

/// Finds out what crept on a device: takes its cases one after the other, then answers for all of them.
class CreepQuestion {
 public:
  /// `anchor`: a commit to compare with; empty: the last release, as [creep] in perfcheck.toml says. All arguments must
  /// outlive the question. Throws like release_named().
  CreepQuestion(history::History& history, DeviceHistory const& device, config::Config const& config,
                std::filesystem::path const& baselines, std::string const& anchor, session::Interrupt const* interrupt);

  void add(std::string const& case_id, CaseSeries const& series);
  CreptDevice answer() const;

 private:
  creep::Reason left_out(std::string const& case_id, report::Series const& series) const;
  std::optional<int> accepted(std::string const& case_id) const;
  std::vector<creep::Point> points_of(report::Series const& series, report::Metric metric) const;

  struct RunFacts {
    int commit = -1;  ///< number of the commit; the same for equal commits
    int timing = 0;
    bool dirty = false;
  };

  DeviceHistory const& device_;
  CreptDevice crept_;
  gate::Policy policy_;  ///< the default of gate::Policy for a backend that perfcheck.toml does not know
  std::vector<RunFacts> facts_;
  std::map<std::string, std::string> libraries_;  ///< by kernel, in the newest run; empty for the program's own code
  std::optional<model::Baseline> baseline_;
  std::vector<creep::CaseHistory> histories_;
};

/// Reads all cases of a device, judges them together, and returns those in DeviceHistory::series.
CreptDevice creep_of(history::History& history, DeviceHistory const& device, config::Config const& config,
                     std::filesystem::path const& baselines, std::string const& anchor,
                     session::Interrupt const* interrupt);

/// Adds what crept to the report of a device. `crept` must have its cases in the order of the report.
void add_creep(report::ReportDevice& device, CreptDevice const& crept);

}  // namespace perfcheck::trends
