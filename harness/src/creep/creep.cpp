// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/creep/creep.h"

#include "anchors.h"
#include "contributions.h"
#include "perfcheck/stats/change_points.h"
#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>

namespace perfcheck::creep {
namespace {

// Correlation of neighbouring runs: the upper quartile over the device's series, so that most are judged with too much
// rather than too little. If there are fewer series than this, it is a value that such series rarely exceed.
constexpr std::size_t kFewestSeries = 20;
constexpr double kCommonCorrelation = 0.75;
constexpr double kUsualCorrelation = 0.3;
// The same values as in the gate: one control may move for reasons of its own, a machine moves many.
constexpr int kFewestControls = 8;
constexpr double kMovedShare = 0.2;
// Number of runs that an alarm is traced back at most.
constexpr std::size_t kMostTraced = 200;

bool is_judged(CaseHistory const& one) { return one.left_out == Reason::none && !one.points.empty(); }

double correlation_of(std::vector<CaseHistory> const& cases, std::vector<Columns> const& columns, double min_sd) {
  std::vector<double> estimates;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!is_judged(cases[i])) continue;
    if (auto const noise = stats::noise_of_series(columns[i].values, {.min_sd = min_sd, .groups = columns[i].groups})) {
      estimates.push_back(noise->correlation);
    }
  }
  if (estimates.size() < kFewestSeries) return kUsualCorrelation;
  return stats::quantile(estimates, kCommonCorrelation).value_or(kUsualCorrelation);
}

Reason reason_of(stats::CreepStatus status) {
  switch (status) {
    case stats::CreepStatus::judged: return Reason::none;
    case stats::CreepStatus::too_few_runs: return Reason::few_runs;
    case stats::CreepStatus::no_common_group: return Reason::other_cards;
    case stats::CreepStatus::not_finite:
    case stats::CreepStatus::bad_options: break;
  }
  return Reason::not_finite;
}

bool same_code_since(std::vector<Point> const& points, std::size_t begin) {
  return std::all_of(points.begin() + static_cast<std::ptrdiff_t>(begin), points.end(),
                     [&](Point const& point) { return point.code >= 0 && point.code == points[begin].code; });
}

/// Judges one case on its own, before the correction for the family of cases.
class CaseJudge {
 public:
  CaseJudge(CaseHistory const& one, Columns const& columns, Options const& options, double correlation)
      : one_(one), columns_(columns), options_(options), correlation_(correlation) {
    told_.id = one.id;
    told_.margin = one.margin;
    if (one.left_out != Reason::none || one.points.empty()) {
      told_.status = one.left_out != Reason::none ? Status::left_out : Status::unknown;
      told_.reason = one.left_out != Reason::none ? one.left_out : Reason::few_runs;
      return;
    }
    anchor_ = choose_anchor(one, columns, options, correlation);
    found_ = judge(one.points.size());
    told_.anchor = anchor_.kind;
    told_.anchor_from = one.points[anchor_.runs.begin].run;
    told_.anchor_to = one.points[anchor_.runs.end - 1].run;
    told_.anchor_runs = static_cast<int>(anchor_.runs.end - anchor_.runs.begin);
    told_.reason = reason_of(found_.status);
    if (told_.reason != Reason::none) return;
    told_.status = Status::steady;
    told_.drift = std::expm1(found_.drift);
    told_.low = std::expm1(found_.lower);
    told_.high = std::expm1(found_.upper);
    told_.runs = static_cast<int>(found_.runs);
    told_.p = found_.p;
    is_control_ = same_code_since(one.points, anchor_.runs.begin);
  }

  bool competes() const { return told_.status == Status::steady; }
  /// No known change of its code since the anchor: likelier than others to have moved with the machine.
  bool is_control() const { return is_control_; }
  /// The status by its own numbers; the correction for the family decides whether they are more than chance.
  Status status_by_itself() const { return status_of(found_); }

