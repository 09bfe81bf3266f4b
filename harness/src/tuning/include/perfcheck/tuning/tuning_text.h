// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The results of tuning, for people and machines.
#pragma once

#include "perfcheck/tuning/tuner.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace perfcheck::tuning {

/// broken where a point is wrong or failed, undecided where problems are not complete.
model::ExitCode exit_code_of(Tuner const& tuner);
/// The fastest point of each problem, what failed, and how far tuning has come.
std::string tuning_text(Tuner const& tuner, TuningOptions const& options);
/// perfcheck.tune/1, see docs/cli.md.
nlohmann::json tuning_json(Tuner const& tuner, model::ExitCode code);
/// How to measure what is missing.
char const* what_next(TuningOptions const& options);

}  // namespace perfcheck::tuning
