// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Judging a kernel as a whole: all its cases together.
#pragma once

#include "evidence.h"

namespace perfcheck::gate {

/// One piece of evidence per kernel: each session's mean logarithm over the kernel's cases. So sessions remain the
/// replicates, and what the cases of one session have in common does not count as agreement. Cases whose sessions or
/// metrics differ from those of most others are left out; a kernel with fewer than three cases has no entry.
/// Confirmation is present if every case was measured again. The margin is the mean of the cases' margins times
/// `kernel_margin_share`. Sorted by kernel. None on a shared device: there, neighbours slow all cases of a kernel in a
/// session alike, and differently from hour to hour.
std::vector<Evidence> kernels_of(std::vector<Evidence> const& cases, Policy const& policy);

/// The kernel that a case belongs to.
std::string kernel_of(std::string const& case_id);

}  // namespace perfcheck::gate
