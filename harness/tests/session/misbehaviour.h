// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything a worker should not do.
#pragma once

#include "perfcheck/protocol/messages.h"
#include "script.h"

#include <string>

namespace perfcheck::scripted {

/// Writes the whole text to standard output; ends the process if nobody reads it.
void say(std::string_view text);
/// Writes a line with the process id, for tests that check that no process is left behind.
void note_pid(Script const& script);
/// Commits a fault that does not change an answer; may not return.
void misbehave(Script const& script, Fault const& fault, std::string const& case_id);
/// The line to send instead of the honest `answer`.
std::string changed_line(Fault const& fault, protocol::Answer answer);

}  // namespace perfcheck::scripted