  /// Reports that the case crept, since when, and with which commits. `p` is the significance level for one of so many
  /// cases.
  void accuse(Status status, double p) {
    told_.status = status;
    std::size_t const alarm = first_alarm(status, p);
    told_.onset = one_.points[found_.onset].run;
    told_.alarm = one_.points[alarm].run;
    told_.contributions = contributions({.history = one_,
                                         .columns = columns_,
                                         .anchor = anchor_.runs,
                                         .onset = found_.onset,
                                         .alarm = alarm,
                                         .correlation = correlation_,
                                         .min_sd = options_.min_sd});
  }
  void excuse(Reason reason) {
    told_.status = Status::unknown;
    told_.reason = reason;
  }

  CaseCreep const& told() const { return told_; }

 private:
  /// Judges by the first `count` runs only, as it would have been judged then.
  stats::Creep judge(std::size_t count) const {
    return stats::judge_creep(std::span(columns_.values).first(count), anchor_.runs,
                              {.margin = one_.margin,
                               .min_sd = options_.min_sd,
                               .correlation = correlation_,
                               .groups = std::span(columns_.groups).first(count)});
  }

  Status status_of(stats::Creep const& creep) const {
    double const share = std::expm1(creep.drift);
    bool const matters = one_.time_ns * share >= options_.floor_ns || one_.time_ns == 0;
    if (!matters || creep.status != stats::CreepStatus::judged) return Status::steady;
    if (creep.beyond(one_.margin)) return Status::drifted;
    return creep.lower > 0 && share > one_.margin / 2 ? Status::creeping : Status::steady;
  }

  /// The earliest run since which the case has had this status without a break.
  std::size_t first_alarm(Status status, double p) const {
    std::size_t const last = one_.points.size();
    std::size_t const least = anchor_.runs.end + stats::kFewestCreepRuns;
    std::size_t count = last;
    while (count > least && last - count < kMostTraced) {
      stats::Creep const before = judge(count - 1);
      Status const was = status_of(before);
      bool const already = was == Status::drifted || (was == Status::creeping && status == Status::creeping);
      if (!already || !(before.p <= p)) break;
      --count;
    }
    return count - 1;
  }

  CaseHistory const& one_;
  Columns const& columns_;
  Options const& options_;
  double correlation_;
  ChosenAnchor anchor_;
  stats::Creep found_;
  CaseCreep told_;
  bool is_control_ = false;
};

/// Blames the cases that remain significant after the correction for the family.
void decide(std::vector<CaseJudge>& judges, Options const& options, DeviceCreep& device) {
  std::vector<CaseJudge*> competing;
  std::vector<double> p_values;
  for (CaseJudge& judge : judges) {
    if (judge.is_control()) {
      ++device.controls;
      device.controls_moved += judge.status_by_itself() == Status::drifted ? 1 : 0;
    }
    if (judge.competes()) {
      competing.push_back(&judge);
      p_values.push_back(judge.told().p);
    }
  }
  device.judged = static_cast<int>(competing.size());
  bool const machine_moved =
      device.controls >= kFewestControls && device.controls_moved >= kMovedShare * device.controls;
  std::vector<bool> const beyond_chance = stats::holm(p_values, options.alpha);
  for (std::size_t i = 0; i < competing.size(); ++i) {
    Status const status = competing[i]->status_by_itself();
    if (!beyond_chance[i] || status == Status::steady) continue;
    if (machine_moved) {
      competing[i]->excuse(Reason::controls_moved);
    } else {
      competing[i]->accuse(status, options.alpha / static_cast<double>(competing.size()));
    }
  }
}

}  // namespace

std::vector<CaseCreep const*> DeviceCreep::with(Status status) const {
  std::vector<CaseCreep const*> found;
  for (CaseCreep const& one : cases) {
    if (one.status == status) found.push_back(&one);
  }
  return found;
}

DeviceCreep find_creep(std::vector<CaseHistory> const& cases, Options const& options) {
  std::vector<Columns> columns;
  for (CaseHistory const& one : cases) columns.push_back(columns_of(one.points));
  DeviceCreep device{.correlation = correlation_of(cases, columns, options.min_sd)};
  std::vector<CaseJudge> judges;
  judges.reserve(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    judges.emplace_back(cases[i], columns[i], options, device.correlation);
  }
  decide(judges, options, device);
  for (CaseJudge const& judge : judges) device.cases.push_back(judge.told());
  return device;
}

}  // namespace perfcheck::creep
