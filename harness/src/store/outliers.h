// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/store/audit.h"

namespace perfcheck::store {

/// Sessions that are off, each with its cases; one that is off in many cases is one finding.
std::vector<Finding> find_outliers(model::Baseline const& baseline, AuditPolicy const& policy);

}  // namespace perfcheck::store
