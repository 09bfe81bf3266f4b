// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps a child that is not trusted apart, between fork and exec. What the machine does not allow is left out and told.
#pragma once

#include "fd.h"
#include "perfcheck/model/sealed.h"

namespace perfcheck::session {

/// One thing that a child says about its start.
struct StartNote {
  static constexpr int kExec = 0;  ///< the program could not be executed; other steps are those of confine.cpp
  int step = kExec;
  int error = 0;  ///< errno, 0 when the step was taken
};

/// The user ids of a process.
struct UserIds {
  unsigned real = 0, effective = 0, saved = 0;
};
/// Whether all three are one user that is given to confined processes: a process of these ids can end no other's.
bool is_confined_user(UserIds const& ids);
/// A user that no process belongs to, for one child alone: so that it cannot look into another confined one either, and
/// whatever it leaves behind can be found. Throws std::system_error.
unsigned unused_user();
/// In the child; only async-signal-safe calls. Writes a note per step. What it gave up it cannot get back.
void confine_myself(Fd const& status, unsigned user);
/// In the parent, when the child has ended: kills every process of the user, until there is none. Does nothing when the
/// child could not become that user.
void end_processes_of(unsigned user);
/// In the parent: a note in words.
void add_to(model::Confinement& confinement, StartNote const& note);

}  // namespace perfcheck::session
