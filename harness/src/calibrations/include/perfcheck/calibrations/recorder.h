// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures what a calibration needs.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/measuring/options.h"

#include <string>
#include <vector>

namespace perfcheck::calibrations {

/// Sessions without slowdown that a calibration compares with.
inline constexpr int kBaselineSessions = 8;

struct RecordingOptions {
  measuring::Options measuring;                    ///< its time budget limits the sessions that are started
  std::string data;                                ///< folder of the recordings
  std::string label;                               ///< goes into the names of the blocks
  std::vector<double> slowdowns{0.5, 1, 2, 3, 5};  ///< percent
  int sessions = kBaselineSessions;                ///< without slowdown
  int blocks = 3;                                  ///< to measure now
};

/// Measures the sessions to compare with and then the blocks, one session at a time. Each session is on disk before the
/// next one starts, and what an earlier call began is completed first. Throws CommandError if a case is wrong or
/// failed, or if the folder holds recordings of another suite, worker or filter.
void record(RecordingOptions const& options, Context& context);

}  // namespace perfcheck::calibrations
