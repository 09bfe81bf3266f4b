// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/device_creep.h"

#include "perfcheck/baselines/stored.h"
#include "perfcheck/model/run.h"
#include "perfcheck/stats/creep.h"
#include "perfcheck/store/operations.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace perfcheck::trends {
namespace {

// Older runs say nothing about the present, and cost time.
constexpr std::size_t kMostRuns = 1000;
// A case that none of this many newest runs measured counts as no longer measured.
constexpr int kForgotten = 50;

/// Whether an entry of a series' table of attributes knows its machine code.
bool knows_code(std::string const& attributes) {
  nlohmann::json const parsed = nlohmann::json::parse(attributes, nullptr, false);
  return parsed.is_object() && !parsed.value("machine_code", "").empty();
}

/// The commit's id without the mark of a tree with changes.
std::string plain_commit(std::string commit) {
  constexpr std::string_view kMark = "-dirty";
  if (commit.ends_with(kMark)) {
    commit.resize(commit.size() - kMark.size());
  }
  return commit;
}

}  // namespace

std::size_t CreptDevice::count(creep::Status status) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(cases, [&](CreptCase const& one) { return one.found.status == status; }));
}

CreepQuestion::CreepQuestion(history::History& history, DeviceHistory const& device, config::Config const& config,
                             std::filesystem::path const& baselines, std::string const& anchor,
                             session::Interrupt const* interrupt)
    : device_(device) {
  crept_.device_slug = device.device_slug;
  crept_.operation = device.operation;
  std::map<std::string, int> commits;
  for (history::RunEntry const& entry : device.runs) {
    history::RunHead const head = history.head(entry);
    model::Session const& session = head.run.sessions.front();
    int const commit =
        entry.commit.empty() ? -1 : commits.emplace(entry.commit, static_cast<int>(commits.size())).first->second;
    facts_.push_back({.commit = commit, .timing = session.environment.timing, .dirty = entry.dirty});
    crept_.runs.push_back({.commit = entry.commit, .subject = head.run.source.subject, .when = entry.when()});
    if (&entry == &device.runs.back()) {
      crept_.device_name = session.device.name;
      if (auto const backend = config.backends.find(session.device.backend); backend != config.backends.end()) {
        policy_ = backend->second.policy;
      }
      for (model::KernelEntry const& kernel : head.run.kernels) {
        libraries_[kernel.id] = kernel.library;
      }
    }
  }
  std::filesystem::path const folder = config.file.parent_path();
  crept_.release = anchor.empty()
                       ? last_release(config.releases, folder, device.runs, stats::kFewestCreepRuns, interrupt)
                       : std::optional(release_named(anchor, folder, device.runs, interrupt));
  baseline_ = baselines::renamed(store::read_baselines(baselines, device.device_slug, operations_of(device)),
                                 config.names.renamed, baselines);
}

creep::Reason CreepQuestion::left_out(std::string const& case_id, report::Series const& series) const {
  auto const kernel = libraries_.find(model::split_case_id(case_id).kernel);
  if (!libraries_.empty() && kernel == libraries_.end()) {
    return creep::Reason::gone;
  }
  if (kernel != libraries_.end() && !kernel->second.empty()) {
    return creep::Reason::library;
  }
  bool const forgotten = series.size() == 0 || series.run.back() + kForgotten < static_cast<int>(facts_.size());
  return forgotten ? creep::Reason::gone : creep::Reason::none;
}

/// Position of the oldest session that the baseline has of the case; earlier ones were replaced. A session whose commit
/// is not on the axis, such as one of a squashed branch, is placed by when it was measured.
std::optional<int> CreepQuestion::accepted(std::string const& case_id) const {
  if (!baseline_ || !baseline_->cases.contains(case_id)) {
    return std::nullopt;
  }
  model::BaselineSession const* oldest = nullptr;
  for (std::string const& id : baseline_->cases.at(case_id).session) {
    auto const session = std::ranges::find(baseline_->sessions, id, &model::BaselineSession::id);
    if (session != baseline_->sessions.end() && (oldest == nullptr || session->started < oldest->started)) {
      oldest = &*session;
    }
  }
  if (oldest == nullptr) {
    return std::nullopt;
  }
  auto const same = std::ranges::find(device_.runs, plain_commit(oldest->commit), &history::RunEntry::commit);
  if (same != device_.runs.end() && !same->commit.empty()) {
    return static_cast<int>(same - device_.runs.begin());
  }
  auto const later = std::ranges::lower_bound(device_.runs, oldest->started, {}, &history::RunEntry::when);
  return static_cast<int>(later - device_.runs.begin());
}

