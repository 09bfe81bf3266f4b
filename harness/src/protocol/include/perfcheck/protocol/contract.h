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

/// The device that was asked for, one backend throughout, every kernel listed once.
Breach hello_breach(HelloRequest const& request, HelloAnswer const& answer);
/// Every case once.
Breach plan_breach(PlanAnswer const& answer);
/// The case that was asked for, treated as asked: timed with the slowdown injected that was asked for and with proof of
/// what was timed, or only verified; skipped only when it was not to be timed.
Breach result_breach(MeasureRequest const& request, model::CaseResult const& result);

}  // namespace perfcheck::protocol
