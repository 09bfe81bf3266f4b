// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The precedence test (Nelson 1963): how many values of one sample are smaller than all of the other. It only looks at
// the smallest values, so any number of large outliers does no harm.
#pragma once

#include <optional>

namespace perfcheck::stats {

/// Chance that at least the `count` smallest of all values belong to the sample of `size`, if it and the other one, of
/// `other_size`, come from the same distribution. 1 for a count of 0; 0 for a count above `size`.
double precedence_p(int count, int size, int other_size);

/// The smallest count whose chance is at most `alpha`. Empty where no count is rare enough: there are too few values.
std::optional<int> precedence_count(int size, int other_size, double alpha);

}  // namespace perfcheck::stats
