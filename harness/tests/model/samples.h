// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs and baselines for tests: complete ones made by hand, arbitrary ones made from a seed.
#pragma once

#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"
#include "perfcheck/model/sealed.h"
#include "perfcheck/model/tuning.h"

#include <random>

namespace perfcheck::model::samples {

/// A measured case with the given columns; with an empty `reference` it is its own control.
CaseResult measured_case(std::string const& id, std::string const& reference, std::vector<double> time_ns,
                         std::vector<double> reference_time_ns, std::vector<double> clock_mhz = {});
CaseResult unmeasured_case(std::string const& id, CaseStatus status);

/// Two sessions with every status; every optional member is present somewhere and absent elsewhere.
Run complete_run();
Baseline complete_baseline();

/// A run that another program measured: cases without verification and reference, some with a clock, some without,
/// failed and skipped ones.
Run imported_run();

/// One problem, one kernel with two points and one without; every optional member is present somewhere and absent
/// elsewhere.
Tuning complete_tuning();

/// A judge's times of a case and its reference, and a judge's refusal.
SealedResult sealed_result();
SealedResult sealed_refusal();

/// A small valid run: one session, one case.
Run small_run();

/// Valid values drawn at random: long and odd texts, extreme numbers, members present or absent.
Run arbitrary_run(std::mt19937_64& random);
Baseline arbitrary_baseline(std::mt19937_64& random);

}  // namespace perfcheck::model::samples
