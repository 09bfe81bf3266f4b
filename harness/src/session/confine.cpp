// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "confine.h"

#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace perfcheck::session {
namespace {

/// Nobody, on every distribution: owns no file and no process worth having.
constexpr unsigned kNobody = 65534;

/// In the order in which they are taken.
enum Step : int { no_privileges = 1, no_network, other_user };

constexpr char const* words_of(int step) {
  switch (step) {
    case no_privileges: return "no new privileges";
    case no_network: return "no network";
    case other_user: return "another user (65534)";
    default: return "an unknown step";
  }
}

void tell(Fd const& status, Step step, bool taken) {
  StartNote const note{.step = step, .error = taken ? 0 : errno};
  (void)!::write(status.get(), &note, sizeof note);
}

/// Of another user it can neither look into nor stop the process that owns the clock, nor change its files.
bool become_nobody() {
  return ::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
         ::setresuid(kNobody, kNobody, kNobody) == 0;
}

}  // namespace

void confine_myself(Fd const& status) {
  tell(status, no_network, ::unshare(CLONE_NEWNET) == 0);
  tell(status, other_user, become_nobody());
  tell(status, no_privileges, ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
}

void add_to(model::Confinement& confinement, StartNote const& note) {
  if (note.error == 0) {
    confinement.applied.emplace_back(words_of(note.step));
    return;
  }
  std::string why = std::strerror(note.error);
  if (note.error == EPERM) why += "; run as root";
  confinement.missing.push_back(std::string(words_of(note.step)) + ": " + why);
}

}  // namespace perfcheck::session
