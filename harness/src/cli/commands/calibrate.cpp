// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck calibrate: how small a regression this machine can see, and how often the gate would raise a false alarm.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "perfcheck/calibrate/calibration.h"
#include "perfcheck/calibrations/calibration_json.h"
#include "perfcheck/calibrations/evidence.h"
#include "perfcheck/calibrations/recorder.h"
#include "perfcheck/config/config.h"
#include "perfcheck/history/history.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/report/calibration_text.h"
#include "perfcheck/report/simulation_text.h"
#include "perfcheck/trends/history_place.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace perfcheck::cli {
namespace {

constexpr char const* kExamples =
    "examples:\n"
    "  perfcheck calibrate --data cal               8 sessions to compare with, 3 blocks, then the report\n"
    "  perfcheck calibrate --data cal --blocks 10   ten blocks more\n"
    "  perfcheck calibrate --data cal --blocks 0    the report again, as after a change of the policy\n"
    "  perfcheck calibrate --data cal --blocks 0 --held-out    recordings of several cards, each as an unknown card\n"
    "  perfcheck calibrate --data cal --simulate    1000 checks of unchanged code with the noise of the recordings";

/// Number of simulated checks if --simulate gives none: without an alarm in so many, false alarms are below 0.3 %.
constexpr int kSimulatedChecks = 1000;

struct CalibrateOptions {
  calibrations::RecordingOptions recording;
  calibrations::Against against = calibrations::Against::own;
  int repetitions = 20;         ///< of each session, with slowdowns added afterwards
  std::optional<int> simulate;  ///< checks to simulate, instead of those recorded
  std::string history;
};

/// Stores the calibration in the history, for the report's page. Its date is that of the newest run, so that the same
/// recordings make the same entry.
void keep_calibration(CalibrateOptions const& options, calibrations::Evidence const& evidence,
                      std::string const& document, Context& context) {
  config::Config const config = config::load_config(context.config);
  std::string const place = trends::history_place(options.history, config);
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

void report_rates(CalibrateOptions const& options, calibrations::Evidence const& evidence, Context& context) {
  calibrate::Calibration calibration =
      calibrate::calibrate(evidence.cards, evidence.baselines, evidence.policy,
                           {.repetitions = options.repetitions, .percents = options.recording.slowdowns});
  calibration.compared_with = evidence.compared_with;
  context.terminal.wipe_status();
  nlohmann::json const document = calibrations::calibration_json(calibration);
  keep_calibration(options, evidence, document.dump(), context);
  context.terminal.print(context.output == Output::json
                             ? model::document_text(document)
                             : report::calibration_text(calibration, context.detail == Detail::verbose));
}

void report_simulation(CalibrateOptions const& options, calibrations::Evidence const& evidence, Context& context) {
  calibrate::Simulation const simulation = calibrations::simulate(evidence, options.simulate.value());
  context.terminal.wipe_status();
  context.terminal.print(context.output == Output::json
                             ? model::document_text(calibrations::simulation_json(simulation))
                             : report::simulation_text(simulation, context.detail == Detail::verbose));
}

model::ExitCode run_calibrate(CalibrateOptions const& options, Context& context) {
  if (options.recording.blocks > 0 && !options.simulate) {
    calibrations::record(options.recording, context);
  }
  calibrations::Evidence const evidence = calibrations::read_evidence(
      {.data = options.recording.data, .against = options.against, .baselines = options.recording.measuring.baselines},
      context);
  context.terminal.status("deciding about the recorded sessions");
  if (options.simulate) {
    report_simulation(options, evidence, context);
  } else {
    report_rates(options, evidence, context);
  }
  return model::ExitCode::ok;
}

/// What recordings are compared with, and how often.
void add_against(CLI::App* sub, CalibrateOptions& options) {
  CLI::Option* const stored = sub->add_flag_callback(
      "--stored", [&options] { options.against = calibrations::Against::stored; },
      "compare with the stored baseline, as a check here would, instead of with sessions of the same card");
  CLI::Option* const held_out = sub->add_flag_callback(
      "--held-out", [&options] { options.against = calibrations::Against::others; },
      "compare with the other cards' sessions (of each, of each two, of all), as if the card were unknown");
  CLI::Option* const simulate =
      sub->add_option_function<std::vector<int>>(
             "--simulate",
             // Without a number, CLI11 passes an empty list or a 0; the check rejects a 0 that the user gives.
             [&options](std::vector<int> const& checks) {
               options.simulate = checks.empty() || checks.front() == 0 ? kSimulatedChecks : checks.front();
             },
             fmt::format("simulate so many checks of unchanged code with the recorded noise (default {}), and measure "
                         "nothing",
                         kSimulatedChecks))
          ->expected(0, 1)
          ->check(CLI::Range(1, 1'000'000))
          ->type_name("[N]");
  stored->excludes(held_out);
  simulate->excludes(stored)->excludes(held_out);
  sub->add_option("--repetitions", options.repetitions,
                  "how often each session is judged with slowdowns added to its numbers (default 20)")
      ->check(CLI::Range(0, 1000))
      ->type_name("N");
}

void add_label(CLI::App* sub, std::string& label) {
  auto const is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  sub->add_option("--label", label, "name of the blocks, as for a rebuild of the same commit")
      ->type_name("TEXT")
      ->check(CLI::Validator(
          [is_plain](std::string const& text) {
            return std::ranges::all_of(text, is_plain) ? "" : "a label is of lower-case letters, digits, - and _";
          },
          ""));
}

}  // namespace

void add_calibrate(CommandLine& line) {
  auto [sub, options] = line.add(
      "calibrate", "How small a slowdown the gate sees here, and how often it raises a false alarm", run_calibrate);
  calibrations::RecordingOptions& recording = options.recording;
  sub->add_option("--data", recording.data, "folder that keeps the recordings of every card, and goes on with them")
      ->required()
      ->type_name("DIR");
  add_worker(sub, recording.measuring);
  add_selection(sub, recording.measuring);
  sub->add_option(
         "--sessions", recording.sessions,
         fmt::format("sessions without slowdown to compare with (default {})", calibrations::kBaselineSessions))
      ->check(CLI::Range(3, 1000))
      ->type_name("N");
  sub->add_option("--blocks", recording.blocks,
                  "blocks to measure now, each a screen and its confirmation with a third of the cases slowed down "
                  "(default 3; 0: only report what was measured)")
      ->check(CLI::Range(0, 1000))
      ->type_name("N");
  sub->add_option("--slowdowns", recording.slowdowns, "sizes of the slowdowns, in percent (default 0.5 1 2 3 5)")
      ->check(CLI::Range(0.01, 100.0))
      ->type_name("PERCENT...");
  add_against(sub, options);
  add_label(sub, recording.label);
  add_time_budget(sub, recording.measuring, "start no session after this time; go on later");
  add_history(sub, options.history, "keep what was found in this history, too, for the report's page");
  sub->footer(kExamples);
}

}  // namespace perfcheck::cli
