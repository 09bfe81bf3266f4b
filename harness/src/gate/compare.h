// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From evidence to comparisons: how large the change is, and how certain. Nothing is decided here.
#pragma once

#include "evidence.h"
#include "spread.h"

namespace perfcheck::gate {

/// New sessions against stored ones, one metric of one case, log scale.
struct Comparison {
  double change = 0;
  double sd = 0;      ///< between sessions, moderated over the cases
  Spread here;        ///< of the change on this card: sessions and occasions
  Spread anywhere;    ///< the same plus what cards of one model differ by; equal to `here` on a known card
  Spread confirming;  ///< `here`, with at least as many new sessions as the policy's confirmation has
  /// How much a card that the baseline does not know may differ without any change of code; 0 on a known card.
  double card_allowance = 0;
  int baseline_sessions = 0;
  int new_sessions = 0;

  bool on_known_card() const { return card_allowance <= 0; }
  double low(double alpha) const { return change - anywhere.reach(alpha); }
  double high(double alpha) const { return change + anywhere.reach(alpha); }
  /// P-value of "the change, taken in `direction` (+1 slower, -1 faster), is no larger than `limit`", on the card that
  /// was measured.
  double p_above(double limit, int direction) const { return here.p_above(direction * change - limit); }
  /// The same for any card of the model, of which the measured one is a sample.
  double p_above_anywhere(double limit, int direction) const { return anywhere.p_above(direction * change - limit); }
};

/// The limit that a change must exceed, log scale: the margin plus the allowance for an unknown card.
double limit_of(Evidence const& evidence, Comparison const& comparison);

/// Smallest change, as a share, that confirmation with the policy's sessions would have called significant four times
/// out of five, as one of `family` cases.
double detectable_change(Comparison const& comparison, double limit, double family, Policy const& policy);

/// Compares every case that has the metric and data of that stage; entry i belongs to evidence[i].
std::vector<std::optional<Comparison>> compare(std::vector<Evidence> const& evidence, Metric metric, Stage stage,
                                               Policy const& policy);

}  // namespace perfcheck::gate
