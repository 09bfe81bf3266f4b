// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything a worker should not do.
#pragma once

#include "perfcheck/protocol/messages.h"
#include "script.h"

#include <string>

namespace perfcheck::scripted {

/// Writes to standard output, all of it; ends the process when nobody reads.
void say(std::string_view text);
/// One line with a process id, for tests that check that nothing is left behind.
void note_pid(Script const& script);
/// Carries out a fault that is not about an answer; may not return.
void misbehave(Script const& script, Fault const& fault, std::string const& case_id);
/// The line that goes out instead of the honest `answer`.
std::string changed_line(Fault const& fault, protocol::Answer answer);

}  // namespace perfcheck::scripted
