// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/report_device.h"

#include "perfcheck/baselines/stored.h"
#include "perfcheck/config/asked.h"
#include "perfcheck/gate/gate.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/model/median.h"
#include "perfcheck/store/operations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace perfcheck::trends {
namespace {

/// Finds the position of a value in a list, and adds the value when it is new. A key text identifies it.
template <typename T>
class Table {
 public:
  explicit Table(std::vector<T>& values) : values_(values) {}
  int index(std::string const& key, T const& value) {
    auto const [entry, is_new] = known_.try_emplace(key, static_cast<int>(values_.size()));
    if (is_new) {
      values_.push_back(value);
    }
    return entry->second;
  }

 private:
  std::vector<T>& values_;
  std::map<std::string, int> known_;
};

std::string environment_key(report::ReportEnvironment const& one) {
  return model::one_line_text(model::to_json(one.environment)) + "\n" + one.tool_version + "\n" + one.compiler + "\n" +
         one.cuda_toolkit;
}

/// Reads the heads of a device's runs, oldest first.
class FrameBuilder {
 public:
  explicit FrameBuilder(report::ReportDevice& frame)
      : frame_(frame), commits_(frame.commits), environments_(frame.environments) {}

  void add(history::RunEntry const& entry, history::RunHead const& head) {
    model::Run const& run = head.run;
    model::Session const& session = run.sessions.front();
    report::ReportRun shown{.id = run.id, .started = run.started};
    if (!run.source.commit.empty()) {
      shown.commit = commits_.index(run.source.commit, {.id = run.source.commit,
                                                        .subject = run.source.subject,
                                                        .author = run.source.author,
                                                        .committed = run.source.committed,
                                                        .branch = run.source.branch});
    }
    report::ReportEnvironment const environment{.environment = session.environment,
                                                .tool_version = run.tool_version,
                                                .compiler = run.worker.build.compiler,
                                                .cuda_toolkit = run.worker.build.cuda_toolkit};
    shown.environment = environments_.index(environment_key(environment), environment);
    shown.dirty = run.source.dirty;
    shown.card = session.device.uuid;
    shown.suite = run.suite;
    shown.filters = run.filters;
    shown.sessions = static_cast<int>(run.sessions.size());
    shown.seconds = run.seconds;
    shown.exit_code = entry.exit_code;
    shown.origin = run.imported_from;
    shown.notes = head.notes;
    frame_.runs.push_back(std::move(shown));
    for (model::KernelEntry const& kernel : run.kernels) {
      kernels_[kernel.id] = kernel;
    }
    for (model::ProblemInfo const& problem : run.problems) {
      axes_[problem.text] = problem.axes;
    }
    frame_.operation = fmt::format("{}", fmt::join(model::operations_of(run.worker), ", "));
    frame_.card = session.device;
    if (!run.source.repository.empty()) {
      frame_.repository = run.source.repository;
    }
  }

  std::map<std::string, model::KernelEntry> const& kernels() const { return kernels_; }
  std::map<std::string, std::vector<model::Axis>> const& axes() const { return axes_; }

 private:
  report::ReportDevice& frame_;
  Table<report::ReportCommit> commits_;
  Table<report::ReportEnvironment> environments_;
  std::map<std::string, model::KernelEntry> kernels_;
  std::map<std::string, std::vector<model::Axis>> axes_;
};

/// Axes by the problem's text, as the runs tell them.
using Axes = std::map<std::string, std::vector<model::Axis>>;

report::ReportProblem problem_of(std::string const& text, std::string const& operation, Axes const& axes,
                                 std::map<std::string, std::string> const& names) {
  auto const name = names.find(text);
  auto const told = axes.find(text);
  return {.text = text,
          .name = name == names.end() ? "" : name->second,
          .axes = told == axes.end() ? model::migrated_axes(operation, text) : told->second};
}

/// Names that the suites of perfcheck.toml give to problems.
std::map<std::string, std::string> problem_names(config::Config const& config, std::string const& operation) {
  std::map<std::string, std::string> names;
  for (config::Suite const& suite : config.suites) {
    for (config::SuiteProblem const& problem : config::expand(suite, operation)) {
      if (!problem.name.empty()) {
        names[problem.problem] = problem.name;
      }
    }
  }
  return names;
}

std::optional<report::ReportLevel> level_of(std::vector<double> const& values) {
  if (values.empty()) {
    return std::nullopt;
  }
  auto const [low, high] = std::minmax_element(values.begin(), values.end());
  return report::ReportLevel{.median = model::median(values).value_or(0), .low = *low, .high = *high};
}

report::ReportBaseline baseline_of_case(model::Baseline const& baseline, model::BaselineCase const& stored,
                                        double margin) {
  model::Acceptance const last = baseline.accepted.empty() ? model::Acceptance{} : baseline.accepted.back();
  return {.sessions = static_cast<int>(stored.session.size()),
          .accepted = last.when,
          .who = last.who,
          .why = last.why,
          .commit = last.commit,
          .time_ns = level_of(stored.time_ns),
          .ratio = level_of(stored.ratio),
          .cycles = level_of(stored.cycles),
          .margin = margin};
}

void add_cases(report::ReportDevice& frame, DeviceHistory const& device,
               std::map<std::string, model::KernelEntry> const& kernels, Axes const& axes,
               std::map<std::string, std::string> const& names) {
  std::vector<std::string> const operations = operations_of(device);
  Table<report::ReportKernel> kernel_table(frame.kernels);
  Table<report::ReportProblem> problem_table(frame.problems);
  for (history::SeriesEntry const& series : device.series) {
    model::CaseName const name = model::split_case_id(series.case_id);
    report::ReportKernel kernel{.id = name.kernel};
    if (auto const known = kernels.find(name.kernel); known != kernels.end()) {
      kernel.summary = known->second.summary;
      kernel.file = known->second.file;
      kernel.line = known->second.line;
      kernel.library = known->second.library;
      kernel.executes = known->second.executes;
      kernel.work_share = known->second.work_share;
    }
    std::string const& operation = model::operation_of(operations, series.case_id);
    frame.cases.push_back(
        {.id = series.case_id,
         .kernel = kernel_table.index(name.kernel, kernel),
         .problem = problem_table.index(name.problem, problem_of(name.problem, operation, axes, names))});
  }
}

void add_baselines(report::ReportDevice& frame, DeviceHistory const& device, config::Config const& config,
                   std::filesystem::path const& folder) {
  std::optional<model::Baseline> const baseline = baselines::renamed(
      store::read_baselines(folder, device.device_slug, operations_of(device)), config.names.renamed, folder);
  if (!baseline) {
    return;
  }
  for (report::ReportCase& one : frame.cases) {
    if (auto const stored = baseline->cases.find(one.id); stored != baseline->cases.end()) {
      double const margin = gate::margin_of(config.backend(frame.card.backend).policy, one.id);
      one.baseline = baseline_of_case(*baseline, stored->second, margin);
    }
  }
}

}  // namespace

