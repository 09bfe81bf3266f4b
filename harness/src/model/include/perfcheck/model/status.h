// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The closed sets of outcomes. Text, exit code and meaning of each value live in one table in status.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::model {

/// What happened to one case in one session.
enum class CaseStatus {
  measured,     ///< verified and timed
  incorrect,    ///< a check failed; there is no time
  implausible,  ///< timed, but faster than the device can possibly be; the time is withheld
  invalid,  ///< the measurement was not what it claimed to be (clocks disagree, unknown work in the recording); no time
  crashed,  ///< the worker died or its device context was lost while this case ran
  timed_out,  ///< the case exceeded its time limit and the worker was killed
  failed,     ///< the kernel or the harness reported an error and the worker lived on
  skipped,    ///< not run on purpose; the reason says why
};

/// Why a case was skipped.
enum class SkipReason {
  not_built,     ///< the build left its architecture out
  architecture,  ///< the device cannot run it
  refused,       ///< the kernel refuses the problem (shape, alignment, layout)
  suite_rule,    ///< a rule of the suite leaves it out, e.g. too slow for this size
  verify_only,   ///< verified and not timed, as asked
};

/// The decision about one case.
enum class Verdict {
  pass,
  improved,
  regressed,
  inconclusive,  ///< the evidence does not suffice either way
  no_baseline,   ///< never accepted on this device
  missing,       ///< in the baseline, but did not run
  incorrect,
  implausible,  ///< faster than the device can possibly be
  crashed,
  timed_out,
  failed,
  invalid,       ///< the numbers cannot be used: empty, NaN, not positive, or the measurement was interfered with
  incomparable,  ///< baseline and run differ in something that forbids comparing (reference, schema of the metric)
  skipped,
};

/// Process exit codes, as users and CI see them.
enum class ExitCode {
  ok = 0,
  regressed = 1,
  broken = 2,
  undecided = 3,
  usage = 64,
  io_error = 74,
  interrupted = 130,
};

std::string_view to_text(CaseStatus status);
std::string_view to_text(SkipReason reason);
std::string_view to_text(Verdict verdict);
std::optional<CaseStatus> case_status_from_text(std::string_view text);
std::optional<SkipReason> skip_reason_from_text(std::string_view text);
std::optional<Verdict> verdict_from_text(std::string_view text);
/// All texts in the order of the enum, for readers and help.
std::vector<std::string> case_status_texts();
std::vector<std::string> skip_reason_texts();
std::vector<std::string> verdict_texts();

/// The exit code that one case with this verdict asks for.
ExitCode exit_code_of(Verdict verdict);
/// The more serious of two codes: broken over regressed over undecided over ok. (A wrong result outranks a slow one.)
ExitCode worse(ExitCode a, ExitCode b);

}  // namespace perfcheck::model
