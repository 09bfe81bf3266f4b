// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "compare.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perfcheck::gate {
namespace {

// The assumed spread between cards, or between days, weighs as much as four observed differences. So a case that
// differs more than assumed is soon recognised.
constexpr double kPriorDf = 4;
// Two-sided 95 %: how much the next card may differ.
constexpr double kCardQuantile = 0.975;
// Probability with which a change that is called detectable is detected.
constexpr double kPower = 0.8;
// A stored session further from the median than this many robust standard deviations is moved to that distance.
constexpr double kCentreReach = 3;

/// Variance within groups, each around its own mean.
struct Pooled {
  double squares = 0;
  double df = 0;

  void add(std::vector<double> const& group) {
    if (std::optional<double> const sd = stats::sample_sd(group)) {
      double const group_df = static_cast<double>(group.size() - 1);
      squares += *sd * *sd * group_df;
      df += group_df;
    }
  }
};

std::map<int, std::vector<double>> by_occasion(OfCard const& of_card) {
  std::map<int, std::vector<double>> groups;
  for (std::size_t i = 0; i < of_card.logs.size(); ++i) {
    groups[of_card.occasions[i]].push_back(of_card.logs[i]);
  }
  return groups;
}

/// Variance between sessions: within occasions or, for a card with a single session on each occasion, over all of them.
Pooled pooled(Series const& series, Stage stage) {
  Pooled result;
  for (auto const& [card, of_card] : series.stored(stage)) {
    Pooled within;
    for (auto const& [occasion, logs] : by_occasion(of_card)) {
      within.add(logs);
    }
    if (within.df > 0) {
      result.squares += within.squares;
      result.df += within.df;
    } else {
      result.add(of_card.logs);
    }
  }
  result.add(series.fresh(stage));
  return result;
}

/// Variances of all cases, each shrunk towards the typical value (Smyth 2004).
class Moderation {
 public:
  Moderation(std::vector<Evidence> const& evidence, Metric metric, Stage stage, double min_sd)
      : smallest_(min_sd * min_sd) {
    std::vector<double> variances, dfs;
    for (Evidence const& one : evidence) {
      if (!one.series[metric]) {
        continue;
      }
      Pooled const own = pooled(*one.series[metric], stage);
      if (own.df > 0) {
        variances.push_back(std::max(own.squares / own.df, smallest_));
        dfs.push_back(own.df);
        total_df_ += own.df;
      }
    }
    prior_ = stats::fit_variance_prior(variances, dfs);
  }

  /// Standard deviation and degrees of freedom to use for a case; empty when nothing is known about its noise.
  std::optional<std::pair<double, double>> sd_and_df(Pooled const& own) const {
    double variance = own.df > 0 ? std::max(own.squares / own.df, smallest_) : 0;
    double df = own.df;
    if (prior_) {
      variance = stats::moderated_variance(*prior_, variance, own.df);
      df = std::min(prior_->df + own.df, total_df_);  // no more than all cases have together
    }
    if (!(df > 0)) {
      return std::nullopt;
    }
    return std::pair{std::sqrt(std::max(variance, smallest_)), df};
  }

