// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/replay.h"

#include "changed_code.h"
#include "check.h"
#include "perfcheck/calibrate/slowdowns.h"

#include <fmt/format.h>

#include <deque>
#include <set>
#include <stdexcept>
#include <tuple>

namespace perfcheck::calibrate {
namespace {

/// Slows a result down after the fact. Its hashes stay the same: the code counts as changed only because
/// injected_percent says so, and for Origin::equal it does not.
model::CaseResult slowed(model::CaseResult copy, double percent, Origin origin) {
  copy.injected_percent = origin == Origin::equal ? 0 : percent;
  for (double& time : copy.rounds->time_ns) {
    time *= 1 + percent / 100;
  }
  return copy;
}

/// The results of one block, case by case, in the order of its sessions.
class BlockResults {
 public:
  explicit BlockResults(model::Run const& run) : seen_(gate::observations_of(run)), sessions_(run.sessions.size()) {
    std::erase_if(seen_.cases, [](gate::Observation const& one) {
      return one.screen.front()->status == model::CaseStatus::skipped;
    });
    for (gate::Observation& one : seen_.cases) {
      if (one.screen.size() != sessions_) {
        throw std::invalid_argument(fmt::format("{} was not measured in every session of the block", one.id));
      }
      Results condensed_results;
      for (model::CaseResult const* result : one.screen) {
        condensed_results.push_back(&storage_.emplace_back(condensed(*result)));
      }
      all_.push_back(std::move(condensed_results));
      one.screen.clear();
    }
  }

  std::size_t sessions() const { return sessions_; }
  std::size_t cases() const { return all_.size(); }
  std::string const& id(std::size_t i) const { return seen_.cases[i].id; }
  double injected(std::size_t i) const { return all_[i].front()->injected_percent; }
  Results const& of(std::size_t i) const { return all_[i]; }
  gate::Observations const& frame() const { return seen_; }
  /// The results of case i, slowed down after the fact.
  Results const& slowed_by(double percent, Origin origin, std::size_t i) {
    auto const [place, is_new] = slowed_.try_emplace({i, percent, origin});
    if (is_new) {
      for (model::CaseResult const* result : all_[i]) {
        place->second.push_back(&storage_.emplace_back(slowed(*result, percent, origin)));
      }
    }
    return place->second;
  }

 private:
  gate::Observations seen_;
  std::size_t sessions_;
  std::deque<model::CaseResult> storage_;
  std::vector<Results> all_;
  std::map<std::tuple<std::size_t, double, Origin>, Results> slowed_;
};

Trial trial_of(gate::CaseDecision const& decision, Check const& check) {
  return {.id = decision.id,
          .flagged = check.flagged.contains(decision.id),
          .verdict = decision.verdict,
          .reason_code = decision.reason_code,
          .detectable = decision.detectable};
}

/// Decisions about one block against one baseline.
class BlockReplay {
 public:
  BlockReplay(model::Baseline const& baseline, BlockResults& results, std::set<std::string> changed,
              gate::Policy const& policy)
      : baseline_(baseline), results_(results), changed_(std::move(changed)), policy_(policy) {
    for (std::string const& id : changed_) {
      changed_kernels_.insert(model::split_case_id(id).kernel);
    }
  }

  /// Decides once as measured, and then once for each seed in `draws` with slowdowns of these sizes added.
  Replay run(std::size_t screen, std::vector<uint64_t> const& draws, std::vector<double> const& percents) {
    Replay replay;
    std::set<std::string> const asked = untouched_alone(screen, replay.kernels);
    as_measured(screen, asked, replay.trials);
    for (uint64_t const draw : draws) {
      with_added(screen, percents, draw, replay.trials);
    }
    for (Trial& trial : replay.trials) {
      trial.is_changed = changed_.contains(trial.id);
    }
    for (Trial& trial : replay.kernels) {
      trial.is_changed = changed_kernels_.contains(trial.id);
    }
    return replay;
  }

 private:
  std::vector<Results> select(bool untouched_only) const {
    std::vector<Results> selected;
    for (std::size_t i = 0; i < results_.cases(); ++i) {
      selected.push_back(untouched_only && results_.injected(i) > 0 ? Results{} : results_.of(i));
    }
    return selected;
  }

  void as_measured(std::size_t screen, std::set<std::string> const& asked, std::vector<Trial>& trials) const {
    Check const done = check(baseline_, results_.frame(), select(false), screen, policy_);
    for (gate::CaseDecision const& decision : done.decisions.cases) {
      Trial trial = trial_of(decision, done);
      trial.slowdown_percent = injected_into(decision.id);
      trial.origin = trial.slowdown_percent > 0 ? Origin::device : Origin::none;
      if (trial.origin == Origin::none) {
        trial.flagged = asked.contains(decision.id);
      }
      trials.push_back(std::move(trial));
    }
  }

