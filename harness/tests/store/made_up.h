// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Baselines of made-up sessions, in which nothing is wrong until a test changes that.
#pragma once

#include "perfcheck/model/baseline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perfcheck::store::testing {

struct MadeUpBaseline {
  int cases = 40;               ///< beside one library case in five, which is its own control
  int cards = 1;                ///< each accepted on its own
  int sessions = 8;             ///< of each card
  double noise = 0.0008;        ///< standard deviation of log cycles between sessions
  double ratio_noise = 0.0015;  ///< likewise of log ratios
  double card_sd = 0;           ///< between cards, of cycles; twice that of ratios
  double clock_sd = 0.003;      ///< between sessions, of all times
  std::uint64_t seed = 1;
};
model::Baseline made_up_baseline(MadeUpBaseline const& what);

/// Multiplies times, ratio and cycles of one session of a case.
void slow(model::Baseline& baseline, std::string const& case_id, std::string const& session, double factor);
/// The same in every case, or in the first `count` of them.
void slow_all(model::Baseline& baseline, std::string const& session, double factor, std::size_t count = SIZE_MAX);

/// Ids of the kernels' and of the library's cases.
std::string kernel_case(int number);
std::string library_case(int number);

}  // namespace perfcheck::store::testing
