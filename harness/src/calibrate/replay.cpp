// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/replay.h"

#include "perfcheck/calibrate/slowdowns.h"
#include "perfcheck/model/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>

namespace perfcheck::calibrate {
namespace {

using Results = std::vector<model::CaseResult const*>;

/// What the decision needs of a result: one round that has the medians of all. Thousands of decisions are made about
/// it, and each would compute them anew.
model::CaseResult condensed(model::CaseResult const& result) {
  std::string why;
  std::optional<model::SessionSummary> const summary = model::summarize(result, &why);
  if (!summary) {
    throw std::invalid_argument(fmt::format("{}: {}", result.id, why));
  }
  model::CaseResult copy;
  copy.id = result.id;
  copy.reference = result.reference;
  copy.status = result.status;
  copy.launches = result.launches;
  copy.injected_percent = result.injected_percent;
  model::Rounds& rounds = copy.rounds.emplace();
  rounds.launches = rounds.reference_launches = 1;
  rounds.time_ns = {summary->time_ns};
  rounds.reference_time_ns = {summary->time_ns / summary->ratio.value_or(1)};
  if (summary->cycles) {
    rounds.clock_mhz = rounds.reference_clock_mhz = {*summary->cycles / summary->time_ns * 1e3};
  }
  return copy;
}

model::CaseResult slowed(model::CaseResult copy, double percent) {
  copy.injected_percent = percent;
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

 private:
  gate::Observations seen_;
  std::size_t sessions_;
  std::deque<model::CaseResult> storage_;
  std::vector<Results> all_;
};

/// Fresh sessions for a screening one: the others, in their order, beginning behind it.
std::vector<std::size_t> confirming(std::size_t screen, std::size_t sessions, int wanted) {
  if (sessions < static_cast<std::size_t>(wanted) + 1) {
    throw std::invalid_argument(
        fmt::format("a block of {} sessions cannot confirm in {}; measure blocks of {}", sessions, wanted, wanted + 1));
  }
  std::vector<std::size_t> indices;
  for (int i = 1; i <= wanted; ++i) {
    indices.push_back((screen + static_cast<std::size_t>(i)) % sessions);
  }
  return indices;
}

/// One check: screen, and confirmation of what it flagged. `results[i]` are case i's results by session; an empty list
/// leaves the case out.
struct Check {
  gate::Decisions decisions;
  std::set<std::string> flagged;
};

Check check(model::Baseline const& baseline, gate::Observations const& frame, std::vector<Results> const& results,
            std::size_t screen, gate::Policy const& policy) {
  gate::Observations seen{.places = frame.places, .cases = {}};
  std::vector<std::size_t> from;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].empty()) {
      gate::Observation one = frame.cases[i];
      one.screen = {results[i][screen]};
      seen.cases.push_back(std::move(one));
      from.push_back(i);
    }
  }
  Check result;
  for (gate::CaseDecision const& decision : gate::decide(&baseline, seen, {}, policy).cases) {
    if (decision.wants_confirmation) {
      result.flagged.insert(decision.id);
    }
  }
  for (std::size_t i = 0; i < seen.cases.size(); ++i) {
    if (result.flagged.contains(seen.cases[i].id)) {
      Results const& all = results[from[i]];
      for (std::size_t const session : confirming(screen, all.size(), policy.confirm_sessions)) {
        seen.cases[i].confirm.push_back(all[session]);
      }
    }
  }
  result.decisions = gate::decide(&baseline, seen, {}, policy);
  return result;
}

Trial trial_of(gate::CaseDecision const& decision, Check const& check) {
  return {.id = decision.id,
          .flagged = check.flagged.contains(decision.id),
          .verdict = decision.verdict,
          .reason_code = decision.reason_code,
          .detectable = decision.detectable};
}

class BlockReplay {
 public:
  BlockReplay(Card const& card, Block const& block, gate::Policy const& policy, ReplayOptions const& options)
      : baseline_(card.baseline), results_(block.run), policy_(policy), options_(options) {}

  void run(std::size_t card, std::size_t block, Replay& replay) {
    for (std::size_t screen = 0; screen < results_.sessions(); ++screen) {
      std::size_t const first = replay.trials.size(), first_kernel = replay.kernels.size();
      std::set<std::string> const asked = untouched_alone(screen, replay.kernels);
      as_measured(screen, asked, replay.trials);
      for (int i = 0; i < options_.repetitions; ++i) {
        uint64_t const draw = ((card * 1000 + block) * 1000 + screen) * 1000 + static_cast<uint64_t>(i);
        with_added(screen, options_.seed + draw, replay.trials);
      }
      for (auto [list, from] : {std::pair{&replay.trials, first}, {&replay.kernels, first_kernel}}) {
        for (std::size_t i = from; i < list->size(); ++i) {
          (*list)[i].card = card;
          (*list)[i].block = block;
          (*list)[i].screen = screen;
        }
      }
    }
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

  /// A check that the slowed cases are no part of: what the screen asks then, and the verdicts about whole kernels.
  std::set<std::string> untouched_alone(std::size_t screen, std::vector<Trial>& kernels) const {
    Check const done = check(baseline_, results_.frame(), select(true), screen, policy_);
    for (gate::CaseDecision const& decision : done.decisions.kernels) {
      kernels.push_back(trial_of(decision, done));
    }
    return done.flagged;
  }

  /// Slows a third of the untouched cases down after the fact, beside those that were slowed down on the device.
  void with_added(std::size_t screen, uint64_t seed, std::vector<Trial>& trials) {
    std::vector<std::string> untouched;
    for (std::size_t i = 0; i < results_.cases(); ++i) {
      if (results_.injected(i) == 0) {
        untouched.push_back(results_.id(i));
      }
    }
    auto const drawn = draw_slowdowns(std::move(untouched), options_.percents, kSlowedShare, seed);
    std::vector<Results> results = select(false);
    for (std::size_t i = 0; i < results_.cases(); ++i) {
      auto const percent = drawn.find(results_.id(i));
      if (percent != drawn.end()) {
        results[i] = slowed_results(i, percent->second);
      }
    }
    Check const done = check(baseline_, results_.frame(), results, screen, policy_);
    for (gate::CaseDecision const& decision : done.decisions.cases) {
      auto const percent = drawn.find(decision.id);
      if (percent != drawn.end()) {
        Trial trial = trial_of(decision, done);
        trial.slowdown_percent = percent->second;
        trial.origin = Origin::added;
        trials.push_back(std::move(trial));
      }
    }
  }

  Results const& slowed_results(std::size_t i, double percent) {
    auto const [place, is_new] = slowed_.try_emplace({i, percent});
    if (is_new) {
      for (model::CaseResult const* result : results_.of(i)) {
        place->second.push_back(&storage_.emplace_back(slowed(*result, percent)));
      }
    }
    return place->second;
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
  BlockResults results_;
  gate::Policy const& policy_;
  ReplayOptions const& options_;
  std::deque<model::CaseResult> storage_;
  std::map<std::pair<std::size_t, double>, Results> slowed_;
};

}  // namespace

Replay replay(std::vector<Card> const& cards, gate::Policy policy, ReplayOptions const& options) {
  policy.equal_code_is_control = false;
  Replay replay;
  for (std::size_t card = 0; card < cards.size(); ++card) {
    for (std::size_t block = 0; block < cards[card].blocks.size(); ++block) {
      BlockReplay(cards[card], cards[card].blocks[block], policy, options).run(card, block, replay);
    }
  }
  return replay;
}

}  // namespace perfcheck::calibrate
