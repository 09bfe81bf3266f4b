// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a result says about each case and about each kernel as a whole; shared by all formats.
#pragma once

#include "perfcheck/report/check_result.h"

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::report::ci {

/// Ordered by how much they interest a reader.
enum class Standing { regressed, broken, undecided, improved, fine, skipped };

/// A case, or all cases of a kernel together. Points into its result.
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
  /// Whether it needs a look: everything does that neither passed nor was skipped on purpose.
  bool stands_out() const { return standing < Standing::fine; }
};

/// Kernels that stand out come before the cases of the same standing; cases keep the order of the rows. An item fails
/// only where the command fails: the exit code decides.
std::vector<Item> items_of(CheckResult const& result);

/// Why the command failed although no item did, as in "no case was measured; ...". Empty if there is no such reason.
std::string failure_of_the_whole(CheckResult const& result, std::vector<Item> const& items);

/// "2 of 181 cases regressed on NVIDIA H100 80GB HBM3: 1 inconclusive, 3 improved". The device's name is not escaped.
std::string headline(CheckResult const& result, std::vector<Item> const& items);

/// Name of the device, or the name of the result where no session ran.
std::string device_of(CheckResult const& result);

/// The median time before the change that the time witness saw; absent without one.
std::optional<double> time_before(Item const& item);

/// Figures of one metric with the confidence limits of its change: the baseline's value multiplied by each.
struct Limits {
  double low = 0, high = 0;
};
std::optional<Limits> time_limits(Item const& item);

/// The text of an `outcome` for a person: "no baseline".
std::string words_of(std::string outcome);

/// The command that measures this case again; empty when there is none.
std::string repro_of(CheckResult const& result, std::string const& case_id);

/// A number with this many significant digits and no trailing zeros; empty when it is absent or not finite.
std::string digits(std::optional<double> value, int significant);

}  // namespace perfcheck::report::ci
