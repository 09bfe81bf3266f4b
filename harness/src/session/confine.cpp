// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "confine.h"

#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

namespace perfcheck::session {
namespace {

/// User ids that neither distributions nor systemd assign, and that exist in containers.
constexpr unsigned kFirstUser = 60578, kLastUser = 61183;
/// Most rounds of killing: a process that keeps forking is caught between two forks.
constexpr int kMostRounds = 1000;

/// The steps of confine_myself(), as notes name them.
enum Step : int { no_privileges = 1, no_network, other_user };

constexpr char const* words_of(int step) {
  switch (step) {
    case no_privileges: return "no new privileges";
    case no_network: return "no network";
    case other_user: return "another user";
    default: return "an unknown step";
  }
}

void tell(Fd const& status, Step step, bool taken) {
  StartNote const note{.step = step, .error = taken ? 0 : errno};
  (void)!::write(status.get(), &note, sizeof note);
}

/// As another user, it can neither look into nor stop the process that owns the clock, nor change its files.
bool become(unsigned user) {
  return ::setgroups(0, nullptr) == 0 && ::setresgid(user, user, user) == 0 && ::setresuid(user, user, user) == 0;
}

/// Users of all processes that can be seen.
std::set<unsigned> users_of_processes() {
  std::set<unsigned> users;
  std::error_code ignored;
  for (auto const& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    struct stat status{};
    if (::stat(entry.path().c_str(), &status) == 0) users.insert(status.st_uid);
  }
  return users;
}

}  // namespace

bool is_confined_user(UserIds const& ids) {
  return ids.real >= kFirstUser && ids.real <= kLastUser && ids.effective == ids.real && ids.saved == ids.real;
}

unsigned unused_user() {
  auto const used = users_of_processes();
  for (int tries = 0; tries < kMostRounds; ++tries) {
    unsigned number = 0;
    if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) continue;
    unsigned const user = kFirstUser + number % (kLastUser - kFirstUser + 1);
    if (!used.contains(user)) return user;
  }
  throw std::system_error(EAGAIN, std::generic_category(), "no user id is free for a confined process");
}

void confine_myself(Fd const& status, unsigned user) {
  tell(status, no_network, ::unshare(CLONE_NEWNET) == 0);
  tell(status, other_user, become(user));
  tell(status, no_privileges, ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
}

void end_processes_of(unsigned user) {
  pid_t const sweeper = ::fork();
  if (sweeper == 0) {
    UserIds ids;
    bool const became = become(user) && ::getresuid(&ids.real, &ids.effective, &ids.saved) == 0;
    if (became && is_confined_user(ids)) {
      // Kills all that it may signal: the processes of its own user, except itself.
      for (int round = 0; round < kMostRounds && ::kill(-1, SIGKILL) == 0; ++round) {
      }
    }
    ::_exit(0);
  }
  while (sweeper > 0 && ::waitpid(sweeper, nullptr, 0) < 0 && errno == EINTR) {
  }
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
