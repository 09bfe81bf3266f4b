// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What differs in what a case launched.
#pragma once

#include "difference_list.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"

#include <vector>

namespace perfcheck::gate {

/// Of the last of `fresh`, which must hold one, to the baseline's last session; as far as only all sessions together
/// tell, of all.
void compare_launches(model::BaselineCase const& stored, std::vector<model::CaseResult const*> const& fresh,
                      DifferenceList& list);

}  // namespace perfcheck::gate
