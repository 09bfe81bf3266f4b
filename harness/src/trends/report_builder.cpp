// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/report_builder.h"

#include "perfcheck/report/chunk.h"
#include "perfcheck/report/page_json.h"
#include "perfcheck/report/run_blocks.h"
#include "perfcheck/trends/case_series.h"
#include "perfcheck/trends/device_creep.h"
#include "perfcheck/trends/history_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace perfcheck::trends {
namespace {

using report::Metric;
using report::Series;

// How many of a case's latest runs are shown in detail.
constexpr std::size_t kDetailRuns = 3;
constexpr unsigned kMostThreads = 8;
// Shorter series cannot tell how strongly neighbouring runs correlate, so this many are pooled.
constexpr std::size_t kShortHistory = 200;
constexpr std::size_t kPooledSeries = 100;

/// Lets threads finish their pieces in the order of the pieces.
class Turns {
 public:
  /// Waits until every earlier piece is done; false when another thread failed.
  bool wait_for(std::size_t piece) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || next_ == piece; });
    return !failed_;
  }
  void done() {
    std::scoped_lock const lock(mutex_);
    ++next_;
    changed_.notify_all();
  }
  /// Keeps the first error; everybody stops.
  void fail(std::exception_ptr error) {
    std::scoped_lock const lock(mutex_);
    if (!failed_) {
      failed_ = std::move(error);
    }
    changed_.notify_all();
  }
  bool failed() {
    std::scoped_lock const lock(mutex_);
    return failed_ != nullptr;
  }
  void rethrow() const {
    if (failed_) {
      std::rethrow_exception(failed_);
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;
  std::exception_ptr failed_;
};

class DeviceBuild {
 public:
  DeviceBuild(ReportSource const& source, DeviceHistory const& device, int number, ChunkSink const& sink)
      : source_(source),
        history_(open_history(source.place, source.config)),
        entries_(device),
        number_(number),
        sink_(sink),
        attributes_(history_.attributes()),
        axis_(device.runs),
        built_{.device = device_frame(history_, device, source.config, source.baselines), .facts = {}},
        creep_(history_, device, source.config, source.baselines, "", &source.interrupt),
        blocks_(static_cast<int>(device.runs.size()), static_cast<int>(device.series.size())) {
    built_.facts.resize(device.series.size());
    newest_.resize(device.series.size());
  }

  BuiltDevice build() {
    read_all_series();
    if (source_.kind == report::PageKind::site) {
      for (int block = 0; block < blocks_.blocks(); ++block) {
        sink_(report::runs_key(number_, block), report::packed(blocks_.finish(block)));
      }
    }
    write_details();
    add_creep(built_.device, creep_.answer());
    sink_(report::device_key(number_), report::packed(report::device_json(built_.device, built_.facts, number_)));
    return std::move(built_);
  }

 private:
  void read_all_series() {
    pool_correlations();
    std::size_t const count = entries_.series.size();
    auto const threads =
        std::min<std::size_t>(std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads), count);
    std::vector<std::jthread> pool;
    for (std::size_t i = 0; i < threads; ++i) {
      pool.emplace_back([this] { work(); });
    }
    pool.clear();  // joins
    turns_.rethrow();
  }

  void pool_correlations() {
    if (entries_.runs.size() >= kShortHistory) {
      return;
    }
    std::size_t const count = entries_.all_series.size();
    std::vector<Series> pool;
    for (std::size_t i = 0; i < count; i += std::max<std::size_t>(1, count / kPooledSeries)) {
      pool.push_back(read_case_series(history_, entries_.all_series[i], axis_, attributes_).series);
    }
    correlations_ = report::pooled_correlations(pool);
  }

  void work() {
    try {
      // A connection belongs to one thread.
      history::History history = open_history(source_.place, source_.config);
      for (;;) {
        std::size_t const index = next_case_.fetch_add(1);
        if (index >= entries_.series.size() || turns_.failed()) {
          return;
        }
        source_.interrupt.throw_if_raised();
        CaseSeries one = read_case_series(history, entries_.series[index], axis_, attributes_);
        Metric const metric = metric_of(one);
        report::SeriesFacts facts = report::facts_of(one.series, metric, correlations_);
        std::string const packed = report::packed(report::series_chunk(one.series));
        if (!turns_.wait_for(index)) {
          return;
        }
        keep(index, std::move(one), std::move(facts), packed);
        turns_.done();
      }
    } catch (...) {
      turns_.fail(std::current_exception());
    }
  }

  /// To be called only in the thread's turn.
  void keep(std::size_t index, CaseSeries one, report::SeriesFacts facts, std::string const& packed) {
    sink_(report::series_key(number_, static_cast<int>(index)), packed);
    if (source_.kind == report::PageKind::site) {
      blocks_.add(static_cast<int>(index), one.series);
    }
    creep_.add(entries_.series[index].case_id, one);
    Series const& series = one.series;
    for (std::size_t i = 0; i < series.size(); ++i) {
      std::string const outcome(series.verdict[i] ? model::to_text(*series.verdict[i])
                                                  : model::to_text(series.status[i]));
      ++built_.device.runs[static_cast<std::size_t>(series.run[i])].counts[outcome];
    }
    for (std::size_t i = series.size() - std::min(series.size(), kDetailRuns); i < series.size(); ++i) {
      wanted_[series.run[i]].push_back(index);
    }
    built_.facts[index] = std::move(facts);
    newest_[index] = {.run = series.size() == 0 ? -1 : series.run.back(), .result = std::move(one.newest)};
    source_.terminal.status(fmt::format("{}: {} of {} cases", built_.device.card.name, index + 1, newest_.size()));
  }

  /// Goes run by run, so that each is read once.
  void write_details() {
    std::vector<std::vector<report::DetailSession>> details(newest_.size());
    std::vector<bool> told(newest_.size(), false);
    for (auto wanted = wanted_.rbegin(); wanted != wanted_.rend(); ++wanted) {
      source_.interrupt.throw_if_raised();
      model::Run const run = history_.run(entries_.runs[static_cast<std::size_t>(wanted->first)]);
      for (std::size_t const index : wanted->second) {
        std::string const& id = entries_.series[index].case_id;
        for (model::Session const& session : run.sessions) {
          auto const found = std::find_if(session.cases.begin(), session.cases.end(),
                                          [&](model::CaseResult const& result) { return result.id == id; });
          if (found == session.cases.end()) {
            continue;
          }
          report::DetailSession detail{.run = wanted->first, .session = header_of(session), .result = *found};
          details[index].push_back(std::move(detail));
        }
      }
    }
    for (std::size_t index = 0; index < details.size(); ++index) {
      sink_(report::detail_key(number_, static_cast<int>(index)), report::packed(report::detail_json(details[index])));
      if (Newest const& newest = newest_[index]; newest.result) {
        add_latest(built_.device, index, newest.run, *newest.result,
                   details[index].empty() ? nullptr : &details[index].front().result);
      }
    }
  }

  static model::Session header_of(model::Session const& session) {
    return {.id = session.id,
            .started = session.started,
            .purpose = session.purpose,
            .device = session.device,
            .environment = {},
            .seed = session.seed,
            .restarts = session.restarts,
            .cases = {}};
  }

  struct Newest {
    int run = -1;
    std::optional<history::Result> result;
  };

  ReportSource const& source_;
  history::History history_;
  DeviceHistory const& entries_;
  int number_;
  ChunkSink const& sink_;
  history::AttributeTexts const attributes_;
  RunAxis const axis_;
  BuiltDevice built_;
  CreepQuestion creep_;
  report::RunBlocks blocks_;
  report::Correlations correlations_;
  std::vector<Newest> newest_;                      ///< by case
  std::map<int, std::vector<std::size_t>> wanted_;  ///< cases to show in detail, by run
  std::atomic<std::size_t> next_case_ = 0;
  Turns turns_;
};

}  // namespace

BuiltDevice build_device(ReportSource const& source, DeviceHistory const& device, int number, ChunkSink const& sink) {
  return DeviceBuild(source, device, number, sink).build();
}

}  // namespace perfcheck::trends
