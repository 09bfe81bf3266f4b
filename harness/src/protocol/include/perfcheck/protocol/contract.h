// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a well-formed answer must satisfy beyond its form: rules of docs/protocol.md that relate an answer to its
// request or its parts to each other. Decoding has checked the rest: usable numbers, columns of equal length,
// verification and rounds where and only where the status allows them. Each function returns the breach as a sentence,
// or empty.
#pragma once

#include "perfcheck/protocol/messages.h"

#include <optional>
#include <string>

namespace perfcheck::protocol {

using Breach = std::optional<std::string>;

/// The answer is about the requested device, uses one backend, and lists every kernel once, its library with a version.
Breach hello_breach(HelloRequest const& request, HelloAnswer const& answer);
/// Every case appears once.
Breach plan_breach(PlanAnswer const& answer);
/// The result is of the requested case and treats it as requested: timed, with the requested slowdown and with proof of
/// what was timed, or only verified. A case may be skipped only when it was not to be timed.
Breach result_breach(MeasureRequest const& request, model::CaseResult const& result);
/// The answer is about the requested case, and tells launches or why there are none.
Breach launches_breach(LaunchesRequest const& request, LaunchesAnswer const& answer);

}  // namespace perfcheck::protocol
