// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What `perfcheck calibrate --blocks 0` says about recordings, and beside it what the rules of other tools say about
// the same sessions: how the files of docs/evidence are made (docs/evidence/write.sh).
#include "command_line/stream_terminal.h"
#include "perfcheck/calibrate/calibration.h"
#include "perfcheck/calibrations/calibration_json.h"
#include "perfcheck/calibrations/evidence.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/peers/peer_rates.h"
#include "perfcheck/report/calibration_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <vector>

namespace {

using namespace perfcheck;

struct Options {
  calibrations::EvidenceOptions evidence;
  std::vector<double> slowdowns{0.5, 1, 2, 3, 5};
  int repetitions = 20;
  bool json = false, verbose = false;
};

void declare(CLI::App& app, Options& options) {
  app.add_option("--data", options.evidence.data, "folder of the recordings")->required();
  app.add_option("--baselines", options.evidence.baselines, "folder of the baselines, for --stored");
  app.add_flag_callback("--stored", [&] { options.evidence.against = calibrations::Against::stored; });
  app.add_flag_callback("--held-out", [&] { options.evidence.against = calibrations::Against::others; });
  app.add_option("--slowdowns", options.slowdowns, "their sizes, in percent");
  app.add_option("--repetitions", options.repetitions, "of each session, with slowdowns added afterwards");
  app.add_flag("--json", options.json);
  app.add_flag("--verbose", options.verbose, "a line for every case");
}

void run(Options const& options) {
  cli::StreamTerminal terminal(stdout, stderr);
  session::Interrupt const interrupt;
  Context const context{.terminal = terminal, .interrupt = interrupt};
  calibrations::Evidence const evidence = calibrations::read_evidence(options.evidence, context);
  calibrate::Calibration calibration =
      calibrate::calibrate(evidence.cards, evidence.baselines, evidence.policy,
                           {.repetitions = options.repetitions, .percents = options.slowdowns});
  calibration.compared_with = evidence.compared_with;
  std::ranges::move(peers::peer_rates(evidence.cards, evidence.baselines), std::back_inserter(calibration.rules));
  terminal.print(options.json ? model::document_text(calibrations::calibration_json(calibration))
                              : report::calibration_text(calibration, options.verbose));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("perfcheck calibrate, with the rules of other tools (docs/peer-rules.md)");
  Options options;
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "perfcheck_peer_rates: %s\n", error.what());
    return 2;
  }
}
