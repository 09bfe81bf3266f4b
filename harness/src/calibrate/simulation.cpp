// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/simulation.h"

#include "check.h"
#include "recorded_noise.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <stdexcept>

namespace perfcheck::calibrate {
namespace {

using model::Verdict;

bool is_alarm(gate::CaseDecision const& decision) {
  return decision.verdict == Verdict::regressed || decision.verdict == Verdict::improved;
}

void add(SimulatedChecks& sum, SimulatedChecks const& one) {
  sum.checks += one.checks;
  sum.alarms += one.alarms;
  sum.kernel_alarms += one.kernel_alarms;
  sum.undecided += one.undecided;
}

std::vector<model::Run const*> runs_of(Card const& card, model::Run const& baseline) {
  std::vector<model::Run const*> runs{&baseline};
  for (Block const& block : card.blocks) {
    runs.push_back(&block.run);
  }
  return runs;
}

/// Simulates checks on one card. What they need is built once; each check only replaces the numbers.
class CardSimulation {
 public:
  CardSimulation(Card const& card, model::Run const& recorded, gate::Policy const& policy)
      : noise_(runs_of(card, recorded)),
        fresh_sessions_(1 + static_cast<std::size_t>(policy.confirm_sessions)),
        baseline_(card.baselines.front()),
        frame_(gate::observations_of(recorded)),
        policy_(policy) {
    std::erase_if(frame_.cases, [&](gate::Observation const& one) {
      return !noise_.knows(one.id) || !baseline_.cases.contains(one.id) || !model::summarize(*one.screen.front());
    });
    for (gate::Observation& one : frame_.cases) {
      Results& results = results_.emplace_back();
      std::vector<model::CaseResult*>& own = fresh_.emplace_back();
      for (std::size_t session = 0; session < fresh_sessions_; ++session) {
        own.push_back(&storage_.emplace_back(condensed(*one.screen.front())));
        results.push_back(own.back());
      }
      one.screen.clear();
    }
    forget_what_is_not_recorded();
  }

  std::size_t recorded_sessions() const { return noise_.sessions(); }
  bool has_enough() const {
    return noise_.sessions() >= fresh_sessions_ + static_cast<std::size_t>(policy_.min_baseline_sessions) &&
           !frame_.cases.empty();
  }
  std::size_t baseline_sessions() const {
    return std::min(baseline_.sessions.size(), noise_.sessions() - fresh_sessions_);
  }

  Check run(bool is_rebuilt, std::mt19937_64& engine) {
    RecordedNoise::Drawn const drawn = noise_.draw(baseline_sessions() + fresh_sessions_, engine);
    for (std::size_t i = 0; i < frame_.cases.size(); ++i) {
      std::string const& id = frame_.cases[i].id;
      std::vector<model::SessionSummary> const all = noise_.summaries(id, drawn, engine);
      store(all, baseline_.cases.at(id));
      for (std::size_t session = 0; session < fresh_sessions_; ++session) {
        fresh_[i][session]->rounds = rounds_of(all[baseline_sessions() + session]);
      }
      // The hash changes in the baseline instead of the code: to the gate only the difference matters.
      baseline_.cases.at(id).machine_code = is_rebuilt ? "another" : machine_code_.at(id);
    }
    return check(baseline_, frame_, results_, 0, policy_);
  }

 private:
  /// Keeps as many sessions in the baseline as a check draws, and gives every case all of them.
  void forget_what_is_not_recorded() {
    if (!has_enough()) {
      return;
    }
    baseline_.sessions.resize(baseline_sessions());
    for (gate::Observation const& one : frame_.cases) {
      model::BaselineCase& stored = baseline_.cases.at(one.id);
      machine_code_[one.id] = stored.machine_code;
      stored.session.clear();
      for (model::BaselineSession const& session : baseline_.sessions) {
        stored.session.push_back(session.id);
      }
      stored.clock_mhz.clear();
      stored.power_w.clear();
    }
  }

