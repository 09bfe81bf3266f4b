// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/interrupt.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>

namespace perfcheck::session {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler has no argument to carry its object, so what it needs lives here.
std::atomic<int> event_fd{-1};
std::atomic<int> first_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");
std::array<struct sigaction, kSignals.size()> previous_actions;

extern "C" void on_signal(int signal) {
  int const saved_errno = errno;
  int none = 0;
  first_signal.compare_exchange_strong(none, signal);
  uint64_t const one = 1;
  (void)!::write(event_fd.load(), &one, sizeof one);
  errno = saved_errno;
}

}  // namespace

Interrupt::Interrupt() {
  if (event_fd.load() >= 0) throw std::logic_error("a process has one Interrupt; pass it on instead of making another");
  int const fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "cannot watch for signals");
  first_signal = 0;
  event_fd = fd;
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  (void)::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    (void)::sigaction(kSignals[i], nullptr, &previous_actions[i]);
    if (previous_actions[i].sa_handler != SIG_IGN) (void)::sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) (void)::sigaction(kSignals[i], &previous_actions[i], nullptr);
  (void)::close(event_fd.exchange(-1));
}

int Interrupt::fd() const { return event_fd.load(); }
bool Interrupt::raised() const { return signal() != 0; }
void Interrupt::throw_if_raised() const {
  if (raised()) throw Interrupted{signal()};
}
int Interrupt::signal() const { return first_signal.load(); }

}  // namespace perfcheck::session
