// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which results of a worker perfcheck believes. The worker holds the kernels, so they may fool it.
#pragma once

#include "perfcheck/model/physics.h"

namespace perfcheck::session {

/// Why the launches that a result reports cannot have taken place while perfcheck waited for it; empty if they can.
std::optional<model::Disbelief> longer_than_waited(model::CaseResult const& result, double waited_s);

/// Why a result's proof is too weak: it counts fewer replays than have times, or fewer than one in four was compared.
/// Empty if it is not.
std::optional<model::Disbelief> proves_too_little(model::CaseResult const& result);

/// Removes the times from a measured result and gives it this status and message.
void withhold(model::CaseResult& result, model::CaseStatus status, std::string message);

/// Removes the times from a measured result that cannot be true: by physics, by perfcheck's own clock, or by its proof.
/// The first reason found becomes its message. `kernels` are those of the worker's hello.
void withhold_unbelievable(model::CaseResult& result, model::DeviceInfo const& device,
                           std::vector<model::KernelEntry> const& kernels, double waited_s);

}  // namespace perfcheck::session
