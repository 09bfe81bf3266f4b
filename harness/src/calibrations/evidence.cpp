// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrations/evidence.h"

#include "perfcheck/baselines/stored.h"
#include "perfcheck/calibrations/calibration_folder.h"
#include "perfcheck/config/config.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/model/json.h"
#include "perfcheck/results/as_baseline.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace perfcheck::calibrations {
namespace {

namespace fs = std::filesystem;

/// The blocks of a card's recording. Leaves out unfinished blocks, which have too few sessions to confirm with.
calibrate::Card card_of(CardRecording& recording, int block_sessions) {
  calibrate::Card card{.name = recording.card, .baselines = {}, .blocks = {}};
  for (CardRecording::Block& block : recording.blocks) {
    if (static_cast<int>(block.run.sessions.size()) >= block_sessions) {
      card.blocks.push_back({.name = std::move(block.file), .run = std::move(block.run)});
    }
  }
  return card;
}

model::Baseline recorded_baseline(std::vector<model::Run> runs, std::string const& whose) {
  std::optional<model::Baseline> baseline = results::baseline_of(std::move(runs), "calibration");
  if (!baseline) {
    throw CommandError(model::ExitCode::broken, fmt::format("{}: its baseline measured nothing", whose));
  }
  return std::move(*baseline);
}

/// The stored baselines that a check on a recording's device compares with, and their files.
class StoredBaselines {
 public:
  explicit StoredBaselines(fs::path folder) : folder_(std::move(folder)) {}

  model::Baseline of(model::Run const& recorded) {
    std::string const& slug = recorded.sessions.front().device.slug;
    std::optional<model::Baseline> baseline = baselines::trusted_baseline(folder_, slug, recorded.worker);
    if (!baseline) {
      fs::path const file = store::baseline_path(folder_, slug, recorded.worker.operation);
      throw CommandError(model::ExitCode::undecided,
                         fmt::format("there is no {}; leave --stored out to compare with the recording's own sessions",
                                     file.string()));
    }
    for (std::string const& operation : model::operations_of(recorded.worker)) {
      fs::path const file = store::baseline_path(folder_, slug, operation);
      if (fs::exists(file)) {
        std::string const digest = model::baseline_digest(model::parse_strict(store::read_file(file), file.string()));
        files_.insert(fmt::format("{} (digest {})", file.string(), digest));
      }
    }
    return std::move(*baseline);
  }

  std::string compared_with() const { return fmt::format("the stored baseline {}", fmt::join(files_, " and ")); }

 private:
  fs::path folder_;
  std::set<std::string> files_;
};

/// Every single other card, every pair of others, and all others: each a set of indices.
std::set<std::vector<std::size_t>> others_of(std::size_t card, std::size_t cards) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < cards; ++i) {
    if (i != card) {
      all.push_back(i);
    }
  }
  std::set<std::vector<std::size_t>> sets{all};
  for (std::size_t const one : all) {
    sets.insert({one});
    for (std::size_t const other : all) {
      if (one < other) {
        sets.insert({one, other});
      }
    }
  }
  return sets;
}

void hold_out(Evidence& evidence, std::string const& data) {
  if (evidence.cards.size() < 2) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("{}: it holds one card, and --held-out compares a card with the others; copy the "
                                   "folders of other cards of this model into it",
                                   data));
  }
  for (std::size_t i = 0; i < evidence.cards.size(); ++i) {
    for (std::vector<std::size_t> const& others : others_of(i, evidence.cards.size())) {
      std::vector<model::Run> runs;
      for (std::size_t const other : others) {
        runs.push_back(evidence.baselines[other]);
      }
      evidence.cards[i].baselines.push_back(recorded_baseline(std::move(runs), data));
    }
  }
}

void require_a_block(Evidence const& evidence, std::string const& data) {
  bool const none = std::all_of(evidence.cards.begin(), evidence.cards.end(),
                                [](calibrate::Card const& card) { return card.blocks.empty(); });
  if (none) {
    int const sessions = 1 + evidence.policy.confirm_sessions;
    throw CommandError(
        model::ExitCode::undecided,
        fmt::format("{}: no complete block of {} sessions in it; go on with perfcheck calibrate --data {}", data,
                    sessions, data));
  }
}

}  // namespace

Evidence read_evidence(EvidenceOptions const& options, Context const& context) {
  config::Config const config = config::load_config(context.config);
  StoredBaselines stored(config::baselines_folder(options.baselines, config));
  Evidence evidence;
  for (CardRecording& recording : read_recordings(options.data)) {
    evidence.policy = config.backend(recording.baseline.worker.backend).policy;
    calibrate::Card& card = evidence.cards.emplace_back(card_of(recording, 1 + evidence.policy.confirm_sessions));
    if (options.against == Against::stored) {
      card.baselines.push_back(stored.of(recording.baseline));
    } else if (options.against == Against::own) {
      card.baselines.push_back(recorded_baseline({recording.baseline}, recording.card));
    }
    evidence.baselines.push_back(std::move(recording.baseline));
  }
  switch (options.against) {
    case Against::own: evidence.compared_with = "its own sessions"; break;
    case Against::stored: evidence.compared_with = stored.compared_with(); break;
    case Against::others:
      hold_out(evidence, options.data);
      evidence.compared_with = "sessions of the other cards: of each, of each two and of all together";
      break;
  }
  require_a_block(evidence, options.data);
  return evidence;
}

calibrate::Simulation simulate(Evidence const& evidence, int checks) {
  try {
    return calibrate::simulate(evidence.cards, evidence.baselines, evidence.policy, {.checks = checks});
  } catch (std::invalid_argument const& error) {
    throw CommandError(model::ExitCode::undecided, error.what());
  }
}

}  // namespace perfcheck::calibrations