 private:
  double smallest_ = 0;
  double total_df_ = 0;
  std::optional<stats::VariancePrior> prior_;
};

/// The centre of a card's sessions, with outliers cut: if one session of eight took twice as long, their plain mean
/// would hide a slowdown of 9 %. Outliers do count in the scatter, so that such a baseline decides fewer cases, not
/// more.
double centre_of(OfCard const& of_card, double min_sd) {
  double const usual = std::max(stats::robust_sd(of_card.logs).value_or(0), min_sd);
  return *stats::cut_mean(of_card.logs, kCentreReach * usual);
}

/// Variance of the difference between the new sessions' occasion and the weighted mean of the stored occasions, in
/// units of one occasion's variance. `weights` are by occasion and sum to 1.
double occasion_term(std::map<int, double> weights, int now) {
  weights[now] -= 1;
  return std::accumulate(weights.begin(), weights.end(), 0.0,
                         [](double sum, auto const& entry) { return sum + entry.second * entry.second; });
}

/// The baseline's value for a card, and how well it is known.
struct Location {
  double centre = 0;
  double term = 0;      ///< variance of the centre, in units of one session's variance
  double occasion = 0;  ///< variance of the change due to occasions, in units of one occasion's variance
  std::size_t sessions = 0;
  bool known_card = false;
};

Location locate(Series const& series, Stage stage, std::string const& card, Policy const& policy) {
  ByCard const& stored = series.stored(stage);
  auto const own = stored.find(card);
  bool const known =
      own != stored.end() && own->second.logs.size() >= static_cast<std::size_t>(policy.min_baseline_sessions);
  // Cards count equally, however many sessions each has.
  Location result{.known_card = known};
  std::map<int, double> weights;
  double const cards = known ? 1 : static_cast<double>(stored.size());
  for (auto const& [name, of_card] : stored) {
    if (known && name != card) {
      continue;
    }
    double const sessions = static_cast<double>(of_card.logs.size());
    result.centre += centre_of(of_card, policy.min_sd) / cards;
    result.term += 1 / (sessions * cards * cards);
    result.sessions += of_card.logs.size();
    for (int const occasion : of_card.occasions) {
      weights[occasion] += 1 / (sessions * cards);
    }
  }
  result.occasion = occasion_term(std::move(weights), series.occasion);
  return result;
}

/// A variance that is never smaller than assumed, but larger where the observations show it. The assumed value weighs
/// as much as `kPriorDf` observations.
Component at_least(double assumed, double observed, double observed_df) {
  double const df = kPriorDf + observed_df;
  return {.variance = std::max(assumed, (kPriorDf * assumed + observed_df * observed) / df), .df = df};
}

/// Variance between cards. Cards that agree do not make it smaller than assumed: cards of one model come in kinds
/// (their defects lie in different places), and a few cards of one kind say nothing about the next kind.
Component between_cards(ByCard const& stored, double assumed_sd, double session_sd, double min_sd) {
  std::vector<double> centres;
  double session_share = 0;
  for (auto const& [card, of_card] : stored) {
    centres.push_back(centre_of(of_card, min_sd));
    session_share += session_sd * session_sd / static_cast<double>(of_card.logs.size());
  }
  double const cards = static_cast<double>(centres.size());
  double const spread = stats::sample_sd(centres).value_or(0);
  double const observed = std::max(0.0, spread * spread - session_share / cards);
  return at_least(assumed_sd * assumed_sd, observed, cards - 1);
}

/// Variance between occasions on one card: reboots, driver reloads, neighbours, other days.
Component between_occasions(ByCard const& stored, double assumed_sd, double session_sd) {
  double squares = 0, df = 0, session_share = 0;
  for (auto const& [card, of_card] : stored) {
    std::vector<double> means;
    double shares = 0;
    for (auto const& [occasion, logs] : by_occasion(of_card)) {
      means.push_back(*stats::mean(logs));
      shares += session_sd * session_sd / static_cast<double>(logs.size());
    }
    if (std::optional<double> const sd = stats::sample_sd(means)) {
      double const own_df = static_cast<double>(means.size() - 1);
      squares += *sd * *sd * own_df;
      session_share += shares / static_cast<double>(means.size()) * own_df;
      df += own_df;
    }
  }
  return at_least(assumed_sd * assumed_sd, df > 0 ? std::max(0.0, squares - session_share) / df : 0, df);
}

/// Standard deviations between cards and between occasions that are assumed for a metric.
struct Assumed {
  double card = 0, occasion = 0;
};

Assumed assumed_for(Metric metric, Policy const& policy) {
  // Time varies at least as much as the ratio does.
  return metric == Metric::cycles ? Assumed{.card = policy.cycles_card_sd, .occasion = policy.cycles_day_sd}
                                  : Assumed{.card = policy.ratio_card_sd, .occasion = policy.ratio_day_sd};
}

Comparison comparison_of(Evidence const& evidence, Metric metric, Stage stage, std::pair<double, double> const& noise,
                         Policy const& policy) {
  double const sd = noise.first, df = noise.second;
  Series const& series = *evidence.series[metric];
  std::vector<double> const& fresh = series.fresh(stage);
  Location const location = locate(series, stage, evidence.card, policy);
  Assumed const assumed = assumed_for(metric, policy);
  Component occasions = between_occasions(series.stored(stage), assumed.occasion, sd);
  occasions.variance *= location.occasion;
  Component cards = between_cards(series.stored(stage), assumed.card, sd, policy.min_sd);
  cards.variance *= location.known_card ? 0 : 1 + 1 / static_cast<double>(series.stored(stage).size());
  auto const sessions = [&](double count) {
    return Component{.variance = sd * sd * (1 / count + location.term), .df = df};
  };
  double const count = static_cast<double>(fresh.size());
  return {.change = *stats::mean(fresh) - location.centre,
          .sd = sd,
          .here = together({sessions(count), occasions}),
          .anywhere = together({sessions(count), occasions, cards}),
          .confirming = together({sessions(std::max(count, static_cast<double>(policy.confirm_sessions))), occasions}),
          .card_allowance =
              location.known_card ? 0 : stats::student_t_quantile(kCardQuantile, cards.df) * std::sqrt(cards.variance),
          .baseline_sessions = static_cast<int>(location.sessions),
          .new_sessions = static_cast<int>(fresh.size())};
}

}  // namespace

double limit_of(Evidence const& evidence, Comparison const& comparison) {
  return evidence.margin + comparison.card_allowance;
}

double detectable_change(Comparison const& comparison, double limit, double family, Policy const& policy) {
  double const alpha = policy.alpha / std::max(family, 1.0);
  return std::expm1(limit + comparison.confirming.reach(alpha) + comparison.confirming.reach(1 - kPower));
}

std::vector<std::optional<Comparison>> compare(std::vector<Evidence> const& evidence, Metric metric, Stage stage,
                                               Policy const& policy) {
  Moderation const moderation(evidence, metric, stage, policy.min_sd);
  std::vector<std::optional<Comparison>> comparisons(evidence.size());
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    std::optional<Series> const& series = evidence[i].series[metric];
    if (!series || series->fresh(stage).empty()) {
      continue;
    }
    if (auto const noise = moderation.sd_and_df(pooled(*series, stage))) {
      comparisons[i] = comparison_of(evidence[i], metric, stage, *noise, policy);
    }
  }
  return comparisons;
}

}  // namespace perfcheck::gate
