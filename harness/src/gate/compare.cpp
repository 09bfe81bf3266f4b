// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "compare.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perfcheck::gate {
namespace {

// The assumed spread from card to card weighs as much as four observed differences between cards, so that a case which
// does differ is learned.
constexpr double kCardPriorDf = 4;
// Two-sided 95 %: how far the next card may be off.
constexpr double kCardQuantile = 0.975;
// Of a change that is called detectable.
constexpr double kPower = 0.8;

double mean_of(std::vector<double> const& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Variance within groups that each have a mean of their own.
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

Pooled pooled(Series const& series, Stage stage) {
  Pooled result;
  for (auto const& [card, logs] : series.stored(stage)) {
    result.add(logs);
  }
  result.add(series.fresh(stage));
  return result;
}

/// Variances of all cases, each drawn towards what is usual (Smyth 2004).
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
      df = std::min(prior_->df + own.df, total_df_);  // no more than all cases together hold
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

/// Where the baseline lies for a card, and how well that is known.
struct Location {
  double centre = 0;
  double term = 0;  ///< variance of the centre over the variance of a session
  std::size_t sessions = 0;
  bool known_card = false;
};

using ByCard = std::map<std::string, std::vector<double>>;

Location locate(ByCard const& stored, std::string const& card, Policy const& policy) {
  if (auto const own = stored.find(card);
      own != stored.end() && own->second.size() >= static_cast<std::size_t>(policy.min_baseline_sessions)) {
    double const sessions = static_cast<double>(own->second.size());
    return {.centre = mean_of(own->second), .term = 1 / sessions, .sessions = own->second.size(), .known_card = true};
  }
  // Cards count equally, however many sessions each has.
  Location result;
  double const cards = static_cast<double>(stored.size());
  for (auto const& [name, logs] : stored) {
    result.centre += mean_of(logs) / cards;
    result.term += 1 / (static_cast<double>(logs.size()) * cards * cards);
    result.sessions += logs.size();
  }
  return result;
}

double card_allowance(ByCard const& stored, double assumed_sd, double session_sd) {
  std::vector<double> means;
  double session_share = 0;
  for (auto const& [card, logs] : stored) {
    means.push_back(mean_of(logs));
    session_share += session_sd * session_sd / static_cast<double>(logs.size());
  }
  double const cards = static_cast<double>(means.size());
  double const spread = stats::sample_sd(means).value_or(0);
  double const observed = std::max(0.0, spread * spread - session_share / cards);
  double const observed_df = cards - 1;
  double const df = kCardPriorDf + observed_df;
  // Cards that agree do not make the spread smaller than assumed: cards of one model come in kinds (their defects lie
  // in different places), and a few of one kind say nothing about the next kind.
  double const assumed = assumed_sd * assumed_sd;
  double const variance = std::max(assumed, (kCardPriorDf * assumed + observed_df * observed) / df);
  return stats::student_t_quantile(kCardQuantile, df) * std::sqrt(variance * (1 + 1 / cards));
}

}  // namespace

double Comparison::quantile(double p) const { return stats::student_t_quantile(p, df); }

double Comparison::p_above(double limit, int direction) const {
  return stats::student_t_cdf(-(direction * change - limit) / se, df);
}

double limit_of(Evidence const& evidence, Comparison const& comparison) {
  return evidence.margin + comparison.card_allowance;
}

double detectable_change(Comparison const& comparison, double limit, std::size_t family, Policy const& policy) {
  double const sessions = std::max(comparison.new_sessions, policy.confirm_sessions);
  double const se = comparison.sd * std::sqrt(1 / sessions + comparison.baseline_term);
  double const alpha = policy.alpha / static_cast<double>(std::max<std::size_t>(family, 1));
  return std::expm1(limit + (comparison.quantile(1 - alpha) + comparison.quantile(kPower)) * se);
}

std::vector<std::optional<Comparison>> compare(std::vector<Evidence> const& evidence, Metric metric, Stage stage,
                                               Policy const& policy) {
  Moderation const moderation(evidence, metric, stage, policy.min_sd);
  double const assumed_card_sd = metric == Metric::ratio ? policy.ratio_card_sd : policy.cycles_card_sd;
  std::vector<std::optional<Comparison>> comparisons(evidence.size());
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    std::optional<Series> const& series = evidence[i].series[metric];
    if (!series || series->fresh(stage).empty()) {
      continue;
    }
    auto const noise = moderation.sd_and_df(pooled(*series, stage));
    if (!noise) {
      continue;
    }
    auto const [sd, df] = *noise;
    std::vector<double> const& fresh = series->fresh(stage);
    Location const location = locate(series->stored(stage), evidence[i].card, policy);
    double const fresh_count = static_cast<double>(fresh.size());
    comparisons[i] = Comparison{
        .change = mean_of(fresh) - location.centre,
        .sd = sd,
        .se = sd * std::sqrt(1 / fresh_count + location.term),
        .df = df,
        .baseline_term = location.term,
        .card_allowance = location.known_card ? 0 : card_allowance(series->stored(stage), assumed_card_sd, sd),
        .baseline_sessions = static_cast<int>(location.sessions),
        .new_sessions = static_cast<int>(fresh.size())};
  }
  return comparisons;
}

}  // namespace perfcheck::gate
