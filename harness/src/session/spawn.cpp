// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "spawn.h"

#include "confine.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace perfcheck::session {
namespace {

struct Pipe {
  Fd read, write;
};

/// Moves a descriptor above the standard streams. If this process was started with one of them closed, a pipe could get
/// its number, and dup2() in the child would then leave it marked close-on-exec.
Fd above_standard_streams(Fd fd) {
  if (fd.get() > STDERR_FILENO) return fd;
  Fd moved(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!moved.open()) throw std::system_error(errno, std::generic_category(), "cannot move a pipe");
  return moved;
}

Pipe make_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe to a worker; raise `ulimit -n`");
  }
  Fd read_end(fds[0]);
  Fd write_end(fds[1]);
  return {.read = above_standard_streams(std::move(read_end)), .write = above_standard_streams(std::move(write_end))};
}

void make_non_blocking(Fd const& fd) {
  if (::fcntl(fd.get(), F_SETFL, O_NONBLOCK) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe non-blocking");
  }
}

/// Signal handling as a fresh program expects it: exec() resets handlers, but keeps signals ignored or blocked.
void reset_signals() {
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) (void)::sigaction(signal, &standard, nullptr);
  sigset_t none;
  (void)::sigemptyset(&none);
  (void)::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Between fork and exec; only async-signal-safe calls. Returns only when something failed, with errno set.
void become(char* const* argv, Fd const& program, Pipe const& input, Pipe const& output, Pipe const& error,
            Fd const& status, unsigned user, pid_t parent) {
  if (::setpgid(0, 0) != 0) return;
  if (user != 0) confine_myself(status, user);  // first: a change of user disarms the signal below
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
  if (::getppid() != parent) {  // the parent died before prctl() could arm the signal
    errno = ESRCH;
    return;
  }
  if (::dup2(input.read.get(), STDIN_FILENO) < 0 || ::dup2(output.write.get(), STDOUT_FILENO) < 0 ||
      ::dup2(error.write.get(), STDERR_FILENO) < 0) {
    return;
  }
  reset_signals();
  if (program.open()) {
    // Executes the file that was opened before the user changed: the new user may not be able to reach it by its path.
    // The descriptor stays open, because the interpreter of a script reads the script through it.
    if (::fcntl(program.get(), F_SETFD, 0) != 0) return;
    (void)::execveat(program.get(), "", argv, environ, AT_EMPTY_PATH);
    return;
  }
  // Not always execvp(), which would hand a file that is not a program to the shell.
  (void)(std::strchr(argv[0], '/') != nullptr ? ::execv(argv[0], argv) : ::execvp(argv[0], argv));
}

/// What the child reports before it executes its program (which closes the pipe).
struct Start {
  int error = 0;  ///< errno of what kept it from starting; 0 for none
  model::Confinement confinement;
};
Start read_start(Fd const& status) {
  Start start;
  StartNote note;
  while (true) {
    ssize_t const got = ::read(status.get(), &note, sizeof note);
    if (got < 0 && errno == EINTR) continue;
    if (got != static_cast<ssize_t>(sizeof note)) return start;
    if (note.step == StartNote::kExec) {
      start.error = note.error;
    } else {
      add_to(start.confinement, note);
    }
  }
}

Fd open_program(std::string const& path) {
  Fd program(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!program.open()) {
    throw std::system_error(errno, std::generic_category(),
                            "cannot start " + path + "; build it, or give the path of an executable file");
  }
  return above_standard_streams(std::move(program));
}

void reap(pid_t pid) {
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Spawned spawn(std::vector<std::string> const& argv, Trust trust) {
  if (argv.empty() || argv.front().empty()) throw std::invalid_argument("the command of a worker is empty");
  std::vector<char*> pointers;
  for (std::string const& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));  // exec's signature
  pointers.push_back(nullptr);

  Fd const program = trust == Trust::confined ? open_program(argv.front()) : Fd();
  unsigned const user = trust == Trust::confined ? unused_user() : 0;
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe error = make_pipe();
  Pipe status = make_pipe();
  make_non_blocking(input.write);
  make_non_blocking(output.read);
  make_non_blocking(error.read);

  pid_t const parent = ::getpid();
  pid_t const pid = ::fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process for " + argv.front());
  if (pid == 0) {
    become(pointers.data(), program, input, output, error, status.write, user, parent);
    StartNote const why{.step = StartNote::kExec, .error = errno};
    (void)!::write(status.write.get(), &why, sizeof why);
    ::_exit(127);
  }
  status.write.close();
  Start start = read_start(status.read);
  if (start.error != 0) {
    reap(pid);
    throw std::system_error(
        start.error, std::generic_category(),
        "cannot start the worker " + argv.front() + "; build it, or give the path of an executable file");
  }
  return {.pid = pid,
          .input = std::move(input.write),
          .output = std::move(output.read),
          .error = std::move(error.read),
          .confinement = std::move(start.confinement),
          .user = user};
}

}  // namespace perfcheck::session
