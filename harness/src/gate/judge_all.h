// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// All cases of a run together: one family of hypotheses, one machine.
#pragma once

#include "evidence.h"

namespace perfcheck::gate {

struct Judged {
  std::vector<CaseDecision> cases;    ///< entry i belongs to evidence[i]
  std::vector<CaseDecision> kernels;  ///< sorted by kernel
  std::string environment;            ///< why the machine is not what it was; empty when it is
};

/// Verdicts of cases that both sides measured and that can be compared, and of the kernels that they belong to.
Judged judge_all(std::vector<Evidence> const& evidence, std::string const& card, Policy const& policy);

}  // namespace perfcheck::gate
