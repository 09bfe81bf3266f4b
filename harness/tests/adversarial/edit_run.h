// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Edits of a recorded run. Patterns have the syntax of --filter.
#pragma once

#include "perfcheck/model/run.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace perfcheck::adversarial {

using EditResult = std::function<void(model::CaseResult&)>;

/// Edits the matching results in all sessions, those of the base build included.
void each_result(model::Run& run, std::string const& pattern, EditResult const& edit);
void each_result(model::Session& session, std::string const& pattern, EditResult const& edit);

/// Multiplies the time of every round, and with it cycles and the ratio.
void slow(model::Run& run, std::string const& pattern, double factor);
void slow(model::Session& session, std::string const& pattern, double factor);
/// The same for the reference's rounds.
void slow_reference(model::Run& run, std::string const& pattern, double factor);
/// Multiplies the times of a share of the rounds, evenly spread.
void slow_share(model::Session& session, std::string const& pattern, double share, double factor);
/// Multiplies the clock.
void clock(model::Run& run, std::string const& pattern, double factor);
/// Removes cases from all sessions.
void take(model::Run& run, std::string const& pattern);
void take(model::Session& session, std::string const& pattern);
/// A run as `perfcheck ab` writes it: equally many sessions of the base build and of the head build, the first two of
/// which screen and the others confirm.
model::Run as_ab(model::Run head, model::Run base);
/// Changes the id, the card or the date.
void rename(model::Run& run, std::string const& id);
void move_to_card(model::Run& run, std::string const& uuid);
void start_on(model::Run& run, std::string const& day);

/// A period so long that only the first time is replaced.
inline constexpr std::size_t kFirstOnly = 1000000;
/// Text of a run file in which every `period`-th time of the matching cases, starting with the first, is replaced with
/// `value`, which a Run could not hold.
std::string with_value(model::Run run, std::string const& pattern, std::size_t period, std::string const& value);

/// Multiplies time, ratio and cycles in a baseline file, in all sessions or in the one with index `only`.
void scale_stored(nlohmann::json& baseline, std::string const& case_id, double factor, int only = -1);

}  // namespace perfcheck::adversarial
