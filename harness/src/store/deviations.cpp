// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "deviations.h"

#include "perfcheck/stats/stats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace perfcheck::store {
namespace {

using model::Baseline;
using model::BaselineCase;

// Sessions deviate with long tails even if nothing is wrong. Of 48,000 values of the recordings and baselines of H100
// and H200 here, divided by the scale below, one in a hundred was beyond 7, one in a thousand beyond 16, one in ten
// thousand beyond 30; of 6,800 of a CPU with neighbours, beyond 12, 17 and 21. Student's t with three degrees of
// freedom has 5.8, 12.9 and 28.
constexpr double kTailDf = 3;
// Chance that any value of a baseline in which nothing is wrong is called outlying.
constexpr double kAlpha = 0.05;
// Weight of the variance that is usual among all cases, in degrees of freedom of the case itself.
constexpr double kUsualWeight = 4;
// As in the gate: degrees of freedom of the assumed spread from card to card.
constexpr double kCardDf = 4;
constexpr std::size_t kLeastSessions = 3;

// Smaller deviations are never called outlying (log scale). Cycles of kernels with a reference repeat: the largest
// deviation seen in a session was 2.4 %. cuBLAS with a split k has two levels, 2 to 10 % apart, and takes either from
// process to process; so do ratios to it; and times move with the clock.
constexpr double kSteadyFloor = 0.05;
constexpr double kLevelsFloor = 0.12;
// On a CPU that others use, a neighbour made single cases 2.3 times as slow.
double const kSharedFloor = std::log(2.5);
// Whatever the noise, more is outlying. With compilers on both cores of that CPU, cases took up to 5.4 times as long.
double const kCap = std::log(1.5);
// The same for what is that steady.
double const kSteadyCap = std::log(1.1);
double const kSharedCap = std::log(8.0);

// Sessions lie at two levels if the gap between these is more than this many times the span of either. By chance 4 % of
// four sessions with normal noise do, and 0.04 % of eight (200,000 draws each).
constexpr double kLevelsApart = 4;

// Deviations to both sides count as equal if the smaller one is more than this share of the larger.
constexpr double kAsFar = 0.9;

/// Each value less the median of its level. A wide gap with two values or more on either side makes two levels. If half
/// of the sessions are 8 % slower, these are two levels, not noise that would excuse them.
std::vector<double> about_levels(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  auto split = values.end();
  for (std::size_t i = 2; i + 2 <= values.size(); ++i) {
    double const gap = values[i] - values[i - 1];
    double const spans = std::max(values[i - 1] - values.front(), values.back() - values[i]);
    if (gap > kLevelsApart * spans) split = values.begin() + static_cast<std::ptrdiff_t>(i);
  }
  for (auto const& [first, last] : {std::pair(values.begin(), split), std::pair(split, values.end())}) {
    double const centre = stats::median({first, last}).value_or(0);
    std::for_each(first, last, [&](double& value) { value -= centre; });
  }
  return values;
}

/// Sessions that are taken as one.
struct Unit {
  std::vector<std::size_t> sessions;
  std::vector<double> logs;

  double centre() const { return *stats::median(logs); }
};

/// Which of two that differ counts as odd?
enum class OddOfTwo { slower, later };

/// One witness of one case.
struct Column {
  std::string const* case_id = nullptr;
  std::string const* reference = nullptr;
  Witness witness = Witness::cycles;
  bool control = false;                                ///< its own reference
  std::vector<std::pair<std::size_t, double>> values;  ///< session and logarithm
  double variance = 0;                                 ///< robust, between sessions of an acceptance
  double df = 0;
};

std::vector<double> const& values_of(BaselineCase const& entry, Witness witness) {
  switch (witness) {
    case Witness::cycles: return entry.cycles;
    case Witness::ratio: return entry.ratio;
    case Witness::time: break;
  }
  return entry.time_ns;
}

/// What a card's times depend on besides the code: a card under other settings counts as another card.
std::string setting_of(model::BaselineSession const& session) {
  return fmt::format("{}|{}|{}|{}|{}|{}", session.device_uuid, session.timing, session.driver, session.cuda_runtime,
                     session.power_limit_w.value_or(0), fmt::join(session.libraries, ","));
}

/// Numbers texts in the order in which they first appear.
class Numbering {
 public:
  std::size_t operator[](std::string const& text) { return numbers_.try_emplace(text, numbers_.size()).first->second; }

 private:
  std::map<std::string, std::size_t> numbers_;
};

class Comparisons {
 public:
  Comparisons(Baseline const& baseline, AuditPolicy const& policy) : baseline_(baseline), policy_(policy) {
    Numbering cards, groups, libraries;
    std::map<std::string, std::size_t> acceptance;
    for (std::size_t i = 0; i < baseline.accepted.size(); ++i) {
      for (std::string const& id : baseline.accepted[i].sessions) {
        acceptance[id] = i + 1;
      }
    }
    for (std::size_t i = 0; i < baseline.sessions.size(); ++i) {
      model::BaselineSession const& session = baseline.sessions[i];
      index_[session.id] = i;
      card_.push_back(cards[setting_of(session)]);
      group_.push_back(groups[fmt::format("{}|{}", card_.back(), acceptance[session.id])]);
      libraries_.push_back(libraries[fmt::format("{}", fmt::join(session.libraries, ","))]);
    }
  }

