// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/gate/differences.h"

#include "difference_list.h"
#include "launch_differences.h"
#include "perfcheck/model/median.h"
#include "perfcheck/model/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace perfcheck::gate {
namespace {

using model::BaselineCase;
using model::BaselineSession;
using model::CaseResult;

// Six sessions of 166 cases on one H100, with no change between them, every three compared with the other three: the
// clocks lay apart by more than this in 0.7 % of the cases, and by more than half of it in 3 %. Between cards of one
// model, clocks do differ by 1 % and more in up to a quarter of the cases.
constexpr double kClockLimit = 0.01;
// NVML's power is a mean over about a second, so it includes some of the cases measured just before, and their order
// differs from session to session. In the same recordings, power lay apart by more than this in 6 % of the cases, and
// by more than half of it in 8 %.
constexpr double kPowerLimit = 0.10;
// If nothing changed, all orders of the sessions are equally likely. All fresh sessions lie beyond all stored ones, on
// either side, in 2 of (stored + fresh choose fresh) of them: 10 % for three and three, as in those recordings, 3 % for
// four and four (the extreme of the rank test of Mann and Whitney, 1947). Fewer sessions say nothing.
constexpr std::size_t kLeastSessions = 3;
// The worker makes a replay up to twice as long as asked for, to reach more sets of buffers; how much longer depends on
// an estimate.
constexpr double kReplayLimit = 2;
constexpr double kNsPerMs = 1e6;
// Cycles over nanoseconds are GHz.
constexpr double kMhzPerGhz = 1e3;

// ---- how the case was run

bool usable(std::optional<double> const& reading) { return reading && std::isfinite(*reading) && *reading > 0; }

std::string quantity(double value, char const* unit) { return fmt::format("{:.6g} {}", value, unit); }

void compare_inputs(BaselineCase const& stored, CaseResult const& now, DifferenceList& list) {
  if (!stored.input_policy) {
    return;
  }
  model::InputPolicy const& before = *stored.input_policy;
  if (!before.arithmetic.empty() && !now.arithmetic.empty()) {
    list.compare("arithmetic", "arithmetic", before.arithmetic, now.arithmetic);
  }
  list.compare("flop", "work", quantity(before.work.flop, "FLOP"), quantity(now.work.flop, "FLOP"));
  list.compare("bytes", "bytes to move", quantity(before.work.bytes, "B"), quantity(now.work.bytes, "B"));
  std::optional<model::SessionSummary> const summary = model::summarize(now);
  if (!summary || stored.time_ns.empty() || now.rounds->launches == before.replay_launches) {
    return;
  }
  // A slower kernel is launched less often in a replay of the same length, which is no difference of its own.
  double const old_ms = before.replay_launches * stored.time_ns.back() / kNsPerMs;
  double const new_ms = now.rounds->launches * summary->time_ns / kNsPerMs;
  if (usable(old_ms) && usable(new_ms) && std::max(old_ms, new_ms) > kReplayLimit * std::min(old_ms, new_ms)) {
    list.compare("replay_launches", "launches per replay",
                 fmt::format("{} ({:.3g} ms)", before.replay_launches, old_ms),
                 fmt::format("{} ({:.3g} ms)", now.rounds->launches, new_ms));
  }
}

// ---- the machine

/// One of the case's sessions in the baseline, with its index in the columns.
struct StoredSession {
  BaselineSession const* session;
  std::size_t index;
};

/// The sessions to compare with: like the gate, those of this very card if there are enough of them, else all.
std::vector<StoredSession> comparable_sessions(BaselineCase const& stored, std::vector<BaselineSession> const& sessions,
                                               BaselineSession const& measured_on) {
  std::vector<StoredSession> all, of_this_card;
  for (std::size_t i = 0; i < stored.session.size(); ++i) {
    auto const found = std::find_if(sessions.begin(), sessions.end(),
                                    [&](BaselineSession const& session) { return session.id == stored.session[i]; });
    if (found != sessions.end()) {
      all.push_back({&*found, i});
      if (found->device_uuid == measured_on.device_uuid && found->timing == measured_on.timing) {
        of_this_card.push_back(all.back());
      }
    }
  }
  return of_this_card.size() >= kLeastSessions ? of_this_card : all;
}

bool apart(std::vector<double> const& before, std::vector<double> const& after, double limit) {
  if (before.size() < kLeastSessions || after.size() < kLeastSessions) {
    return false;
  }
  auto const [least_before, most_before] = std::minmax_element(before.begin(), before.end());
  auto const [least_after, most_after] = std::minmax_element(after.begin(), after.end());
  double const change = *model::median(after) / *model::median(before) - 1;
  return (*least_after > *most_before || *most_after < *least_before) && std::abs(change) > limit;
}

void compare_readings(char const* what, char const* unit, double limit, std::vector<double> const& before,
                      std::vector<double> const& after, DifferenceList& list) {
  if (apart(before, after, limit)) {
    list.compare(what, what, fmt::format("{:.0f} {}", *model::median(before), unit),
                 fmt::format("{:.0f} {}", *model::median(after), unit));
  }
}

/// Clock of a stored session: as recorded or, in files of older versions, as time and cycles imply. The latter is off
/// by 0.01 % in the median case and by 0.6 % at most on that H100.
std::optional<double> clock_of(BaselineCase const& stored, std::size_t index) {
  if (index < stored.clock_mhz.size()) {
    return stored.clock_mhz[index];
  }
  if (index < stored.cycles.size() && index < stored.time_ns.size()) {
    return stored.cycles[index] / stored.time_ns[index] * kMhzPerGhz;
  }
  return std::nullopt;
}

/// `get` of every element for which it is a usable reading.
template <typename Elements, typename Get>
std::vector<double> readings_of(Elements const& elements, Get get) {
  std::vector<double> values;
  for (auto const& element : elements) {
    if (std::optional<double> const reading = get(element); usable(reading)) {
      values.push_back(*reading);
    }
  }
  return values;
}

void compare_readings(BaselineCase const& stored, std::vector<StoredSession> const& before,
                      std::vector<CaseResult const*> const& fresh, DifferenceList& list) {
  compare_readings("clock", "MHz", kClockLimit,
                   readings_of(before, [&](StoredSession const& s) { return clock_of(stored, s.index); }),
                   readings_of(fresh,
                               [](CaseResult const* result) {
                                 auto const summary = model::summarize(*result);
                                 return summary ? summary->clock_mhz : std::nullopt;
                               }),
                   list);
  compare_readings(
      "power", "W", kPowerLimit,
      readings_of(before,
                  [&](StoredSession const& s) {
                    return s.index < stored.power_w.size() ? std::optional(stored.power_w[s.index]) : std::nullopt;
                  }),
      readings_of(fresh,
                  [](CaseResult const* result) { return result->state ? result->state->power_w : std::nullopt; }),
      list);
}

/// The value in the baseline's last session that has one, if no session has the value of `measured_on`. An unknown
/// (empty) value never counts as different.
template <typename Get>
std::optional<std::string> outdated(std::vector<StoredSession> const& before, Get get,
                                    BaselineSession const& measured_on) {
  std::set<std::string> known;
  std::string last;
  for (StoredSession const& one : before) {
    if (std::string const value = get(*one.session); !value.empty()) {
      known.insert(value);
      last = value;
    }
  }
  std::string const now = get(measured_on);
  return !now.empty() && !known.empty() && !known.contains(now) ? std::optional(last) : std::nullopt;
}

template <typename Get>
void compare_setting(char const* what, char const* label, std::vector<StoredSession> const& before, Get get,
                     BaselineSession const& measured_on, DifferenceList& list) {
  if (std::optional<std::string> const last = outdated(before, get, measured_on)) {
    list.compare(what, label, *last, get(measured_on));
  }
}

void compare_settings(std::vector<StoredSession> const& before, BaselineSession const& measured_on,
                      DifferenceList& list) {
  using Session = BaselineSession;
  auto const power_limit = [](Session const& s) {
    return s.power_limit_w ? fmt::format("{:.0f} W", *s.power_limit_w) : std::string();
  };
  compare_setting("power_limit", "power limit", before, power_limit, measured_on, list);
  compare_setting("driver", "driver", before, [](Session const& s) { return s.driver; }, measured_on, list);
  compare_setting(
      "cuda_runtime", "CUDA runtime", before, [](Session const& s) { return s.cuda_runtime; }, measured_on, list);
  for (auto const& [name, version] : measured_on.libraries) {
    auto const named = [&library = name](Session const& s) {
      auto const found = s.libraries.find(library);
      return found == s.libraries.end() ? std::string() : fmt::format("{} {}", library, found->second);
    };
    compare_setting("library", "library", before, named, measured_on, list);
  }
  compare_setting(
      "timing", "way of timing", before, [](Session const& s) { return fmt::format("{}", s.timing); }, measured_on,
      list);
  auto const card = [](Session const& s) { return s.device_uuid; };
  if (std::optional<std::string> const last = outdated(before, card, measured_on)) {
    // The two UUIDs, in every line of a run, would hide the rest.
    list.state({.what = "card", .before = *last, .after = measured_on.device_uuid, .text = "another card"});
  }
}

void say_injected(std::vector<CaseResult const*> const& fresh, DifferenceList& list) {
  double most = 0;
  for (CaseResult const* result : fresh) {
    most = std::max(most, result->injected_percent);
  }
  if (most > 0) {
    list.state({.what = "injected_slowdown",
                .before = "0 %",
                .after = fmt::format("{:g} %", most),
                .text = fmt::format("slowed down on purpose by {:g} %", most)});
  }
}

bool is_transition(Difference const& difference) { return difference.text.find(kArrow) != std::string::npos; }
bool is_statement(Difference const& difference) { return difference.before == difference.after; }

std::string nothing_changed(std::vector<Difference> const& statements) {
  std::vector<std::string> texts;
  bool is_same_work = false;
  for (Difference const& statement : statements) {
    texts.push_back(statement.text);
    is_same_work = is_same_work || statement.what == "work";
  }
  return texts.empty()
             ? ""
             : fmt::format("{}, and nothing else on record changed: suspect the machine, or {}", fmt::join(texts, ", "),
                           is_same_work ? "what memory holds" : "the arguments of the launch");
}

}  // namespace

std::vector<Difference> differences_of(BaselineCase const& stored, std::vector<BaselineSession> const& sessions,
                                       std::vector<CaseResult const*> const& fresh,
                                       BaselineSession const& measured_on) {
  DifferenceList list;
  say_injected(fresh, list);
  if (!fresh.empty()) {
    compare_launches(stored, fresh, list);
    compare_inputs(stored, *fresh.back(), list);
  }
  std::vector<StoredSession> const before = comparable_sessions(stored, sessions, measured_on);
  compare_readings(stored, before, fresh, list);
  compare_settings(before, measured_on, list);
  return list.take();
}

std::string also_changed(std::vector<Difference> const& differences) {
  if (std::all_of(differences.begin(), differences.end(), is_statement)) {
    return nothing_changed(differences);
  }
  std::vector<std::string> transitions, clauses;
  for (Difference const& difference : differences) {
    (is_transition(difference) ? transitions : clauses).push_back(difference.text);
  }
  if (!transitions.empty()) {
    clauses.insert(clauses.begin(), fmt::format("also changed: {}", fmt::join(transitions, ", ")));
  }
  return fmt::format("{}", fmt::join(clauses, "; "));
}

}  // namespace perfcheck::gate
