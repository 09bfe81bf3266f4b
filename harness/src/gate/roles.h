// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which witness of a case decides, and which may contradict it.
#pragma once

#include "compare.h"

namespace perfcheck::gate {

char const* name_of(Metric metric);

struct Roles {
  Metric primary = Metric::ratio;   ///< convicts
  std::optional<Metric> secondary;  ///< may contradict
};

/// The roles for a case that can be compared. Where both ratio and cycles are known, cycles decide if they are clearly
/// the sharper of the two, unless others share the device. Which is sharper follows from the baseline's sessions and
/// from whether the baseline knows the card, not from whether the new numbers are high or low, so nobody can pick the
/// witness that suits him.
Roles roles_of(Evidence const& evidence, PerMetric<Comparison> const& stage, Policy const& policy);

/// On a shared device, where the ratio decides: how much more (or less) its reference costs than in the baseline (log
/// scale), in cycles or, without a clock, in time; empty if that is within `reference_tolerance`. Beyond it, neighbours
/// were active, and they slow a case and its reference by different shares: one that cost OpenBLAS 25 % cost a blocked
/// loop 110 % (docs/how-the-gate-decides.md). Then the ratio says nothing, whichever way it went.
std::optional<double> disturbance_of(PerMetric<Comparison> const& stage, Metric primary, Policy const& policy);

}  // namespace perfcheck::gate
