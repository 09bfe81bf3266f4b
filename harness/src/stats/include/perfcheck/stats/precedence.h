// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The precedence test (Nelson 1963): how many values of one sample are smaller than all of the other. It looks at the
// smallest values alone, so it bears any number of large ones.
#pragma once

#include <optional>

namespace perfcheck::stats {

/// Chance that at least the `count` smallest of all values are of the sample of `size`, if both samples, the other of
/// `other_size`, are of the same distribution. 1 for a count of 0; 0 for one that is more than there are.
double precedence_p(int count, int size, int other_size);

/// The smallest count whose chance is at most `alpha`. Empty where no count is rare enough: there are too few values.
std::optional<int> precedence_count(int size, int other_size, double alpha);

}  // namespace perfcheck::stats
