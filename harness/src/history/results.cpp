// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "results.h"

#include "perfcheck/model/median.h"
#include "perfcheck/model/summary.h"
#include "perfcheck/stats/run_interval.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace perfcheck::history {
namespace {

/// The sessions' medians of one figure, and the rounds of the last session, which are needed if it is the only one.
struct Figure {
  std::vector<double> medians;
  std::vector<double> rounds;

  void add(std::optional<double> median, std::vector<double> of_rounds) {
    if (median) {
      medians.push_back(*median);
      rounds = std::move(of_rounds);
    }
  }
  std::optional<double> median() const { return model::median(medians); }
  std::optional<double> half_width() const { return stats::run_half_width(medians, rounds); }
};

/// Combines two columns round by round.
template <typename Combine>
std::vector<double> combined(std::vector<double> const& a, std::vector<double> const& b, Combine combine) {
  std::vector<double> values(std::min(a.size(), b.size()));
  std::transform(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(values.size()), b.begin(), values.begin(), combine);
  return values;
}

/// Accumulates the sessions of a case.
struct Gathered {
  CaseOfRun one;
  bool seen = false;
  std::vector<std::string> unfit;  ///< why one of its sessions does not count
  Figure time, ratio, cycles, clock, power, temperature, noise;

  void add(model::CaseResult const& result) {
    if (!result.unfit.empty()) {
      unfit = result.unfit;
      return;
    }
    tell_worst(result);
    if (!result.launches.empty()) {
      one.launched = &result;
    }
    auto const summary = model::summarize(result);
    if (!summary) {
      return;
    }
    model::Rounds const& rounds = *result.rounds;
    ++one.result.sessions;
    time.add(summary->time_ns, rounds.time_ns);
    ratio.add(summary->ratio, combined(rounds.time_ns, rounds.reference_time_ns, std::divides<>()));
    // In thousandths of a cycle; only their relative spread is used.
    cycles.add(summary->cycles, combined(rounds.time_ns, rounds.clock_mhz, std::multiplies<>()));
    clock.add(summary->clock_mhz, {});
    noise.add(summary->noise, {});
    if (result.state) {
      power.add(result.state->power_w, {});
      temperature.add(result.state->temperature_c, {});
    }
  }

  /// Keeps the worst status: a session in which the case failed outranks those in which it was measured.
  void tell_worst(model::CaseResult const& result) {
    using model::CaseStatus;
    CaseStatus& status = one.result.status;
    bool const first = !seen;
    bool const good_so_far = status == CaseStatus::measured || status == CaseStatus::skipped;
    bool const better_known = status == CaseStatus::skipped && result.status != CaseStatus::skipped;
    if (first || better_known ||
        (good_so_far && result.status != CaseStatus::measured && result.status != CaseStatus::skipped)) {
      status = result.status;
      one.result.message = result.message;
    }
    seen = true;
  }

  CaseOfRun finished() const {
    CaseOfRun done = one;
    Result& result = done.result;
    if (!seen) {
      result.status = model::CaseStatus::skipped;
      result.message = fmt::format("the machine was not fit: {}", fmt::join(unfit, "; "));
    }
    if (result.status != model::CaseStatus::measured) {
      result.sessions = 0;
      return done;  // a kernel that failed has no time
    }
    result.time_ns = time.median();
    result.time_hw = time.half_width();
    result.ratio = ratio.median();
    result.ratio_hw = ratio.half_width();
    result.cycles = cycles.median();
    result.cycles_hw = cycles.half_width();
    result.clock_mhz = clock.median();
    result.power_w = power.median();
    result.temperature_c = temperature.median();
    result.noise = noise.median();
    return done;
  }
};

StoredDecision stored(gate::CaseDecision const& decision) {
  StoredDecision kept{.verdict = decision.verdict};
  kept.decided_by = decision.decided_by;
  if (decision.verdict != model::Verdict::pass) {
    kept.reason_code = decision.reason_code;
    kept.reason = decision.reason;
    kept.also_changed = gate::also_changed(decision.differences);
  }
  if (auto const witness = decision.deciding()) {
    kept.change = witness->change;
    kept.low = witness->low;
    kept.high = witness->high;
    kept.margin = decision.margin;
  }
  kept.detectable = decision.detectable;
  return kept;
}

}  // namespace

std::map<std::string, CaseOfRun> results_of(model::Run const& run, std::optional<RunDecision> const& decision) {
  std::map<std::string, Gathered> gathered;
  for (model::Session const& session : run.sessions) {
    bool const elsewhere = session.device.uuid != run.sessions.front().device.uuid;
    for (model::CaseResult const& result : session.cases) {
      gathered[result.id].add(result);
      gathered[result.id].one.result.card = elsewhere ? session.device.uuid : "";
    }
  }
  std::map<std::string, CaseOfRun> results;
  for (auto const& [id, one] : gathered) {
    results[id] = one.finished();
  }
  if (decision) {
    for (auto const& [id, about_case] : decision->cases) {
      auto const [entry, is_new] = results.try_emplace(id);
      if (is_new) {
        entry->second.result.message = "it did not run";
      }
      entry->second.result.decision = about_case;
    }
  }
  return results;
}

RunDecision decision_of(gate::Decisions const& decisions) {
  RunDecision kept{.exit_code = decisions.exit_code, .notes = decisions.notes, .cases = {}};
  for (gate::CaseDecision const& kernel : decisions.kernels) {
    if (kernel.verdict != model::Verdict::pass) {
      kept.notes.push_back(fmt::format("kernel {}: {}: {}", kernel.id, model::to_text(kernel.verdict), kernel.reason));
    }
  }
  for (gate::CaseDecision const& decision : decisions.cases) {
    kept.cases[decision.id] = stored(decision);
  }
  return kept;
}

}  // namespace perfcheck::history
