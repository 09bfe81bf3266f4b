// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/slowdowns.h"

#include <algorithm>
#include <random>
#include <stdexcept>

namespace perfcheck::calibrate {

std::map<std::string, double> draw_slowdowns(std::vector<std::string> case_ids, std::vector<double> const& percents,
                                             double share, uint64_t seed) {
  if (percents.empty() || !(share >= 0 && share <= 1)) {
    throw std::invalid_argument("slowdowns to draw need sizes and a share between 0 and 1");
  }
  std::sort(case_ids.begin(), case_ids.end());
  auto const wanted = static_cast<std::size_t>(share * static_cast<double>(case_ids.size()));
  std::size_t const count = std::min(case_ids.size(), std::max<std::size_t>(wanted, 1));
  std::mt19937_64 engine(seed);
  std::map<std::string, double> drawn;
  for (std::size_t i = 0; i < count; ++i) {
    // As std::sample would, but with the engine's numbers taken as they are: the same draw in every standard library.
    std::swap(case_ids[i], case_ids[i + engine() % (case_ids.size() - i)]);
    drawn[case_ids[i]] = percents[i % percents.size()];
  }
  return drawn;
}

}  // namespace perfcheck::calibrate
