// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/stats/precedence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace perfcheck::stats {
namespace {

/// The share of all orders of `size` ones and `other_size` zeros that begin with `count` ones, by enumeration.
double share_of_orders(int count, int size, int other_size) {
  std::vector<int> order(static_cast<std::size_t>(other_size), 0);
  order.insert(order.end(), static_cast<std::size_t>(size), 1);
  double all = 0, hits = 0;
  do {
    ++all;
    hits += std::all_of(order.begin(), order.begin() + count, [](int one) { return one == 1; }) ? 1 : 0;
  } while (std::next_permutation(order.begin(), order.end()));
  return hits / all;
}

TEST(Precedence, IsTheShareOfOrdersThatBeginLikeThat) {
  for (int size = 1; size <= 5; ++size) {
    for (int other = 1; other <= 5; ++other) {
      for (int count = 0; count <= size; ++count) {
        EXPECT_NEAR(precedence_p(count, size, other), share_of_orders(count, size, other), 1e-12)
            << count << " of " << size << " before " << other;
      }
    }
  }
}

TEST(Precedence, MoreThanThereAreIsImpossible) { EXPECT_EQ(precedence_p(4, 3, 3), 0); }

TEST(Precedence, TheCountIsTheFirstThatIsRareEnough) {
  // 8 of 8 before 8: 1 in 12870; 7: 8 in 11440, 6: 28 in 8008 ...
  EXPECT_EQ(precedence_count(8, 8, 0.05), 4);
  EXPECT_EQ(precedence_count(8, 8, 0.001), 7);
  EXPECT_EQ(precedence_count(8, 8, 0.0001), 8);
  for (double const alpha : {0.2, 0.05, 0.01, 0.001}) {
    int const count = precedence_count(8, 8, alpha).value();
    EXPECT_LE(precedence_p(count, 8, 8), alpha);
    EXPECT_GT(precedence_p(count - 1, 8, 8), alpha);
  }
}

TEST(Precedence, TooFewValuesAreNeverRareEnough) {
  EXPECT_EQ(precedence_count(2, 2, 0.05), std::nullopt);
  EXPECT_EQ(precedence_count(0, 5, 0.5), std::nullopt);
  EXPECT_EQ(precedence_count(5, 0, 0.5), std::nullopt) << "without other values, no count is significant";
}

}  // namespace
}  // namespace perfcheck::stats
