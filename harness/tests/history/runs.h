// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs that can be made again from their number, to compare them with what a history returns.
#pragma once

#include "samples.h"

#include <fmt/format.h>

#include <string>

namespace perfcheck::history::testing {

/// "w03-r0017"
inline std::string run_id(int writer, int index) { return fmt::format("w{:02}-r{:04}", writer, index); }

/// The same run for the same numbers. All writers measure the same cases, so they all compete for the same rows.
inline model::Run numbered_run(int writer, int index) {
  model::Run run = sample_run(1 + writer * 1000 + index);
  run.id = run_id(writer, index);
  return run;
}

}  // namespace perfcheck::history::testing