  std::vector<Deviation> all() {
    std::vector<Column> columns;
    for (Witness const witness : {Witness::cycles, Witness::ratio, Witness::time}) {
      std::vector<Column> const of_witness = columns_of(witness);
      columns.insert(columns.end(), of_witness.begin(), of_witness.end());
    }
    std::size_t values = 0;
    for (Column const& column : columns) {
      values += column.values.size();
    }
    double const share = kAlpha / 2 / static_cast<double>(std::max<std::size_t>(values, 1));
    session_quantile_ = stats::student_t_quantile(1 - share, kTailDf);
    card_quantile_ = stats::student_t_quantile(1 - share, kCardDf);
    for (Column const& column : columns) {
      judge(column);
    }
    return std::move(found_);
  }

 private:
  /// A witness of all cases that have it, each with its scale.
  std::vector<Column> columns_of(Witness witness) const {
    std::vector<Column> columns;
    std::vector<double> variances;
    for (auto const& [id, entry] : baseline_.cases) {
      bool const control = entry.reference == id;
      std::vector<double> const& values = values_of(entry, witness);
      if ((control && witness == Witness::ratio) || values.size() != entry.session.size()) {
        continue;
      }
      Column column{
          .case_id = &id, .reference = &entry.reference, .witness = witness, .control = control, .values = {}};
      for (std::size_t i = 0; i < values.size(); ++i) {
        auto const session = index_.find(entry.session[i]);
        if (session != index_.end() && std::isfinite(values[i]) && values[i] > 0) {
          column.values.emplace_back(session->second, std::log(values[i]));
        }
      }
      estimate_scale(column);
      if (column.df > 0) {
        variances.push_back(column.variance);
      }
      columns.push_back(std::move(column));
    }
    double const usual = stats::median(variances).value_or(0);
    for (Column& column : columns) {
      column.variance = (kUsualWeight * usual + column.df * column.variance) / (kUsualWeight + column.df);
    }
    return columns;
  }

  std::map<std::size_t, Unit> grouped(Column const& column, std::vector<std::size_t> const& by) const {
    std::map<std::size_t, Unit> groups;
    for (auto const& [session, log] : column.values) {
      Unit& unit = groups[by[session]];
      unit.sessions.push_back(session);
      unit.logs.push_back(log);
    }
    return groups;
  }

  /// Estimates the scale from what was accepted together of one card, as deviations from the median of each level.
  void estimate_scale(Column& column) const {
    std::vector<double> residuals;
    for (auto const& [group, unit] : grouped(column, group_)) {
      std::size_t const n = unit.logs.size();
      if (n < kLeastSessions) {
        continue;
      }
      double const correction = std::sqrt(static_cast<double>(n) / static_cast<double>(n - 1));
      for (double const residual : about_levels(unit.logs)) {
        residuals.push_back(residual * correction);
      }
      column.df += static_cast<double>(n - 1);
    }
    if (!residuals.empty()) {
      // Mirrored, so that deviations are taken about 0, which is the median of each group's residuals.
      std::vector<double> both = residuals;
      std::transform(residuals.begin(), residuals.end(), std::back_inserter(both), [](double r) { return -r; });
      double const sd = stats::robust_sd(both).value_or(0);
      column.variance = sd * sd;
    }
  }

  double clamped(Column const& column, double limit) const {
    if (policy_.shared_device) {
      return std::clamp(limit, kSharedFloor, kSharedCap);
    }
    bool const steady = column.witness == Witness::cycles && !column.control;
    return std::clamp(limit, steady ? kSteadyFloor : kLevelsFloor, steady ? kSteadyCap : kCap);
  }

  double scale_of(Column const& column) const { return std::max(std::sqrt(column.variance), policy_.min_sd); }

  double limit_within_card(Column const& column) const { return clamped(column, session_quantile_ * scale_of(column)); }

  double limit_between_cards(Column const& column, std::size_t units) const {
    double const card_sd = column.witness == Witness::ratio ? policy_.ratio_card_sd : policy_.cycles_card_sd;
    double const of_cards = card_quantile_ * card_sd * std::sqrt(1 + 1 / static_cast<double>(units - 1));
    return clamped(column, std::hypot(session_quantile_ * scale_of(column), of_cards));
  }

