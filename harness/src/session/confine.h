// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Isolates an untrusted child between fork and exec. Steps that the machine does not allow are left out and reported.
#pragma once

#include "fd.h"
#include "perfcheck/model/sealed.h"

namespace perfcheck::session {

/// One report of a child about its start.
struct StartNote {
  static constexpr int kExec = 0;  ///< the program could not be executed; other steps are those of confine.cpp
  int step = kExec;
  int error = 0;  ///< errno, 0 when the step was taken
};

/// The user ids of a process.
struct UserIds {
  unsigned real = 0, effective = 0, saved = 0;
};
/// Whether all three are the same user, one of those for confined processes. Such a process can end no other user's.
bool is_confined_user(UserIds const& ids);
/// A user that no process has, for one child alone: so confined children cannot look into each other, and whatever the
/// child leaves behind can be found. Throws std::system_error.
unsigned unused_user();
/// Called in the child; makes only async-signal-safe calls. Writes a note per step. What it gives up it cannot regain.
void confine_myself(Fd const& status, unsigned user);
/// Called in the parent after the child has ended: kills every process of the user, until there is none. Does nothing
/// if the child could not become that user.
void end_processes_of(unsigned user);
/// Called in the parent: adds a note in words.
void add_to(model::Confinement& confinement, StartNote const& note);

}  // namespace perfcheck::session
