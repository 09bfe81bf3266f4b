// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrations/recorder.h"

#include "perfcheck/calibrate/slowdowns.h"
#include "perfcheck/calibrations/calibration_folder.h"
#include "perfcheck/clock/clock.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/gate/gate.h"
#include "perfcheck/measuring/measurement.h"
#include "perfcheck/results/exit_code.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>

#include <chrono>
#include <random>

namespace perfcheck::calibrations {
namespace {

namespace fs = std::filesystem;
using model::SessionPurpose;

class Recorder {
 public:
  Recorder(RecordingOptions const& options, Context& context)
      : options_(options),
        measuring_(options.measuring),
        context_(context),
        bench_(measuring::set_up(options.measuring, context)),
        folder_(options.data, bench_.device()),
        block_sessions_(1 + bench_.backend().policy.confirm_sessions) {
    measuring_.time_budget_s = 0;  // it limits which sessions start, not which cases of a session do
  }

  void record() {
    if (!complete(folder_.baseline_file(), {}, options_.sessions, SessionPurpose::baseline, "baseline")) {
      return;
    }
    std::vector<fs::path> const earlier = folder_.block_files();
    if (!earlier.empty() && !complete(earlier.back(), {}, block_sessions_, SessionPurpose::screen, "begun block")) {
      return;
    }
    for (int i = 1; i <= options_.blocks; ++i) {
      if (!complete(folder_.next_block_file(options_.label), drawn(), block_sessions_, SessionPurpose::screen,
                    fmt::format("block {} of {}", i, options_.blocks))) {
        return;
      }
    }
  }

 private:
  std::vector<std::string> drawn() const {
    std::vector<std::string> ids;
    for (protocol::PlannedCase const& planned : bench_.plan.cases) {
      if (!planned.skip_reason) {
        ids.push_back(planned.id);
      }
    }
    std::vector<std::string> texts;
    for (auto const& [id, percent] : calibrate::draw_slowdowns(std::move(ids), options_.slowdowns,
                                                               calibrate::kSlowedShare, std::random_device()())) {
      texts.push_back(fmt::format("{}={:g}", id, percent));
    }
    return texts;
  }

  /// Asked only after a session was measured, so that every call makes progress however short the budget is.
  bool out_of_time() const {
    double const budget_s = options_.measuring.time_budget_s;
    return budget_s > 0 && clock::seconds_since(start_) >= budget_s;
  }

  /// Adds sessions to a file until it holds `count`; false if the time budget ran out first.
  bool complete(fs::path const& file, std::vector<std::string> const& slowdowns, int count, SessionPurpose purpose,
                std::string const& label) {
    measuring::Options options = measuring_;
    std::optional<model::Run> begun;
    if (fs::exists(file)) {
      begun = store::read_run(file);
      require_same_subject(file, *begun);
      options.inject = begun->injected;
    } else {
      options.inject = slowdowns;
    }
    measuring::Measurement measurement(bench_, options, context_);
    if (begun) {
      measurement.resume(std::move(*begun));
    }
    for (int i = static_cast<int>(measurement.run().sessions.size()) + 1; i <= count; ++i) {
      if (measured_ && out_of_time()) {
        context_.terminal.message(
            fmt::format("the time budget is used up; the same command goes on from here ({} of {} sessions in {})",
                        i - 1, count, file.string()));
        return false;
      }
      measurement.add_session(bench_.plan.cases, purpose, fmt::format("{}, session {} of {}", label, i, count));
      if (results::exit_code_of(measurement.run()) != model::ExitCode::ok) {
        throw CommandError(
            model::ExitCode::broken,
            "a case is wrong or failed; perfcheck check shows which, a calibration needs them all right");
      }
      fs::create_directories(file.parent_path());
      store::write_run(file, measurement.run());
      measured_ = true;
    }
    return true;
  }

  void require_same_subject(fs::path const& file, model::Run const& begun) const {
    model::WorkerInfo const& worker = bench_.plan.hello.worker;
    if (begun.suite != bench_.suite || begun.filters != measuring_.filters || begun.worker.name != worker.name ||
        begun.worker.operation != worker.operation) {
      throw CommandError(model::ExitCode::usage,
                         fmt::format("{}: it was begun with suite {} and worker {}; go on with the same suite, filters "
                                     "and worker, or name another folder with --data",
                                     file.string(), begun.suite, begun.worker.name));
    }
  }

  using Clock = std::chrono::steady_clock;
  RecordingOptions const& options_;
  measuring::Options measuring_;
  Context& context_;
  measuring::Workbench bench_;
  CalibrationFolder folder_;
  int block_sessions_;
  bool measured_ = false;  ///< this call has measured a session
  Clock::time_point const start_ = Clock::now();
};

}  // namespace

void record(RecordingOptions const& options, Context& context) { Recorder(options, context).record(); }

}  // namespace perfcheck::calibrations
