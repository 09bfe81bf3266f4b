// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// All cases of a run together: one family of hypotheses, one machine.
#pragma once

#include "judge.h"

namespace perfcheck::gate {

struct Judged {
  std::vector<CaseDecision> cases;    ///< entry i belongs to evidence[i]
  std::vector<CaseDecision> kernels;  ///< sorted by kernel
  /// By card, why the card or its machine is taken to have changed; only cards that have.
  std::map<std::string, std::string> environment;
};

/// Verdicts on cases that both sides measured and that can be compared, and on the kernels that they belong to.
Judged judge_all(std::vector<Evidence> const& evidence, Look look, Policy const& policy);

}  // namespace perfcheck::gate
