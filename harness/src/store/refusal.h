// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/store/store.h"

#include <vector>

namespace perfcheck::store {

/// Throws Refused for what the audit finds about the sessions of the newest acceptance, and for `findings`, which are
/// about them, too, unless `options.despite` gives a reason: that goes on record in the acceptance. What is odd about
/// earlier sessions is no reason to refuse new ones.
void refuse_what_is_odd(model::Baseline& baseline, std::vector<Finding> findings, AcceptOptions const& options);

}  // namespace perfcheck::store