std::vector<std::string> operations_of(DeviceHistory const& device) {
  std::vector<std::string> ids;
  std::ranges::transform(device.all_series, std::back_inserter(ids), &history::SeriesEntry::case_id);
  return store::operations_of(device.operation, ids);
}

std::vector<DeviceHistory> devices_of(history::History& history, std::vector<std::string> const& filters) {
  std::map<std::pair<std::string, std::string>, DeviceHistory> devices;
  for (history::RunEntry const& run : history.runs()) {
    DeviceHistory& device = devices[{run.device_slug, run.operation}];
    device.device_slug = run.device_slug;
    device.operation = run.operation;
    device.runs.push_back(run);
  }
  for (history::SeriesEntry const& series : history.series()) {
    auto const found = devices.find({series.device_slug, series.operation});
    if (found == devices.end()) {
      continue;  // its first run was added a moment ago
    }
    found->second.all_series.push_back(series);
    if (config::selected(filters, series.case_id)) {
      found->second.series.push_back(series);
    }
  }
  std::vector<DeviceHistory> list;
  for (auto& [key, device] : devices) {
    list.push_back(std::move(device));
  }
  return list;
}

report::ReportDevice device_frame(history::History& history, DeviceHistory const& device, config::Config const& config,
                                  std::filesystem::path const& baselines) {
  report::ReportDevice frame;
  frame.key = device.device_slug + "/" + device.operation;
  frame.operation = device.operation;
  FrameBuilder builder(frame);
  for (history::RunEntry const& run : device.runs) {
    builder.add(run, history.head(run));
  }
  add_cases(frame, device, builder.kernels(), builder.axes(), problem_names(config, device.operation));
  add_baselines(frame, device, config, baselines);
  for (history::StoredCalibration const& calibration : history.calibrations()) {
    if (calibration.device_slug == device.device_slug && calibration.operation == device.operation) {
      frame.calibrations.push_back({.recorded = calibration.recorded, .json = calibration.document});
    }
  }
  return frame;
}

void add_latest(report::ReportDevice& device, std::size_t case_index, int run, history::Result const& newest,
                model::CaseResult const* measured) {
  report::ReportCase& one = device.cases.at(case_index);
  report::ReportLatest latest{.run = run, .status = newest.status, .message = newest.message};
  if (newest.decision) {
    history::StoredDecision const& decision = *newest.decision;
    latest.verdict = decision.verdict;
    latest.reason_code = decision.reason_code;
    latest.reason = decision.reason;
    latest.also_changed = decision.also_changed;
    latest.decided_by = decision.decided_by;
    latest.change = decision.change;
    latest.low = decision.low;
    latest.high = decision.high;
    latest.margin = decision.margin;
    latest.detectable = decision.detectable;
  }
  latest.figures = {.time_ns = newest.time_ns,
                    .cycles = newest.cycles,
                    .clock_mhz = newest.clock_mhz,
                    .ratio = newest.ratio,
                    .noise = newest.noise};
  if (measured != nullptr) {
    one.reference = measured->reference;
    one.arithmetic = measured->arithmetic;
    report::ReportProblem& problem = device.problems.at(static_cast<std::size_t>(one.problem));
    problem.flop = std::max(problem.flop, measured->work.flop);
    problem.bytes = std::max(problem.bytes, measured->work.bytes);
    report::add_work(latest.figures, *measured, device.card);
  }
  auto const decided = report::metric_from_text(latest.decided_by);
  one.metric = decided         ? *decided
               : newest.ratio  ? report::Metric::ratio
               : newest.cycles ? report::Metric::cycles
                               : report::Metric::time;
  one.latest = std::move(latest);
}

}  // namespace perfcheck::trends
