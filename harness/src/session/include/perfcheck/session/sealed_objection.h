// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Does a sealed time support what the worker measured?
#pragma once

#include "perfcheck/model/run.h"
#include "perfcheck/model/sealed.h"
#include "perfcheck/model/summary.h"

#include <optional>
#include <string>

namespace perfcheck::session {

/// A sealed launch may take this much longer than an ordinary one: clocks, caches and neighbours differ between two
/// processes, and what surrounds a launch is measured apart from it. docs/sealed.md has what was measured.
inline constexpr double kSealedTimeShare = 1.05;
inline constexpr double kSealedTimeSlackNs = 3000;
/// Likewise for the ratio to the reference. A lower clock and neighbours slow both kernels, but not equally: the one
/// that draws more power has the lower clock. The slack is a time here, too, as a share of the reference's.
inline constexpr double kSealedRatioShare = 1.04;
inline constexpr double kSealedRatioSlackNs = 2000;

/// Medians over the batches, as model::summarize() makes them of rounds, so that both sides are summarised alike.
std::optional<model::SessionSummary> summary_of(model::SealedResult const& sealed, std::string* why = nullptr);

/// Empty if the sealed time supports the ordinary one, else a sentence with the numbers, or with what the judge said. A
/// shorter sealed time is no objection: nobody gains by looking slow. Without usable numbers on either side there is
/// always an objection.
std::string objection_of(model::CaseResult const& ordinary, model::SealedResult const& sealed);

/// Could something else that used the machine have caused an objection to this result? It could if the objection is
/// about numbers, but not if it is about wrong results, a refusal or a process that ended.
bool may_be_a_disturbance(model::SealedResult const& sealed);

/// Makes a measured result `invalid` because of an objection, and removes its times.
void uphold(std::string const& objection, model::CaseResult& ordinary);

}  // namespace perfcheck::session
