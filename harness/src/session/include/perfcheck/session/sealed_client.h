// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks a judge how long a launch of a case takes (docs/sealed.md). The judge holds outputs and clock in a process of
// its own; the kernels' process has neither.
#pragma once

#include "perfcheck/model/sealed.h"
#include "perfcheck/session/interrupt.h"

#include <string>

namespace perfcheck::session {

/// Batches of a case that a judge times by default. Their median is what counts.
inline constexpr int kUsualBatches = 24;

/// How to start a judge.
struct SealedCommand {
  std::string judge;    ///< its program
  std::string program;  ///< of the worker that holds the kernels
  int device = 0;       ///< index of the device, as the driver counts
  int batches = kUsualBatches;
};

/// Runs the judge once, for one case. Unless the judge prints one well-formed line about this case and exits with 0 in
/// time, the result is `failed`, with what happened and the judge's last words. Throws Interrupted.
model::SealedResult time_sealed(SealedCommand const& command, std::string const& case_id, double timeout_s,
                                Interrupt const* interrupt);

}  // namespace perfcheck::session
