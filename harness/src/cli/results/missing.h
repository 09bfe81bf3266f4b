// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Why cases are missing, in words that say what to do; and what is missing without being a case.
#pragma once

#include "measuring/asked.h"
#include "perfcheck/gate/gate.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace perfcheck::cli {

/// Where cases should have been: what a worker offers now, or what a run file holds.
enum class Source { worker, run };

/// Gives missing cases whose whole problem is missing a reason that says so. `there` holds the problems of which there
/// are cases.
void explain_missing(gate::Decisions& decisions, Asked const& asked, std::set<std::string> const& there, Source source);

/// Problems without a case and without a baseline: a note, and exit code 2.
void tell_lacking(gate::Decisions& decisions, Asked const& asked, Lacking const& lacking, Source source);

/// A case of which sessions lack results.
struct Cut {
  std::string why;
  bool may_be_clear = false;  ///< one confirming session alone has it, which may be all that a case needed that passes
};
/// By id, why: cases that a session measured and another one of its purpose in the same file did not. All of them
/// measure the same cases, so something took results out of the file; only what is clear after the first few of the
/// confirming sessions is in no later one (confirm()). What an unfit machine spoilt is measured again one by one, so
/// cases that have such a result are left aside.
using CutCases = std::map<std::string, Cut>;
CutCases cut_cases(model::Run const& file);
CutCases cut_cases(std::vector<model::Run> const& files);

/// Makes them missing, unless they are decided worse.
void tell_cut(gate::Decisions& decisions, CutCases const& cut);

/// Where the run says that it measured less than was asked for: what to say if that was on purpose. `scope` holds the
/// cases that had to run.
std::vector<std::string> notes_on_less(model::Run const& run, std::set<std::string> const& scope);

}  // namespace perfcheck::cli
