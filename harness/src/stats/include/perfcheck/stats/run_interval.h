// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How far the true level of a run may be from what it measured.
#pragma once

#include <optional>
#include <span>

namespace perfcheck::stats {

/// Half of the width of a 95 % interval for the level of one run, logarithmic: a level v lies within
/// v * exp(-half) ... v * exp(half).
///
/// Two or more sessions: Student's t of the mean of the logarithms of `session_medians`. Sessions are independent of
/// each other, so this holds whatever disturbed one of them.
/// One session: Student's t of the median of the logarithms of `rounds`, its standard error by batch means (8 batches,
/// fewer for less than 16 rounds; standard_error_of_median). It does not know how sessions differ and is for that
/// reason too narrow as a statement about the next session: 0.02 to 0.2 % for the ratio of a GPU's kernel.
///
/// `rounds` are those of the only session, in the order of measuring; they are not read where there are more sessions.
/// nullopt: no session, a value that is not finite and positive, or one session with fewer than 8 rounds.
std::optional<double> run_half_width(std::span<double const> session_medians, std::span<double const> rounds);

}  // namespace perfcheck::stats
