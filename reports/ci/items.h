// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a result says about each case, and about each kernel as a whole, as all formats tell it.
#pragma once

#include "perfcheck/report/check_result.h"

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::report::ci {

/// In the order of a reader's interest.
enum class Standing { regressed, broken, undecided, improved, fine, skipped };

/// A case, or all cases of a kernel together. Points into the result that it is of.
struct Item {
  std::string id;  ///< of the case or the kernel
  std::string kernel, problem;
  std::string outcome;
  std::string reason;
  Standing standing = Standing::fine;
  bool failed = false;  ///< it alone would make the command fail
  bool is_kernel = false;
  CaseRow const* row = nullptr;                  ///< null for a kernel
  gate::CaseDecision const* decision = nullptr;  ///< null where nothing was compared
  model::KernelEntry const* entry = nullptr;     ///< null for a kernel that the worker does not list

  std::optional<gate::Witness> change() const;
  /// "needs a look": everything but what passed and what was not run on purpose.
  bool stands_out() const { return standing < Standing::fine; }
};

/// Kernels that stand out in front of the cases of their standing, cases in the order of the rows. An item fails only
/// where the command does: its exit code is the truth.
std::vector<Item> items_of(CheckResult const& result);

/// What made the command fail although no item did, "no case was measured; ...": a sentence, or empty.
std::string failure_of_the_whole(CheckResult const& result, std::vector<Item> const& items);

/// "2 of 181 cases regressed on NVIDIA H100 80GB HBM3: 1 inconclusive, 3 improved", the device as it came.
std::string headline(CheckResult const& result, std::vector<Item> const& items);

/// Name of the device, or what the result is called where no session ran.
std::string device_of(CheckResult const& result);

/// The median time before the change that the time witness saw; absent without one.
std::optional<double> time_before(Item const& item);

/// Figures of one metric with the confidence limits of its change: what the baseline's value becomes under each.
struct Limits {
  double low = 0, high = 0;
};
std::optional<Limits> time_limits(Item const& item);

/// Texts of `outcome` for a person: "no baseline".
std::string words_of(std::string outcome);

/// The command that measures this case again; empty when there is none.
std::string repro_of(CheckResult const& result, std::string const& case_id);

/// A number with so many significant digits and no needless zeros; empty when it is absent or not finite.
std::string digits(std::optional<double> value, int significant);

}  // namespace perfcheck::report::ci
