// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Rates from a replay: how often the gate raised a false alarm, and how often it found a slowdown.
#pragma once

#include "perfcheck/calibrate/replay.h"

#include <map>

namespace perfcheck::calibrate {

/// Number of trials, and how many of them were called regressed. Trials of one case in one block share sessions;
/// `units` counts the pairs of case and block, which share none.
struct Rate {
  int trials = 0;
  int found = 0;
  int units = 0;

  double share() const { return trials > 0 ? static_cast<double>(found) / trials : 0; }
};

using RatesByPercent = std::map<double, Rate>;

/// Launches shorter than this have a goal of their own: a step of the clock or a place in memory is a larger share of
/// their time.
inline constexpr double kShortLaunchNs = 20e3;

struct CaseRates {
  std::string id;
  bool library = false;                     ///< a library's own kernel
  double time_ns = 0;                       ///< per launch, median over the baseline's sessions
  double seconds = 0;                       ///< wall time of the case in a session, mean
  std::optional<double> device_seconds;     ///< device busy with launches; mean over sessions that recorded it
  std::map<Origin, RatesByPercent> slowed;  ///< by origin of the slowdown

  /// The rates of one origin; empty if there was no such slowdown.
  RatesByPercent const& of(Origin origin) const {
    static RatesByPercent const none;
    auto const found = slowed.find(origin);
    return found == slowed.end() ? none : found->second;
  }

  int untouched = 0;                 ///< screenings without slowdown that could have ended in an alarm
  int flagged = 0;                   ///< of those, sent to confirmation
  int false_alarms = 0;              ///< of those, called regressed or improved
  int inconclusive = 0;              ///< of those
  std::optional<double> detectable;  ///< as a share; median over the decisions that have it
};

/// Counts of independent units: blocks, or cards. Each session of a block is in turn the screen of a check that the
/// others confirm. So checks of one block are not independent trials, nor are checks of one block against several
/// baselines.
struct Units {
  int of = 0;       ///< units with a decision that could have been an alarm
  int alarmed = 0;  ///< units with a case or whole kernel called regressed or improved though nothing changed
};

/// Decisions about one card where nothing changed.
struct CardRates {
  Units blocks;
  int screens = 0;
  int false_screens = 0;  ///< with a case, or a kernel as a whole, called regressed or improved
  int untouched = 0, flagged = 0, inconclusive = 0;  ///< decisions, as in CaseRates
};

struct SuiteRates {
  Units cards, blocks;
  std::vector<CardRates> by_card;  ///< in the order of the given cards
  std::size_t baselines = 0;       ///< the largest number that a card was compared with
  int screens = 0;                 ///< screening sessions, each with its confirmation a whole check
  int false_screens = 0;           ///< with an untouched case called regressed or improved
  int false_kernel_screens = 0;    ///< with a whole kernel called so, from its untouched cases alone
  int inconclusive_screens = 0;    ///< with an untouched case that stayed inconclusive
  /// Decisions about untouched cases that could not have been an alarm, counted by reason code; no rate includes them.
  std::map<std::string, int> no_alarm_possible;
  /// Cases recorded with code other than a baseline's; no rate includes decisions about them.
  std::vector<std::string> changed;
  std::vector<CaseRates> cases;  ///< sorted by id
};

/// Whether the decision could have been an alarm. It could not without numbers to compare, or if they must not be
/// compared.
bool could_alarm(Trial const& trial);

SuiteRates rates_of(std::vector<Card> const& cards, Replay const& replay);

/// Which cases a table's row is about.
struct Group {
  bool library = false;         ///< library kernels, or the program's own
  bool short_launches = false;  ///< of less than kShortLaunchNs

  bool holds(CaseRates const& one) const {
    return one.library == library && (one.time_ns < kShortLaunchNs) == short_launches;
  }
};

/// Rates of all cases of a group together.
RatesByPercent pooled(SuiteRates const& rates, Origin origin, Group group);

/// A goal for every case: slowdowns of this size are called regressed in at least this share of trials.
struct Goal {
  double percent, share;
  bool short_launches;
};
inline constexpr Goal kGoals[] = {{1, 0.95, false}, {2, 0.99, false}, {3, 0.99, true}};

/// A case that does not reach a goal.
struct Miss {
  std::string id;
  Goal goal{};
  double reached = 0;  ///< as a share, over slowdowns of origins device and added
  int trials = 0;
};

/// Goals that were tried and not reached, by case and then by size.
std::vector<Miss> misses_of(SuiteRates const& rates);
/// Number of cases that were slowed down by the size of at least one of their goals.
std::size_t cases_with_goals_tried(SuiteRates const& rates);

}  // namespace perfcheck::calibrate
