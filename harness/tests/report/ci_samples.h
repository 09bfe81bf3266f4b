// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Results for the tests of the result writers.
#pragma once

#include "perfcheck/report/check_result.h"

#include <string>
#include <vector>

namespace perfcheck::report::samples {

/// A case of the kernel, its verdict, its time against the baseline's.
struct Outcome {
  std::string kernel, problem;
  model::Verdict verdict = model::Verdict::pass;
  double change = 0;
};

/// A check on an H100 with these outcomes, rows and exit code as the command line makes them. Verdicts in `demoted`
/// do not fail.
CheckResult check_result(std::vector<Outcome> const& outcomes, std::vector<model::Verdict> const& demoted = {});

/// Two cases and a kernel slower, one undecided, one faster, two skipped, the others as they were; with trends,
/// reasons, what else changed, commands, notes, an address.
CheckResult regressed_result();
CheckResult passed_result();
/// A wrong result, a crash, a case that is gone, one that is slower.
CheckResult broken_result();
/// Every case skipped: exit code 2, and no case that failed.
CheckResult empty_result();
/// A run that nothing was compared with.
CheckResult measured_result();

/// regressed_result with the text in every text of it.
CheckResult hostile_result(std::string const& text);
/// hostile_texts(), and what means something to Markdown, GitHub, spreadsheets, shells, OpenMetrics or a log.
std::vector<std::string> hostile_ci_texts();

}  // namespace perfcheck::report::samples