  /// Runs a check without the slowed cases. Returns what its screen flags, and adds its verdicts about whole kernels.
  std::set<std::string> untouched_alone(std::size_t screen, std::vector<Trial>& kernels) const {
    Check const done = check(baseline_, results_.frame(), select(true), screen, policy_);
    for (gate::CaseDecision const& decision : done.decisions.kernels) {
      kernels.push_back(trial_of(decision, done));
    }
    return done.flagged;
  }

  /// Slows a third of the untouched cases down after the fact, beside those that were slowed down on the device. For
  /// half of them the code counts as unchanged, provided that the recording has the same hashes as the baseline.
  void with_added(std::size_t screen, std::vector<double> const& percents, uint64_t seed, std::vector<Trial>& trials) {
    std::vector<std::string> untouched;
    for (std::size_t i = 0; i < results_.cases(); ++i) {
      if (results_.injected(i) == 0) {
        untouched.push_back(results_.id(i));
      }
    }
    std::map<std::string, std::pair<double, Origin>> drawn;
    for (auto const& [id, percent] : draw_slowdowns(std::move(untouched), percents, kSlowedShare, seed)) {
      drawn[id] = {percent, drawn.size() % 2 == 0 ? Origin::added : Origin::equal};
    }
    std::vector<Results> results = select(false);
    for (std::size_t i = 0; i < results_.cases(); ++i) {
      auto const slowdown = drawn.find(results_.id(i));
      if (slowdown != drawn.end()) {
        results[i] = results_.slowed_by(slowdown->second.first, slowdown->second.second, i);
      }
    }
    Check const done = check(baseline_, results_.frame(), results, screen, policy_);
    for (gate::CaseDecision const& decision : done.decisions.cases) {
      auto const slowdown = drawn.find(decision.id);
      if (slowdown != drawn.end()) {
        Trial trial = trial_of(decision, done);
        trial.slowdown_percent = slowdown->second.first;
        trial.origin = slowdown->second.second;
        trials.push_back(std::move(trial));
      }
    }
  }

  double injected_into(std::string const& id) const {
    for (std::size_t i = 0; i < results_.cases(); ++i) {
      if (results_.id(i) == id) {
        return results_.injected(i);
      }
    }
    return 0;
  }

  model::Baseline const& baseline_;
  BlockResults& results_;
  std::set<std::string> changed_, changed_kernels_;
  gate::Policy const& policy_;
};

/// Replays the block with each session as the screen, against every baseline of its card.
void replay_block(Card const& card, Trial const& place, gate::Policy const& policy, ReplayOptions const& options,
                  Replay& replay) {
  Block const& block = card.blocks[place.block];
  BlockResults results(block.run);
  auto const baselines = static_cast<int>(card.baselines.size());
  int const repetitions = (options.repetitions + baselines - 1) / baselines;
  Trial at = place;
  for (at.baseline = 0; at.baseline < card.baselines.size(); ++at.baseline) {
    model::Baseline const& baseline = card.baselines[at.baseline];
    BlockReplay decided(baseline, results, changed_code(baseline, block.run), policy);
    for (at.screen = 0; at.screen < results.sessions(); ++at.screen) {
      std::vector<uint64_t> draws;
      for (int i = 0; i < repetitions; ++i) {
        uint64_t const number = ((at.baseline * 1000 + at.card) * 1000 + at.block) * 1000 + at.screen;
        draws.push_back(options.seed + number * 1000 + static_cast<uint64_t>(i));
      }
      Replay one = decided.run(at.screen, draws, options.percents);
      for (auto [from, to] : {std::pair{&one.trials, &replay.trials}, {&one.kernels, &replay.kernels}}) {
        for (Trial& trial : *from) {
          trial.card = at.card;
          trial.block = at.block;
          trial.screen = at.screen;
          trial.baseline = at.baseline;
          to->push_back(std::move(trial));
        }
      }
    }
  }
}

}  // namespace

Replay replay(std::vector<Card> const& cards, gate::Policy const& policy, ReplayOptions const& options) {
  Replay replay;
  for (std::size_t card = 0; card < cards.size(); ++card) {
    for (std::size_t block = 0; block < cards[card].blocks.size(); ++block) {
      Trial place;
      place.card = card;
      place.block = block;
      replay_block(cards[card], place, policy, options, replay);
    }
  }
  return replay;
}

}  // namespace perfcheck::calibrate
