// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck calibrate: how small a regression this machine can see, and how often the gate would cry wolf.
#include "calibrate/rates.h"
#include "calibrate/slowdowns.h"
#include "calibration_folder.h"
#include "clock.h"
#include "commands.h"
#include "errors.h"
#include "measurement.h"
#include "presentation.h"
#include "store/store.h"

#include <fmt/format.h>

#include <chrono>
#include <random>

namespace perfcheck::cli {
namespace {

namespace fs = std::filesystem;
using model::SessionPurpose;

// A third carries a slowdown, the other two thirds show whether the gate stays quiet beside it.
constexpr double kSlowedShare = 1.0 / 3;

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
    for (auto const& [id, percent] :
         calibrate::draw_slowdowns(std::move(ids), options_.slowdowns, kSlowedShare, std::random_device()())) {
      texts.push_back(fmt::format("{}={:g}", id, percent));
    }
    return texts;
  }

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
      if (out_of_time()) {
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
  Clock::time_point const start_ = Clock::now();
};

calibrate::Card card_of(CardRecording recording) {
  store::AcceptOptions const accept{
      .who = "calibrate", .when = utc_now(), .why = "calibration", .replace = false, .allow_dirty = true};
  calibrate::Card card{.name = std::move(recording.card),
                       .baseline = store::accept(std::nullopt, {recording.baseline}, accept),
                       .blocks = {}};
  for (CardRecording::Block& block : recording.blocks) {
    card.blocks.push_back({.name = std::move(block.file), .run = std::move(block.run)});
  }
  return card;
}

}  // namespace

model::ExitCode command_calibrate(Options const& options, Context& context) {
  if (options.blocks > 0) {
    Recorder(options, context)
        .record(options.sessions > 0 ? options.sessions : kCalibrationBaselineSessions, options.blocks,
                options.time_budget_s);
  }
  Config const config = load_config(options.config);
  std::vector<calibrate::Card> cards;
  std::string backend;
  for (CardRecording& recording : read_recordings(options.data)) {
    backend = recording.baseline.worker.backend;
    cards.push_back(card_of(std::move(recording)));
  }
  calibrate::Replay const replay = calibrate::replay(cards, config.backend(backend).policy, {});
  calibrate::SuiteRates const rates = calibrate::rates_of(cards, replay);
  context.terminal.print(fmt::format("{} cards {} blocks {} screens: {} false, {} kernels false, {} inconclusive\n", rates.cards,
                                     rates.blocks, rates.screens, rates.false_screens, rates.false_kernel_screens, rates.inconclusive_screens));
  for (bool const library : {false, true}) {
    for (bool const is_short : {false, true}) {
      for (auto const origin : {calibrate::Origin::device, calibrate::Origin::added}) {
        for (auto const& [percent, rate] : calibrate::pooled(rates, origin, library, is_short)) {
          context.terminal.print(fmt::format("{} {} {} {:g} %: {}/{} = {:.3f} ({} units)\n", library ? "library" : "own",
                                             is_short ? "short" : "long", origin == calibrate::Origin::device ? "device" : "added", percent,
                                             rate.found, rate.trials, rate.share(), rate.units));
        }
      }
    }
  }
  for (auto const& one : rates.cases) {
    std::string line;
    for (auto const& [percent, rate] : one.added) line += fmt::format(" {:g}:{:.2f}", percent, rate.share());
    context.terminal.print(fmt::format("{} {:.1f}us det {:.2f}% untouched {} flagged {} false {} incon {} {}\n", one.id, one.time_ns/1e3, 100*one.detectable, one.untouched, one.flagged, one.false_alarms, one.inconclusive, line));
  }
  for (auto const& t : replay.trials) if (t.origin == calibrate::Origin::device && t.slowdown_percent == 1) context.terminal.print(fmt::format("D1 {} {} {} {}\n", t.id, t.screen, model::to_text(t.verdict), t.reason_code));
  for (auto const& t : replay.trials) if (t.origin == calibrate::Origin::none && t.verdict != model::Verdict::pass) context.terminal.print(fmt::format("AA {} {} {} {} {} {}\n", t.id, t.card, t.block, t.screen, model::to_text(t.verdict), t.reason_code));
  for (auto const& t : replay.kernels) if (t.verdict != model::Verdict::pass) context.terminal.print(fmt::format("KERNEL {} {} {} {} {} {}\n", t.id, t.card, t.block, t.screen, model::to_text(t.verdict), t.reason_code));
  return model::ExitCode::ok;
}

}  // namespace perfcheck::cli