std::vector<creep::Point> CreepQuestion::points_of(report::Series const& series, report::Metric metric) const {
  std::vector<bool> known;
  for (std::string const& attributes : series.attribute_table) {
    known.push_back(knows_code(attributes));
  }
  std::vector<double> const& values = series.values(metric);
  std::map<std::pair<int, int>, int> groups;
  std::vector<creep::Point> points;
  for (std::size_t i = series.size() - std::min(series.size(), kMostRuns); i < series.size(); ++i) {
    RunFacts const& run = facts_[static_cast<std::size_t>(series.run[i])];
    if (run.dirty || !(std::isfinite(values[i]) && values[i] > 0)) {
      continue;
    }
    int const group =
        groups.emplace(std::pair(series.card[i], run.timing), static_cast<int>(groups.size())).first->second;
    bool const tells_code = known[static_cast<std::size_t>(series.attributes[i])];
    points.push_back({.run = series.run[i],
                      .value = std::log(values[i]),
                      .group = group,
                      .commit = run.commit,
                      .code = tells_code ? series.attributes[i] : -1,
                      .improved = series.verdict[i] == model::Verdict::improved});
  }
  return points;
}

void CreepQuestion::add(std::string const& case_id, CaseSeries const& series) {
  report::Metric const metric = metric_of(series);
  crept_.cases.push_back({.metric = metric, .found = {}});
  histories_.push_back({.id = case_id,
                        .margin = gate::margin_of(policy_, case_id),
                        .time_ns = series.newest ? series.newest->time_ns.value_or(0) : 0,
                        .points = points_of(series.series, metric),
                        .accepted = accepted(case_id),
                        .left_out = left_out(case_id, series.series)});
}

CreptDevice CreepQuestion::answer() const {
  CreptDevice crept = crept_;
  creep::Options options{.min_sd = policy_.min_sd, .floor_ns = policy_.floor_ns};
  if (crept.release) {
    options.release = crept.release->run;
  }
  creep::DeviceCreep found = creep::find_creep(histories_, options);
  for (std::size_t i = 0; i < crept.cases.size(); ++i) {
    crept.cases[i].found = std::move(found.cases[i]);
  }
  crept.judged = found.judged;
  crept.controls = found.controls;
  crept.controls_moved = found.controls_moved;
  return crept;
}

CreptDevice creep_of(history::History& history, DeviceHistory const& device, config::Config const& config,
                     std::filesystem::path const& baselines, std::string const& anchor,
                     session::Interrupt const* interrupt) {
  CreepQuestion question(history, device, config, baselines, anchor, interrupt);
  history::AttributeTexts const attributes = history.attributes();
  RunAxis const axis(device.runs);
  for (history::SeriesEntry const& series : device.all_series) {
    if (interrupt != nullptr) {
      interrupt->throw_if_raised();
    }
    question.add(series.case_id, read_case_series(history, series, axis, attributes));
  }
  CreptDevice crept = question.answer();
  std::set<std::string> wanted;
  for (history::SeriesEntry const& series : device.series) {
    wanted.insert(series.case_id);
  }
  std::erase_if(crept.cases, [&](CreptCase const& one) { return !wanted.contains(one.found.id); });
  return crept;
}

void add_creep(report::ReportDevice& device, CreptDevice const& crept) {
  device.creep = report::ReportCreepSummary{.judged = crept.judged,
                                            .release = crept.release ? crept.release->name : std::string()};
  for (std::size_t i = 0; i < crept.cases.size(); ++i) {
    creep::CaseCreep const& found = crept.cases[i].found;
    if (found.status != creep::Status::drifted && found.status != creep::Status::creeping) {
      continue;
    }
    report::ReportCreep shown{.status = std::string(creep::to_text(found.status)),
                              .metric = crept.cases[i].metric,
                              .drift = found.drift,
                              .low = found.low,
                              .high = found.high,
                              .margin = found.margin,
                              .anchor = std::string(creep::to_text(found.anchor)),
                              .anchor_from = found.anchor_from,
                              .anchor_to = found.anchor_to,
                              .onset = found.onset,
                              .alarm = found.alarm,
                              .commits = {}};
    for (creep::Contribution const& one : found.contributions) {
      shown.commits.push_back(
          {.run = one.run, .moved = one.moved, .low = one.low, .high = one.high, .likeliest = one.likeliest});
    }
    device.cases.at(i).creep = std::move(shown);
  }
}

}  // namespace perfcheck::trends
