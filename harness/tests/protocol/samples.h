// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One filled-in message of every kind.
#pragma once

#include "perfcheck/protocol/messages.h"

namespace perfcheck::protocol::samples {

MeasureRequest measure_request();
model::CaseResult measured_result();
model::CaseResult incorrect_result();
HelloAnswer hello_answer();
PlanAnswer plan_answer();
LaunchesAnswer launches_answer();
std::vector<Request> requests();
std::vector<Answer> answers();

}  // namespace perfcheck::protocol::samples
