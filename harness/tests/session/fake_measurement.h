// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The honest answers of the scripted worker. Nothing is run or timed: times depend on the script and the seed alone.
#pragma once

#include "perfcheck/protocol/messages.h"
#include "script.h"

namespace perfcheck::scripted {

/// The made-up duration of all launches of these rounds.
double told_seconds(model::Rounds const& rounds);
protocol::HelloAnswer hello_answer(Script const& script);
protocol::PlanAnswer plan_answer(Script const& script, protocol::PlanRequest const& request);
/// Empty when the worker has no such case.
std::optional<protocol::ResultAnswer> result_answer(Script const& script, protocol::MeasureRequest const& request);

protocol::LaunchesAnswer launches_answer(Script const& script, protocol::LaunchesRequest const& request);

}  // namespace perfcheck::scripted
