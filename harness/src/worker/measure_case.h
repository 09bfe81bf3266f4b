// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One case from verification to rounds.
#pragma once

#include "perfcheck/protocol/messages.h"
#include "perfcheck/worker/operation.h"

#include <functional>
#include <map>
#include <string>

namespace perfcheck::worker {

/// A kernel on a problem.
struct Subject {
  KernelInfo const* kernel = nullptr;
  Problem* problem = nullptr;
  std::string case_id;
};

/// What this process has found out so far, by case id: a reference is verified, and the length of its replays is
/// determined, only once, however many cases use it.
struct KnownCases {
  std::map<std::string, model::Verification> verified;
  std::map<std::string, int> launches;  ///< of a replay
};

struct MeasuredCase {
  model::CaseResult result;
  bool context_lost = false;
  /// The case has no time, and may get one in a process that measured nothing before: a kernel of an earlier case may
  /// have kept memory for itself, and a library with two levels of speed may be at either one, from process to process.
  bool wants_fresh_process = false;
};

/// Launches of a replay: as many as last for `target_ns`, at least one; up to twice as many where fewer would leave
/// some of the first kPlaces sets of buffers unused. Never more than there are sets: each launch has inputs and an
/// output of its own, or a second launch on the same ones could be left out.
int launches_for(double target_ns, double launch_ns, int sets);

/// Whether the device is lost, after a failure that did not say so.
bool device_lost(device::Backend& backend);
/// Restores settings of the device that a case that ended early left changed, so that this is not held against the next
/// one. False when there were any.
bool put_settings_back(device::Backend& backend);

/// Verifies and times `subject` against `reference` (the same subject for a control). Device errors become statuses;
/// only defects of the worker itself throw.
MeasuredCase measure_case(device::Backend& backend, Subject const& subject, Subject const& reference,
                          protocol::MeasureOptions const& options, KnownCases& known,
                          std::function<void(char const* phase)> const& report);

}  // namespace perfcheck::worker
