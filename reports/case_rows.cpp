// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/case_rows.h"

#include "perfcheck/model/median.h"
#include "perfcheck/model/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>

namespace perfcheck::report {
namespace {

using model::Verdict;

int rank_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regressed: return 0;
    case Verdict::incorrect: return 1;
    case Verdict::implausible: return 2;
    case Verdict::invalid: return 3;
    case Verdict::crashed: return 4;
    case Verdict::timed_out: return 5;
    case Verdict::failed: return 6;
    case Verdict::missing: return 7;
    case Verdict::incomparable: return 8;
    case Verdict::inconclusive: return 9;
    case Verdict::no_baseline: return 10;
    case Verdict::improved: return 11;
    case Verdict::pass: return 12;
    case Verdict::skipped: return 13;
  }
  throw std::logic_error("unknown verdict");
}

/// The verdict that stands for a status when nothing is compared.
Verdict verdict_of(model::CaseStatus status) {
  switch (status) {
    case model::CaseStatus::measured: return Verdict::pass;
    case model::CaseStatus::incorrect: return Verdict::incorrect;
    case model::CaseStatus::implausible: return Verdict::implausible;
    case model::CaseStatus::invalid: return Verdict::invalid;
    case model::CaseStatus::crashed: return Verdict::crashed;
    case model::CaseStatus::timed_out: return Verdict::timed_out;
    case model::CaseStatus::failed: return Verdict::failed;
    case model::CaseStatus::skipped: return Verdict::skipped;
  }
  throw std::logic_error("unknown status");
}

/// Median of the values that `get` returns for the sessions; empty when there are none.
template <typename Get>
std::optional<double> median_of(std::vector<model::SessionSummary> const& summaries, Get get) {
  std::vector<double> values;
  for (model::SessionSummary const& summary : summaries) {
    if (std::optional<double> const value = get(summary)) {
      values.push_back(*value);
    }
  }
  return model::median(values);
}

/// Figures of one case over all sessions that measured it.
struct Gathered {
  std::vector<model::SessionSummary> summaries;
  model::CaseResult const* worst = nullptr;  ///< the result to report; null: all are unfit
  model::CaseResult const* unfit = nullptr;  ///< a result that the machine was not fit for
  model::DeviceInfo const* device = nullptr;

  void add(model::CaseResult const& result, model::Session const& session) {
    device = &session.device;
    if (!result.unfit.empty()) {
      unfit = &result;
      return;
    }
    if (worst == nullptr || rank_of(verdict_of(result.status)) < rank_of(verdict_of(worst->status))) {
      worst = &result;
    }
    if (auto const summary = model::summarize(result)) {
      summaries.push_back(*summary);
    }
  }

  CaseRow row() const {
    CaseRow row = worst == nullptr ? unfit_row() : measured_row();
    row.id = (worst == nullptr ? unfit : worst)->id;
    return row;
  }

 private:
  CaseRow unfit_row() const {
    CaseRow row;
    row.outcome = "unfit";
    row.reason = fmt::format("the machine was not fit: {}", fmt::join(unfit->unfit, "; "));
    row.rank = rank_of(Verdict::incomparable);
    row.failed = true;
    return row;
  }

  CaseRow measured_row() const {
    CaseRow row;
    Verdict const verdict = verdict_of(worst->status);
    bool const verified = worst->skip_reason == model::SkipReason::verify_only;
    row.outcome = verified ? "verified" : model::to_text(worst->status);
    row.rank = rank_of(verdict);
    row.failed = model::exit_code_of(verdict) != model::ExitCode::ok;
    row.reason = worst->message;
    row.skip_reason = worst->skip_reason;
    row.time_ns = median_of(summaries, [](auto const& s) { return std::optional(s.time_ns); });
    row.cycles = median_of(summaries, [](auto const& s) { return s.cycles; });
    row.clock_mhz = median_of(summaries, [](auto const& s) { return s.clock_mhz; });
    row.noise = median_of(summaries, [](auto const& s) { return s.noise; });
    row.ratio = median_of(summaries, [](auto const& s) { return s.ratio; });
    add_work(row, *worst, *device);
    return row;
  }
};

bool is_naive(std::string const& kernel) { return kernel == "naive" || kernel.ends_with("/naive"); }

void add_naive_times(std::map<std::string, CaseRow>& rows) {
  std::map<std::string, double> naive_times;
  for (auto const& [id, row] : rows) {
    model::CaseName const name = model::split_case_id(id);
    if (is_naive(name.kernel) && row.time_ns) {
      naive_times[name.problem] = *row.time_ns;
    }
  }
  for (auto& [id, row] : rows) {
    auto const naive = naive_times.find(model::split_case_id(id).problem);
    if (naive != naive_times.end()) {
      row.naive_time_ns = naive->second;
    }
  }
}

std::map<std::string, CaseRow> figures_of(model::Run const& run) {
  std::map<std::string, Gathered> gathered;
  for (model::Session const& session : run.sessions) {
    for (model::CaseResult const& result : session.cases) {
      gathered[result.id].add(result, session);
    }
  }
  std::map<std::string, CaseRow> rows;
  for (auto const& [id, one] : gathered) {
    rows[id] = one.row();
  }
  add_naive_times(rows);
  return rows;
}

std::vector<CaseRow> sorted(std::map<std::string, CaseRow> rows) {
  std::vector<CaseRow> result;
  for (auto& [id, row] : rows) {
    result.push_back(std::move(row));
  }
  std::stable_sort(result.begin(), result.end(), [](CaseRow const& a, CaseRow const& b) {
    auto const size = [](CaseRow const& row) { return row.failed && row.change ? std::abs(row.change->change) : 0.0; };
    return std::tuple(a.rank, -size(a)) < std::tuple(b.rank, -size(b));
  });
  return result;
}

}  // namespace

std::vector<CaseRow> rows_of(model::Run const& run, gate::Decisions const& decisions,
                             std::vector<Verdict> const& demoted) {
  std::map<std::string, CaseRow> rows = figures_of(run);
  for (gate::CaseDecision const& decision : decisions.cases) {
    CaseRow& row = rows[decision.id];
    row.id = decision.id;
    row.outcome = decision.reason_code == gate::kRecordedCode ? gate::kRecordedCode : model::to_text(decision.verdict);
    row.rank = rank_of(decision.verdict);
    row.failed = model::exit_code_of(decision.verdict) != model::ExitCode::ok &&
                 std::find(demoted.begin(), demoted.end(), decision.verdict) == demoted.end();
    row.reason = decision.reason;
    row.change = decision.deciding();
    row.detectable = decision.detectable;
    row.at_most = decision.at_most;
    row.disturbed = decision.reason_code == gate::kDisturbedCode;
    row.also_changed = gate::also_changed(decision.differences);
  }
  return sorted(std::move(rows));
}

std::vector<CaseRow> rows_of(model::Run const& run) { return sorted(figures_of(run)); }

}  // namespace perfcheck::report
