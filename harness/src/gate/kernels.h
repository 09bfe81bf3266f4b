// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A kernel as one subject: all its cases together.
#pragma once

#include "evidence.h"

namespace perfcheck::gate {

/// One piece of evidence per kernel: each session's mean logarithm over the kernel's cases, so that sessions stay the
/// replicates and what cases of one session have in common is not counted as agreement. Cases that are controls are
/// left out, and so are cases whose sessions are not those of most others; a kernel of fewer than three cases has no
/// entry. Confirmation is there if every case was measured again. The margin is the mean of the cases' margins times
/// `kernel_margin_share`. Sorted by kernel. None on a shared device: what neighbours do in a session, they do to all
/// cases of a kernel, and it is not the same from hour to hour.
std::vector<Evidence> kernels_of(std::vector<Evidence> const& cases, Policy const& policy);

/// The kernel that a case belongs to.
std::string kernel_of(std::string const& case_id);

}  // namespace perfcheck::gate
