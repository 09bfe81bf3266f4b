// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Made-up baselines, in which nothing is wrong until a test changes something.
#pragma once

#include "perfcheck/model/baseline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perfcheck::store::testing {

struct MadeUpBaseline {
  int cases = 40;               ///< kernel cases; each five come with one more, a library's, which is its own control
  int cards = 1;                ///< the sessions of each card are accepted separately
  int sessions = 8;             ///< of each card
  double noise = 0.0008;        ///< standard deviation of log cycles between sessions
  double ratio_noise = 0.0015;  ///< likewise of log ratios
  double card_sd = 0;           ///< the same of cycles between cards; twice as much for ratios
  double clock_sd = 0.003;      ///< between sessions, of all times
  std::uint64_t seed = 1;
};
model::Baseline made_up_baseline(MadeUpBaseline const& what);

/// Multiplies times, ratio and cycles of one session of a case.
void slow(model::Baseline& baseline, std::string const& case_id, std::string const& session, double factor);
/// The same in every case, or in the first `count` cases.
void slow_all(model::Baseline& baseline, std::string const& session, double factor, std::size_t count = SIZE_MAX);

/// Ids of the cases of kernels and of the library.
std::string kernel_case(int number);
std::string library_case(int number);

}  // namespace perfcheck::store::testing
