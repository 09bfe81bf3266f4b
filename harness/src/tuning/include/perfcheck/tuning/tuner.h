// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the points of kernels on a suite's problems and keeps the results on disk, a batch of problems at a time.
#pragma once

#include "perfcheck/measuring/workbench.h"
#include "perfcheck/tuning/contest.h"
#include "perfcheck/tuning/validity.h"

#include <chrono>
#include <set>

namespace perfcheck::tuning {

struct TuningOptions {
  measuring::Options measuring;
  std::string out;                                 ///< file to read and continue; empty: beside the baseline
  enum class Again { no, yes } again = Again::no;  ///< also measure what the file already holds
};

/// A contender without a usable time.
struct FailedPoint {
  std::string id;       ///< id of the case
  std::string status;   ///< "incorrect", "crashed", ...
  std::string message;  ///< why
};

class Tuner {
 public:
  /// Starts the worker, plans, and reads the file. With --again, the points in the file do not count, but each stays
  /// until it is measured again.
  Tuner(TuningOptions const& options, Context& context);

  /// Measures until every problem is complete or the budget is used up. Each batch is on disk before the next one
  /// starts; an interruption loses one batch at most.
  void run();

  std::filesystem::path const& file() const { return file_; }
  model::Tuning const& tuning() const { return tuning_; }
  std::vector<Contest> const& contests() const { return contests_; }
  /// Contenders of the last run() that failed, or that were measured on a machine that was not fit.
  std::vector<FailedPoint> const& failed() const { return failed_; }
  /// What run() found about those points in the file that it could have measured.
  Review const& review() const { return review_; }
  /// How many of contests() have nothing left to measure.
  std::size_t complete() const;
  measuring::Workbench const& bench() const { return bench_; }

 private:
  enum class Length { brief, full };

  void drop_what_is_gone();
  /// Finds out which points in the file are valid, and says so.
  void review_points();
  /// Asks the worker for the codes of these cases, as far as they are not known yet.
  void learn_codes(std::set<std::string> cases);
  /// The cases that a batch still needs.
  std::vector<protocol::PlannedCase> wanted(std::vector<Contest> const& batch, Length length) const;
  void measure(std::vector<protocol::PlannedCase> const& cases, Length length, std::string const& label);
  /// Throws CommandError if the worker was built anew since the start: times and codes would be of two programs.
  void expect_same_program() const;
  void learn_codes_of_measured(std::vector<model::Session> const& sessions);
  void keep(std::vector<model::Session> const& sessions, Length length);
  void keep(model::CaseResult const& result, std::string const& session, Length length);
  std::string new_session_id() const;
  void write();
  bool out_of_budget() const;
  /// The valid points on a problem.
  std::vector<model::TunedPoint> current(Contest const& contest) const;
  model::TuningSession const& session_of(model::TunedPoint const& point) const;
  Validity validity_of_point(model::TunedPoint const& point, Contest const& contest) const;

  TuningOptions const& options_;
  Context& context_;
  measuring::Workbench bench_;
  Present present_;
  std::string commit_;
  std::vector<Contest> contests_;
  std::filesystem::path file_;
  model::Tuning tuning_;
  Review review_;
  std::vector<FailedPoint> failed_;
  std::chrono::steady_clock::time_point const start_ = std::chrono::steady_clock::now();
};

}  // namespace perfcheck::tuning
