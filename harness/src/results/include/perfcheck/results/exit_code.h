// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run that nothing was compared with ends with.
#pragma once

#include "perfcheck/model/run.h"

namespace perfcheck::results {

/// The worst status of a run: 0 when every case was measured, verified or skipped for a reason of its own, 3 when the
/// machine was not fit to measure one.
model::ExitCode exit_code_of(model::Run const& run);

}  // namespace perfcheck::results
