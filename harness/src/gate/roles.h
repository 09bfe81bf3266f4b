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

}  // namespace perfcheck::gate