  void store(std::vector<model::SessionSummary> const& all, model::BaselineCase& stored) const {
    for (std::vector<double>* column : {&stored.time_ns, &stored.ratio, &stored.cycles, &stored.tail}) {
      column->clear();
    }
    for (std::size_t i = 0; i < baseline_sessions(); ++i) {
      stored.time_ns.push_back(all[i].time_ns);
      stored.ratio.push_back(all[i].ratio.value_or(1));
      if (all[i].cycles) {
        stored.cycles.push_back(*all[i].cycles);
      }
      stored.tail.push_back(all[i].tail);
    }
  }

  RecordedNoise noise_;
  std::size_t fresh_sessions_;
  model::Baseline baseline_;
  gate::Observations frame_;
  gate::Policy const& policy_;
  std::deque<model::CaseResult> storage_;
  std::vector<std::vector<model::CaseResult*>> fresh_;  ///< by case, and then by session
  std::vector<Results> results_;                        ///< the same, for check()
  std::map<std::string, std::string> machine_code_;
};

SimulatedChecks count(Check const& done, int number, Simulation& simulation) {
  SimulatedChecks one{.checks = 1};
  bool is_open = false;
  for (auto const* decisions : {&done.decisions.cases, &done.decisions.kernels}) {
    bool const is_kernel = decisions == &done.decisions.kernels;
    for (gate::CaseDecision const& decision : *decisions) {
      if (decision.verdict != Verdict::pass) {
        simulation.findings.push_back({.check = number,
                                       .id = decision.id,
                                       .verdict = decision.verdict,
                                       .reason_code = decision.reason_code,
                                       .is_kernel = is_kernel});
      }
      if (is_alarm(decision)) {
        one.alarms = 1;
        one.kernel_alarms = is_kernel ? 1 : one.kernel_alarms;
      }
      is_open = is_open || (decision.verdict != Verdict::pass && !is_alarm(decision));
    }
  }
  one.undecided = one.alarms == 0 && is_open ? 1 : 0;
  simulation.decisions += static_cast<long long>(done.decisions.cases.size());
  simulation.flagged += static_cast<long long>(done.flagged.size());
  return one;
}

}  // namespace

Simulation simulate(std::vector<Card> const& cards, std::vector<model::Run> const& baselines,
                    gate::Policy const& policy, SimulationOptions const& options) {
  Simulation simulation;
  simulation.confirm_sessions = policy.confirm_sessions;
  std::deque<CardSimulation> simulations;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    CardSimulation const& one = simulations.emplace_back(cards[i], baselines[i], policy);
    if (!one.has_enough()) {
      simulation.left_out.push_back(cards[i].name);
      simulations.pop_back();
      continue;
    }
    simulation.cards.push_back({.name = cards[i].name,
                                .recorded_sessions = one.recorded_sessions(),
                                .baseline_sessions = one.baseline_sessions(),
                                .result = {}});
  }
  if (simulations.empty()) {
    throw std::invalid_argument(
        fmt::format("no card has the {} sessions that a simulated check draws from; record more blocks",
                    1 + policy.confirm_sessions + policy.min_baseline_sessions));
  }
  for (int number = 0; number < options.checks; ++number) {
    auto const turn = static_cast<std::size_t>(number);
    std::size_t const card = turn % simulations.size();
    bool const is_rebuilt = turn / simulations.size() % 2 == 1;
    // One generator per check: the first hundred checks are the same however many follow.
    std::mt19937_64 engine(options.seed * 1'000'003 + turn);
    SimulatedChecks const one = count(simulations[card].run(is_rebuilt, engine), number + 1, simulation);
    add(simulation.cards[card].result, one);
    add(simulation.result, one);
    add(is_rebuilt ? simulation.rebuilt : simulation.equal, one);
  }
  return simulation;
}

}  // namespace perfcheck::calibrate
