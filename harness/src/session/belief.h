// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What perfcheck believes of a worker's result. The worker holds the kernels, so it may be fooled by them.
#pragma once

#include "perfcheck/model/physics.h"

namespace perfcheck::session {

/// Why the launches that a result tells of cannot have taken place while perfcheck waited for it.
std::optional<model::Disbelief> longer_than_waited(model::CaseResult const& result, double waited_s);

/// Why a result's proof proves too little: not every replay that it tells the time of is counted, or fewer than one in
/// four was compared.
std::optional<model::Disbelief> proves_too_little(model::CaseResult const& result);

/// Takes the times away from a measured result: it becomes `status` because of `message`.
void withhold(model::CaseResult& result, model::CaseStatus status, std::string message);

/// Takes the times away from a measured result that cannot be: by physics, by perfcheck's own clock, by its proof. The
/// first reason found becomes its message. `kernels` is what the worker said hello with.
void withhold_unbelievable(model::CaseResult& result, model::DeviceInfo const& device,
                           std::vector<model::KernelEntry> const& kernels, double waited_s);

}  // namespace perfcheck::session
