// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs and baselines for tests: complete ones by hand, arbitrary ones by seed.
#pragma once

#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"
#include "perfcheck/model/sealed.h"
#include "perfcheck/model/tuning.h"

#include <random>

namespace perfcheck::model::samples {

/// A measured case with the given columns; `reference` empty makes it its own control.
CaseResult measured_case(std::string const& id, std::string const& reference, std::vector<double> time_ns,
                         std::vector<double> reference_time_ns, std::vector<double> clock_mhz = {});
CaseResult unmeasured_case(std::string const& id, CaseStatus status);

/// Two sessions, every status, every optional member present somewhere and absent elsewhere.
Run complete_run();
Baseline complete_baseline();

/// What another program measured: cases without verification and reference, with and without a clock, failed, skipped.
Run imported_run();

/// One problem, one kernel with two points and one without; every optional member present and absent.
Tuning complete_tuning();

/// A judge's time beside a reference, and what it says of a case without one.
SealedResult sealed_result();
SealedResult sealed_refusal();

/// A small valid run: one session, one case.
Run small_run();

/// Valid values drawn from the generator: long and odd texts, extreme numbers, members present or absent.
Run arbitrary_run(std::mt19937_64& random);
Baseline arbitrary_baseline(std::mt19937_64& random);

}  // namespace perfcheck::model::samples
