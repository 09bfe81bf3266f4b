// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What may be done to a recorded run. Patterns are those of --filter.
#pragma once

#include "perfcheck/model/run.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace perfcheck::adversarial {

using EditResult = std::function<void(model::CaseResult&)>;

/// Of all sessions, of those of the base build too.
void each_result(model::Run& run, std::string const& pattern, EditResult const& edit);
void each_result(model::Session& session, std::string const& pattern, EditResult const& edit);

/// Multiplies the time of every round, and so cycles and the ratio.
void slow(model::Run& run, std::string const& pattern, double factor);
void slow(model::Session& session, std::string const& pattern, double factor);
/// The same of the reference's rounds.
void slow_reference(model::Run& run, std::string const& pattern, double factor);
/// Multiplies a share of the rounds, spread evenly.
void slow_share(model::Session& session, std::string const& pattern, double share, double factor);
/// Multiplies the clock.
void clock(model::Run& run, std::string const& pattern, double factor);
/// Takes cases out of all sessions.
void take(model::Run& run, std::string const& pattern);
void take(model::Session& session, std::string const& pattern);
/// As `perfcheck ab` leaves it: as many sessions of the base build as of the head's, of which two screen and the others
/// confirm.
model::Run as_ab(model::Run head, model::Run base);
/// Another id, card, time.
void rename(model::Run& run, std::string const& id);
void move_to_card(model::Run& run, std::string const& uuid);
void start_on(model::Run& run, std::string const& day);

/// A period with which there is no second one.
inline constexpr std::size_t kFirstOnly = 1000000;
/// Text of the run file in which every `period`-th time of the cases, from the first one on, is something that no Run
/// can hold.
std::string with_value(model::Run run, std::string const& pattern, std::size_t period, std::string const& value);

/// Multiplies time, ratio and cycles in a baseline file: of all sessions, or of the one with this index.
void scale_stored(nlohmann::json& baseline, std::string const& case_id, double factor, int only = -1);

}  // namespace perfcheck::adversarial
