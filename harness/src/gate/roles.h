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
/// the sharper of the two, unless others share the device. That follows from the baseline's sessions and from whether
/// it knows the card; how the new numbers came out plays no part, so nobody can pick the witness that says what he
/// likes.
Roles roles_of(Evidence const& evidence, PerMetric<Comparison> const& stage, Policy const& policy);

/// On a shared device, where a ratio decides: by how much its reference costs more than in the baseline (log scale), in
/// cycles or, without a clock, in time, if that is beyond what is tolerated. Neighbours were there then, and they slow
/// a case and its reference by different shares: one that cost OpenBLAS 25 % cost a blocked loop 110 %
/// (docs/how-the-gate-decides.md). Such a ratio says nothing, whichever way it went.
std::optional<double> disturbance_of(PerMetric<Comparison> const& stage, Metric primary, Policy const& policy);

}  // namespace perfcheck::gate
