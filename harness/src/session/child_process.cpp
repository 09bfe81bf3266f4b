// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/child_process.h"

#include "confine.h"
#include "own_child.h"
#include "perfcheck/protocol/messages.h"
#include "spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

namespace perfcheck::session {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kTailBytes = 8192;
/// The end of a child shows at once as the end of its output, unless another process holds the pipe open. Then only a
/// look at the child itself tells, and waiting code takes one this often.
constexpr milliseconds kLook{50};
/// A process that is about to die is usually dead after this time.
constexpr milliseconds kShortLook{2};
/// SIGKILL is not immediate for a process that is inside a driver; one that survives this long is abandoned.
constexpr std::chrono::seconds kKillPatience{30};

/// Blocks SIGPIPE in this thread and, at the end, discards the one that a write has raised. (Ignoring the signal would
/// affect the whole program, which a library must not do.)
class NoSigpipe {
 public:
  NoSigpipe() {
    (void)::sigemptyset(&pipe_);
    (void)::sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    (void)::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    (void)::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoSigpipe() {
    timespec const now{};
    if (!was_pending_) {
      while (::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    (void)::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSigpipe(NoSigpipe const&) = delete;
  NoSigpipe& operator=(NoSigpipe const&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

enum class Received { data, nothing_yet, end };

Received receive(Fd const& fd, std::string& into) {
  std::array<char, 65536> chunk;
  ssize_t const got = ::read(fd.get(), chunk.data(), chunk.size());
  if (got > 0) {
    into.append(chunk.data(), static_cast<std::size_t>(got));
    return Received::data;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return Received::nothing_yet;
  return Received::end;
}

std::size_t pipe_capacity(Fd const& fd) {
  constexpr std::size_t kUsual = 65536;
  int const bytes = ::fcntl(fd.get(), F_GETPIPE_SZ);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : kUsual;
}

}  // namespace

Deadline deadline_after(double seconds) {
  constexpr double kFar = 1e8;  // three years: far enough, and no overflow in the clock's nanoseconds
  double const bounded = seconds > 0 ? std::min(seconds, kFar) : 0;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(bounded));
}

std::string ExitState::describe() const {
  if (!signalled) return fmt::format("exit code {}", code);
  char const* const name = ::sigdescr_np(code);
  return fmt::format("killed by signal {} ({})", code, name != nullptr ? name : "unknown");
}

struct ChildProcess::State {
  State(Spawned spawned, Interrupt const* raised_by)
      : child(std::move(spawned)), own(child.pid), interrupt(raised_by) {}

  Spawned child;
  OwnChild own;
  bool takes_orphans = false;
  Interrupt const* interrupt = nullptr;
  std::string received;      ///< from standard output, not yet handed out
  std::size_t searched = 0;  ///< of `received`, without a newline
  std::string tail;
  Deadline next_look{};
  std::optional<ExitState> exit;

  void pump(Deadline deadline, bool wants_to_write, milliseconds look);
  void collect_errors();
  void collect_last_output();
  bool has_ended() const;
  void end_group_and_reap();
};

/// Waits until something can be read or written, but no longer than `look` or the deadline; then reads what there is.
void ChildProcess::State::pump(Deadline deadline, bool wants_to_write, milliseconds look) {
  bool const room = received.size() <= protocol::kMaxLineBytes;
  std::array<pollfd, 4> fds = {{{.fd = room ? child.output.get() : -1, .events = POLLIN, .revents = 0},
                                {.fd = child.error.get(), .events = POLLIN, .revents = 0},
                                {.fd = wants_to_write ? child.input.get() : -1, .events = POLLOUT, .revents = 0},
                                {.fd = interrupt != nullptr ? interrupt->fd() : -1, .events = POLLIN, .revents = 0}}};
  auto const left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
  int const ready = ::poll(fds.data(), fds.size(), static_cast<int>(std::clamp(left, milliseconds{0}, look).count()));
  if (interrupt != nullptr && interrupt->raised()) throw Interrupted{interrupt->signal()};
  if (ready > 0 && fds[1].revents != 0) collect_errors();
  if (ready > 0 && fds[0].revents != 0 && receive(child.output, received) == Received::end) child.output.close();
  if (child.output.open() && Clock::now() >= next_look) {
    if (has_ended()) collect_last_output();
    next_look = Clock::now() + kLook;
  }
}

void ChildProcess::State::collect_errors() {
  if (receive(child.error, tail) == Received::end) child.error.close();
  if (tail.size() > kTailBytes) tail.erase(0, tail.size() - kTailBytes);
}

/// For a child that has ended: reads its last output from the pipes and closes them, because another process may hold
/// them open and fill them for ever. Up to a pipe's capacity is read, which is all that can be left, even if `received`
/// is already too long for a line: nothing is lost.
void ChildProcess::State::collect_last_output() {
  if (child.output.open()) {
    std::size_t const held = received.size() + pipe_capacity(child.output);
    while (received.size() < held && receive(child.output, received) == Received::data) {
    }
  }
  child.output.close();
  if (child.error.open()) collect_errors();  // once is all that a pipe holds
  child.error.close();
}

bool ChildProcess::State::has_ended() const {
  if (exit) return true;
  siginfo_t info{};
  int const result = ::waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOHANG | WNOWAIT);
  return result == 0 ? info.si_pid != 0 : errno == ECHILD;
}

/// The order matters: until the ended leader is reaped, the group's id cannot be given to another group.
void ChildProcess::State::end_group_and_reap() {
  (void)::kill(-child.pid, SIGKILL);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0) {
    if (errno != EINTR) break;
  }
  if (child.user != 0) end_processes_of(child.user);
  if (takes_orphans) own.end_orphans();
  exit = WIFSIGNALED(status) ? ExitState{.signalled = true, .code = WTERMSIG(status)}
                             : ExitState{.signalled = false, .code = WEXITSTATUS(status)};
}

bool close_own_memory() { return ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0; }

ChildProcess::ChildProcess(std::vector<std::string> const& argv, Interrupt const* interrupt, Trust trust)
    : state_(std::make_unique<State>(spawn(argv, trust), interrupt)) {}

ChildProcess::~ChildProcess() { (void)kill(); }

void ChildProcess::take_orphans_along() { state_->takes_orphans = true; }

pid_t ChildProcess::pid() const { return state_->child.pid; }

model::Confinement const& ChildProcess::confinement() const { return state_->child.confinement; }

bool ChildProcess::write_line(std::string const& line, Deadline deadline) {
  std::string const text = line.ends_with('\n') ? line : line + '\n';
  std::size_t written = 0;
  while (state_->child.input.open() && !state_->has_ended()) {
    ssize_t wrote = 0;
    {
      NoSigpipe const guard;
      wrote = ::write(state_->child.input.get(), text.data() + written, text.size() - written);
    }
    if (wrote < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (wrote > 0) written += static_cast<std::size_t>(wrote);
    if (written == text.size()) return true;
    if (Clock::now() >= deadline) return false;
    state_->pump(deadline, true, kLook);
  }
  return false;
}

ReadOutcome ChildProcess::read_line(std::string& line, Deadline deadline) {
  State& state = *state_;
  bool late = false;
  while (true) {
    std::size_t const newline = state.received.find('\n', state.searched);
    if (newline <= protocol::kMaxLineBytes) {  // npos is more than any limit
      line.assign(state.received, 0, newline);
      state.received.erase(0, newline + 1);
      state.searched = 0;
      return ReadOutcome::line;
    }
    state.searched = state.received.size();
    if (state.received.size() > protocol::kMaxLineBytes) return ReadOutcome::too_long;
    if (!state.child.output.open()) {
      line = std::move(state.received);
      state.received.clear();
      state.searched = 0;
      return ReadOutcome::end_of_file;
    }
    if (late) return ReadOutcome::deadline;
    late = Clock::now() >= deadline;
    state.pump(deadline, false, kLook);
  }
}

void ChildProcess::close_input() { state_->child.input.close(); }

std::optional<ExitState> ChildProcess::wait(Deadline deadline) {
  State& state = *state_;
  while (!state.exit) {
    if (state.has_ended()) {
      state.collect_last_output();
      state.end_group_and_reap();
      break;
    }
    if (Clock::now() >= deadline) return {};
    state.pump(deadline, false, state.child.output.open() ? kLook : kShortLook);
    state.received.clear();
    state.searched = 0;
  }
  return state.exit;
}

ExitState ChildProcess::wait_or_kill(Deadline deadline) {
  if (std::optional<ExitState> const exit = wait(deadline)) return *exit;
  return kill();
}

ExitState ChildProcess::kill() {
  State& state = *state_;
  if (state.exit) return *state.exit;
  (void)::kill(-state.child.pid, SIGKILL);
  Deadline const patience = Clock::now() + kKillPatience;
  while (!state.has_ended() && Clock::now() < patience) std::this_thread::sleep_for(kShortLook);
  state.collect_last_output();
  if (state.has_ended()) {
    state.end_group_and_reap();
  } else {
    state.exit = ExitState{.signalled = true, .code = SIGKILL};
  }
  return *state.exit;
}

std::string ChildProcess::error_tail() const { return state_->tail; }

}  // namespace perfcheck::session
