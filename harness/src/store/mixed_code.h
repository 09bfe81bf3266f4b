// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/store/audit.h"

#include <map>
#include <string>
#include <vector>

namespace perfcheck::store {

/// Watches sessions join cases, and tells which have other machine code, or launched something else, than those before.
/// What cannot be read does not count as different; and a library of another version may choose other kernels of its
/// own.
class MixedCode {
 public:
  /// To be called before the last session of `baseline` joins `entry`, one of its cases.
  void see(model::Baseline const& baseline, model::BaselineCase const& entry, model::CaseResult const& result);

  /// One for each session that differs somewhere; `baseline` is what they joined.
  std::vector<Finding> findings(model::Baseline const& baseline) const;

 private:
  struct Known {
    std::string machine_code, launches;
    std::string environment;  ///< versions of driver and libraries that it was launched with
  };
  struct Differing {
    std::vector<std::string> code, launches;  ///< cases
    std::size_t seen = 0;
  };
  std::map<std::string, Known> known_;          ///< by case
  std::map<std::string, Differing> differing_;  ///< by session
};

}  // namespace perfcheck::store
