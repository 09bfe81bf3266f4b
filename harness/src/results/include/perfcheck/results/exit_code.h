// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The exit code of a run that was not compared with anything.
#pragma once

#include "perfcheck/model/run.h"

namespace perfcheck::results {

/// The worst status of a run: 0 if every case was measured, verified or skipped, but not all were skipped; 3 if the
/// machine was not fit to measure one; else 2.
model::ExitCode exit_code_of(model::Run const& run);

}  // namespace perfcheck::results
