// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a replay comes to: how often the gate cried wolf, and how often it saw a slowdown.
#pragma once

#include "perfcheck/calibrate/replay.h"

#include <map>

namespace perfcheck::calibrate {

/// Trials and how many of them were called regressed. Trials of one case in one block share sessions; `units` counts
/// the pairs of case and block, which do not.
struct Rate {
  int trials = 0;
  int found = 0;
  int units = 0;

  double share() const { return trials > 0 ? static_cast<double>(found) / trials : 0; }
};

using RatesByPercent = std::map<double, Rate>;

/// Launches shorter than this are judged by their own goal: a clock's step or a place in memory is a larger share.
inline constexpr double kShortLaunchNs = 20e3;

struct CaseRates {
  std::string id;
  bool library = false;                  ///< a library's own kernel
  double time_ns = 0;                    ///< per launch, median over the baseline's sessions
  double seconds = 0;                    ///< wall time of the case in a session, mean
  std::optional<double> device_seconds;  ///< of these the device was busy with launches; mean of the sessions that tell
  std::map<Origin, RatesByPercent> slowed;  ///< by where the slowdown came from

  /// Those of an origin; none where nothing was slowed down so.
  RatesByPercent const& of(Origin origin) const {
    static RatesByPercent const none;
    auto const found = slowed.find(origin);
    return found == slowed.end() ? none : found->second;
  }

  int untouched = 0;                 ///< screenings without slowdown, if they could have ended in an alarm
  int flagged = 0;                   ///< of those, sent to confirmation
  int false_alarms = 0;              ///< of those, called regressed or improved
  int inconclusive = 0;              ///< of those
  std::optional<double> detectable;  ///< median over the decisions that tell, share
};

/// Sessions of one block are rotated: each is the screen of a check that the others confirm. So checks of a block, and
/// those of one against several baselines, are no independent trials; blocks and cards are.
struct Units {
  int of = 0;       ///< those with a decision that could have been an alarm
  int alarmed = 0;  ///< with a case, or a kernel as a whole, called regressed or improved though nothing changed
};

/// What was said about one card where nothing changed.
struct CardRates {
  Units blocks;
  int screens = 0;
  int false_screens = 0;  ///< with a case, or a kernel as a whole, called regressed or improved
  int untouched = 0, flagged = 0, inconclusive = 0;  ///< decisions, as in CaseRates
};

struct SuiteRates {
  Units cards, blocks;
  std::vector<CardRates> by_card;  ///< as the cards were given
  std::size_t baselines = 0;       ///< that each card was compared with; of the card that has most
  int screens = 0;                 ///< screening sessions, each with its confirmation a whole check
  int false_screens = 0;           ///< with an untouched case called regressed or improved
  int false_kernel_screens = 0;    ///< with a kernel called so on its untouched cases alone
  int inconclusive_screens = 0;    ///< with an untouched case that stayed inconclusive
  /// Decisions about untouched cases that could not have been an alarm, by what they came to; part of no rate.
  std::map<std::string, int> no_alarm_possible;
  /// Cases whose recordings are of other code than a baseline's. Decisions about them are part of no rate.
  std::vector<std::string> changed;
  std::vector<CaseRates> cases;  ///< sorted by id
};

/// Could the decision have been an alarm? Not without numbers to compare, or where they must not be compared.
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

/// What is asked of every case: a slowdown of this size is called regressed in this share of trials.
struct Goal {
  double percent, share;
  bool short_launches;
};
inline constexpr Goal kGoals[] = {{1, 0.95, false}, {2, 0.99, false}, {3, 0.99, true}};

/// A case that does not reach a goal.
struct Miss {
  std::string id;
  Goal goal{};
  double reached = 0;  ///< share, over slowdowns of either origin
  int trials = 0;
};

/// Goals that were tried and not reached, by case and then by size.
std::vector<Miss> misses_of(SuiteRates const& rates);
/// Cases that were slowed down by the size of a goal of theirs at all.
std::size_t cases_with_goals_tried(SuiteRates const& rates);

}  // namespace perfcheck::calibrate
