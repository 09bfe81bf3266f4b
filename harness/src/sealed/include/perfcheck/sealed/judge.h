// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The trusted side of sealed timing (docs/sealed.md): owns secrets, outputs and the clock, and holds no kernel but its
// own reference.
#pragma once

#include "perfcheck/model/sealed.h"
#include "perfcheck/worker/worker.h"

#include <functional>
#include <string>

namespace perfcheck::sealed {

struct JudgeOptions {
  std::string program;  ///< path of the worker that holds the kernel
  std::string case_id;
  int device = 0;
  int batches = 1;  ///< of the kernel, and of its reference
};

/// Whatever happens to the kernel's process becomes part of the result. `own_program` is the judge's own path, which it
/// starts again for the reference. `report` gets progress lines for a person.
model::SealedResult judge_case(worker::WorkerSetup& setup, std::string const& own_program, JudgeOptions const& options,
                               std::function<void(std::string const&)> const& report);

/// The judge as a program: reads arguments, prints one line of JSON (perfcheck.sealed/1). Returns the exit code.
int judge_main(int argc, char** argv, worker::WorkerSetup setup);

}  // namespace perfcheck::sealed