  void judge(Column const& column) {
    double const limit = limit_within_card(column);
    std::map<std::size_t, std::vector<Unit>> by_card;
    for (auto const& [group, unit] : grouped(column, group_)) {
      std::vector<Unit> singles = apart(unit);
      std::vector<Unit>& on_card = by_card[card_[unit.sessions.front()]];
      // If two differ, it takes others to tell which is odd.
      bool const two_agree = singles.size() == 2 && std::abs(unit.logs[0] - unit.logs[1]) <= limit;
      if (singles.size() >= kLeastSessions || two_agree) {
        singles = {together(agreeing(column, std::move(singles), Against::acceptance, limit, OddOfTwo::slower))};
      }
      on_card.insert(on_card.end(), singles.begin(), singles.end());
    }
    // Another version of a library changes ratios, and the times of its own kernels.
    bool const by_library = column.control || column.witness == Witness::ratio;
    std::map<std::size_t, std::vector<Unit>> comparable;
    for (auto& [card, units] : by_card) {
      std::size_t const library = by_library ? libraries_[units.front().sessions.front()] : 0;
      if (sessions_in(units) >= kLeastSessions) {
        units = {together(agreeing(column, std::move(units), Against::card, limit, OddOfTwo::later))};
      }
      comparable[library].insert(comparable[library].end(), units.begin(), units.end());
    }
    for (auto& [library, units] : comparable) {
      if (units.size() > 1) {
        std::sort(units.begin(), units.end(),
                  [](Unit const& a, Unit const& b) { return a.sessions.front() < b.sessions.front(); });
        double const wide = limit_between_cards(column, units.size());
        (void)agreeing(column, std::move(units), Against::cards, wide, OddOfTwo::later);
      }
    }
  }

  static std::vector<Unit> apart(Unit const& unit) {
    std::vector<Unit> singles;
    for (std::size_t i = 0; i < unit.sessions.size(); ++i) {
      singles.push_back({.sessions = {unit.sessions[i]}, .logs = {unit.logs[i]}});
    }
    return singles;
  }

  static Unit together(std::vector<Unit> const& units) {
    Unit all;
    for (Unit const& unit : units) {
      all.sessions.insert(all.sessions.end(), unit.sessions.begin(), unit.sessions.end());
      all.logs.insert(all.logs.end(), unit.logs.begin(), unit.logs.end());
    }
    std::sort(all.sessions.begin(), all.sessions.end());
    return all;
  }

  static std::size_t sessions_in(std::vector<Unit> const& units) {
    std::size_t count = 0;
    for (Unit const& unit : units) {
      count += unit.sessions.size();
    }
    return count;
  }

  /// The distance from the median of the others.
  static double change_of(std::vector<Unit> const& units, std::size_t i) {
    std::vector<double> others;
    for (std::size_t k = 0; k < units.size(); ++k) {
      if (k != i) {
        others.push_back(units[k].centre());
      }
    }
    return units[i].centre() - *stats::median(others);
  }

  /// The unit that is furthest off. If one is about as far above the others as another is below, as when half of them
  /// are at another level, it is the slower one: nothing makes a kernel faster by chance.
  static std::size_t furthest_of(std::vector<Unit> const& units, OddOfTwo odd_of_two) {
    if (units.size() == 2 && odd_of_two == OddOfTwo::later) return 1;
    std::size_t slower = 0, faster = 0;
    for (std::size_t i = 1; i < units.size(); ++i) {
      if (change_of(units, i) > change_of(units, slower)) slower = i;
      if (change_of(units, i) < change_of(units, faster)) faster = i;
    }
    double const above = change_of(units, slower), below = -change_of(units, faster);
    return above > kAsFar * below ? slower : faster;
  }

  /// Removes the furthest unit as long as it is beyond the limit; one at a time, because one that is off shifts what
  /// the others are compared with. Records a deviation for every unit, and returns those that agree.
  std::vector<Unit> agreeing(Column const& column, std::vector<Unit> units, Against against, double limit,
                             OddOfTwo odd_of_two) {
    auto const record = [&](Unit const& unit, double change, bool outlying) {
      found_.push_back({.sessions = unit.sessions,
                        .case_id = column.case_id,
                        .reference = column.reference,
                        .witness = column.witness,
                        .against = against,
                        .change = change,
                        .limit = limit,
                        .outlying = outlying});
    };
    while (units.size() > 1) {
      std::size_t const furthest = furthest_of(units, odd_of_two);
      double const largest = change_of(units, furthest);
      if (std::abs(largest) <= limit) {
        break;
      }
      record(units[furthest], largest, true);
      units.erase(units.begin() + static_cast<std::ptrdiff_t>(furthest));
    }
    // If two agree, one record is enough: the later one against the earlier.
    for (std::size_t i = units.size() == 2 ? 1 : 0; units.size() > 1 && i < units.size(); ++i) {
      record(units[i], change_of(units, i), false);
    }
    return units;
  }

  Baseline const& baseline_;
  AuditPolicy const& policy_;
  std::map<std::string, std::size_t> index_;
  /// For each session: its card under its settings, what was accepted together on that card, its libraries.
  std::vector<std::size_t> card_, group_, libraries_;
  double session_quantile_ = 0, card_quantile_ = 0;
  std::vector<Deviation> found_;
};

}  // namespace

char const* name_of(Witness witness) {
  constexpr std::array<char const*, 3> kNames = {"cycles", "ratio", "time"};
  return kNames[static_cast<std::size_t>(witness)];
}

std::vector<Deviation> deviations_of(Baseline const& baseline, AuditPolicy const& policy) {
  return Comparisons(baseline, policy).all();
}

}  // namespace perfcheck::store
