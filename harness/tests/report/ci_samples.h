// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Check results for the tests of the result writers.
#pragma once

#include "perfcheck/report/check_result.h"

#include <string>
#include <vector>

namespace perfcheck::report::samples {

/// A case of a kernel, its verdict, and the change of its time against the baseline.
struct Outcome {
  std::string kernel, problem;
  model::Verdict verdict = model::Verdict::pass;
  double change = 0;
};

/// A check on an H100 with these outcomes, and with rows and exit code as the command line makes them. Verdicts in
/// `demoted` do not fail.
CheckResult check_result(std::vector<Outcome> const& outcomes, std::vector<model::Verdict> const& demoted = {});

/// Two cases and a kernel are slower, one case is undecided, one faster, two skipped, the others unchanged. With
/// trends, reasons, other differences, commands, notes and an address.
CheckResult regressed_result();
CheckResult passed_result();
/// A wrong result, a crash, a missing case and a slower one.
CheckResult broken_result();
/// Every case is skipped: exit code 2, but no case failed.
CheckResult empty_result();
/// A run that was compared with nothing.
CheckResult measured_result();

/// regressed_result() with `text` in every one of its texts.
CheckResult hostile_result(std::string const& text);
/// hostile_texts(), and texts with a meaning in Markdown, GitHub, spreadsheets, shells, OpenMetrics or logs.
std::vector<std::string> hostile_ci_texts();

}  // namespace perfcheck::report::samples
