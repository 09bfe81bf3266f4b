// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck calibrate: how small a regression this machine can see, and how often the gate would cry wolf.
#include "commands/commands.h"
#include "perfcheck/calibrate/calibration.h"
#include "perfcheck/calibrate/slowdowns.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/measuring/measurement.h"
#include "perfcheck/recordings/calibration_folder.h"
#include "perfcheck/recordings/calibration_json.h"
#include "perfcheck/recordings/evidence.h"
#include "perfcheck/report/calibration_text.h"
#include "perfcheck/report/simulation_text.h"
#include "perfcheck/results/presentation.h"
#include "perfcheck/results/results_json.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/history_place.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <random>

namespace perfcheck::cli {
namespace {

namespace fs = std::filesystem;
using model::SessionPurpose;

/// Measures what a calibration needs, a session at a time: each is on disk before the next one starts.
class Recorder {
 public:
  Recorder(Options const& options, Context& context)
      : options_(options),
        context_(context),
        bench_(set_up(options, context)),
        folder_(options.data, bench_.device()),
        block_sessions_(1 + bench_.backend().policy.confirm_sessions) {
    options_.time_budget_s = 0;  // it limits the sessions that are started, not the cases of one
  }

  void record(int baseline_sessions, int blocks, double budget_s) {
    budget_s_ = budget_s;
    if (!complete(folder_.baseline_file(), {}, baseline_sessions, SessionPurpose::baseline, "baseline")) {
      return;
    }
    std::vector<fs::path> const earlier = folder_.block_files();
    if (!earlier.empty() && !complete(earlier.back(), {}, block_sessions_, SessionPurpose::screen, "begun block")) {
      return;
    }
    for (int i = 1; i <= blocks; ++i) {
      if (!complete(folder_.next_block_file(options_.label), drawn(), block_sessions_, SessionPurpose::screen,
                    fmt::format("block {} of {}", i, blocks))) {
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

  /// Only asked once something was measured: however short the budget, each call gets further.
  bool out_of_time() const {
    return budget_s_ > 0 && std::chrono::duration<double>(Clock::now() - start_).count() >= budget_s_;
  }

  /// Adds sessions to a file until it holds `count`; false when the time was up before.
  bool complete(fs::path const& file, std::vector<std::string> const& slowdowns, int count, SessionPurpose purpose,
                std::string const& label) {
    Options options = options_;
    std::optional<model::Run> begun;
    if (fs::exists(file)) {
      begun = store::read_run(file);
      require_same_subject(file, *begun);
      options.inject = begun->injected;
    } else {
      options.inject = slowdowns;
    }
    Measurement measurement(bench_, options, context_);
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
      if (exit_code_of(measurement.run()) != model::ExitCode::ok) {
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
    if (begun.suite != bench_.suite || begun.filters != options_.filters || begun.worker.name != worker.name ||
        begun.worker.operation != worker.operation) {
      throw CommandError(model::ExitCode::usage,
                         fmt::format("{}: it was begun with suite {} and worker {}; go on with the same suite, filters "
                                     "and worker, or name another folder with --data",
                                     file.string(), begun.suite, begun.worker.name));
    }
  }

  using Clock = std::chrono::steady_clock;
  Options options_;
  Context& context_;
  Workbench bench_;
  CalibrationFolder folder_;
  int block_sessions_;
  double budget_s_ = 0;
  bool measured_ = false;  ///< a session, by this call
  Clock::time_point const start_ = Clock::now();
};

/// For the report's page. Dated by the newest session, so that the same recordings are the same entry.
void keep_calibration(Options const& options, Evidence const& evidence, std::string const& document, Context& context) {
  Config const config = load_config(options.config);
  std::string const place = history_place(options, config);
  if (place.empty()) {
    return;
  }
  model::Run const& first = evidence.baselines.front();
  history::StoredCalibration calibration{.device_slug = first.sessions.front().device.slug,
                                         .operation = first.worker.operation,
                                         .recorded = first.started,
                                         .document = document};
  for (calibrate::Card const& card : evidence.cards) {
    for (calibrate::Block const& block : card.blocks) {
      calibration.recorded = std::max(calibration.recorded, block.run.started);
    }
  }
  history::History history(place, history::Mode::write);
  history.add(calibration);
  context.terminal.message(fmt::format("kept in {}", history.name()));
}

void report_rates(Options const& options, Evidence const& evidence, Context& context) {
  calibrate::Calibration calibration =
      calibrate::calibrate(evidence.cards, evidence.baselines, evidence.policy,
                           {.repetitions = options.repetitions, .percents = options.slowdowns});
  calibration.compared_with = evidence.compared_with;
  context.terminal.wipe_status();
  nlohmann::json const document = calibration_json(calibration);
  keep_calibration(options, evidence, document.dump(), context);
  context.terminal.print(options.output == Output::json
                             ? text_of(document)
                             : report::calibration_text(calibration, options.detail == Detail::verbose));
}

void report_simulation(Options const& options, Evidence const& evidence, Context& context) {
  calibrate::Simulation const simulation = simulate(evidence, options.simulate.value());
  context.terminal.wipe_status();
  context.terminal.print(options.output == Output::json
                             ? text_of(simulation_json(simulation))
                             : report::simulation_text(simulation, options.detail == Detail::verbose));
}

}  // namespace

model::ExitCode command_calibrate(Options const& options, Context& context) {
  if (options.blocks > 0 && !options.simulate) {
    Recorder(options, context)
        .record(options.sessions > 0 ? options.sessions : kCalibrationBaselineSessions, options.blocks,
                options.time_budget_s);
  }
  Evidence const evidence = read_evidence(options);
  context.terminal.status("deciding about the recorded sessions");
  if (options.simulate) {
    report_simulation(options, evidence, context);
  } else {
    report_rates(options, evidence, context);
  }
  return model::ExitCode::ok;
}

}  // namespace perfcheck::cli
