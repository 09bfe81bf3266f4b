// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/interrupt.h"

#include "perfcheck/session/child_process.h"
#include "process_check.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>
#include <stdexcept>

namespace perfcheck::session {
namespace {

bool readable(int fd) {
  pollfd entry{.fd = fd, .events = POLLIN, .revents = 0};
  return ::poll(&entry, 1, 0) == 1;
}

TEST(Interrupt, RemembersTheFirstSignalAndStaysReadable) {
  testing::StandardSignals const standard;
  Interrupt const interrupt;
  EXPECT_FALSE(interrupt.raised());
  EXPECT_EQ(interrupt.signal(), 0);
  EXPECT_FALSE(readable(interrupt.fd()));
  (void)::raise(SIGTERM);
  (void)::raise(SIGINT);
  EXPECT_TRUE(interrupt.raised());
  EXPECT_EQ(interrupt.signal(), SIGTERM);
  EXPECT_TRUE(readable(interrupt.fd()));
  EXPECT_TRUE(readable(interrupt.fd()));
}

TEST(Interrupt, HandlersAreGoneAfterwards) {
  testing::StandardSignals const standard;
  auto const handler = [](int signal) {
    struct sigaction action{};
    (void)::sigaction(signal, nullptr, &action);
    return action.sa_handler;
  };
  auto const before = handler(SIGINT);
  std::size_t const descriptors = testing::open_descriptors();
  {
    Interrupt const interrupt;
    EXPECT_NE(handler(SIGINT), before);
    EXPECT_NE(handler(SIGHUP), SIG_DFL);
  }
  EXPECT_EQ(handler(SIGINT), before);
  EXPECT_EQ(testing::open_descriptors(), descriptors);
}

TEST(Interrupt, ASecondInstanceIsRefused) {
  {
    Interrupt const interrupt;
    EXPECT_THROW(Interrupt(), std::logic_error);
  }
  Interrupt const again;
  EXPECT_FALSE(again.raised());
}

TEST(Interrupt, AnIgnoredSignalStaysIgnored) {
  testing::StandardSignals const standard;
  auto const before = std::signal(SIGHUP, SIG_IGN);
  {
    Interrupt const interrupt;
    (void)::raise(SIGHUP);
    EXPECT_FALSE(interrupt.raised());
  }
  (void)std::signal(SIGHUP, before);
}

TEST(Interrupt, EndsReadingWritingAndWaitingAtOnce) {
  testing::StandardSignals const standard;
  Interrupt const interrupt;
  testing::Stopwatch const watch;
  pid_t pid = 0;
  {
    ChildProcess child({"/bin/sh", "-c", "kill -INT $PPID; exec sleep 100"}, &interrupt);
    pid = child.pid();
    std::string line;
    EXPECT_THROW((void)child.read_line(line, deadline_after(30)), Interrupted);
    EXPECT_THROW((void)child.write_line(std::string(1 << 20, 'x'), deadline_after(30)), Interrupted);
    EXPECT_THROW((void)child.wait_or_kill(deadline_after(30)), Interrupted);
  }
  EXPECT_LT(watch.seconds(), 5);
  EXPECT_TRUE(testing::is_dead(pid));
}

}  // namespace
}  // namespace perfcheck::session
