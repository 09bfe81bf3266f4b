// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/child_process.h"

#include "perfcheck/protocol/messages.h"
#include "process_check.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <limits>
#include <set>
#include <system_error>

namespace perfcheck::session {
namespace {

using testing::dies;
using ::testing::HasSubstr;
using testing::Stopwatch;

constexpr double kSoon = 5;  // seconds; generous for busy machines; no test waits this long when it passes

std::vector<std::string> shell(std::string const& command) { return {"/bin/sh", "-c", command}; }

std::string next_line(ChildProcess& child) {
  std::string line;
  EXPECT_EQ(child.read_line(line, deadline_after(kSoon)), ReadOutcome::line);
  return line;
}

TEST(ChildProcess, LinesGoInAndOut) {
  ChildProcess child({"cat"});
  EXPECT_TRUE(child.write_line("one", deadline_after(kSoon)));
  EXPECT_TRUE(child.write_line("two\n", deadline_after(kSoon)));
  EXPECT_EQ(next_line(child), "one");
  EXPECT_EQ(next_line(child), "two");
  child.close_input();
  std::string line;
  EXPECT_EQ(child.read_line(line, deadline_after(kSoon)), ReadOutcome::end_of_file);
  EXPECT_EQ(child.wait_or_kill(deadline_after(kSoon)).describe(), "exit code 0");
}

TEST(ChildProcess, ALineLargerThanAPipeGoesThrough) {
  ChildProcess child({"cat"});
  std::string const large(1 << 20, 'x');
  EXPECT_TRUE(child.write_line(large, deadline_after(kSoon)));
  EXPECT_EQ(next_line(child), large);
}

TEST(ChildProcess, AMissingProgramIsNamed) {
  try {
    ChildProcess const child({"/nowhere/perfcheck-gemm"});
    FAIL() << "it started";
  } catch (std::system_error const& error) {
    EXPECT_EQ(error.code().value(), ENOENT);
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/perfcheck-gemm"));
    EXPECT_THAT(error.what(), HasSubstr("build it"));
  }
  EXPECT_TRUE(testing::no_children());
}

TEST(ChildProcess, AFileThatIsNoProgramIsNamed) {
  testing::TemporaryFile const file;
  std::ofstream(file.path()) << "echo this is no program\n";
  EXPECT_THROW(ChildProcess({file.path()}), std::system_error);
  std::filesystem::permissions(file.path(), std::filesystem::perms::owner_all);
  EXPECT_THROW(ChildProcess({file.path()}), std::system_error);
  EXPECT_THROW(ChildProcess({"/"}), std::system_error);
  EXPECT_THROW(ChildProcess({}), std::invalid_argument);
  EXPECT_THROW(ChildProcess({""}), std::invalid_argument);
}

TEST(ChildProcess, SilenceEndsAtTheDeadline) {
  ChildProcess child({"sleep", "100"});
  Stopwatch const watch;
  std::string line;
  EXPECT_EQ(child.read_line(line, deadline_after(0.1)), ReadOutcome::deadline);
  EXPECT_GE(watch.seconds(), 0.1);
  EXPECT_LT(watch.seconds(), 2);
}

TEST(ChildProcess, APassedDeadlineStillTakesWhatHasArrived) {
  ChildProcess child(shell("echo here; echo ready >&2; sleep 100"));
  std::string line;
  while (child.error_tail().empty()) EXPECT_NE(child.read_line(line, Deadline{}), ReadOutcome::end_of_file);
  if (line.empty()) {
    EXPECT_EQ(child.read_line(line, Deadline{}), ReadOutcome::line);
  }
  EXPECT_EQ(line, "here");
}

TEST(ChildProcess, HalfALineIsGivenAtTheEnd) {
  ChildProcess child(shell("printf 'whole\\nhal'"));
  EXPECT_EQ(next_line(child), "whole");
  std::string line;
  EXPECT_EQ(child.read_line(line, deadline_after(kSoon)), ReadOutcome::end_of_file);
  EXPECT_EQ(line, "hal");
}

TEST(ChildProcess, EndlessOutputWithoutNewlineIsTooLong) {
  ChildProcess child(shell("cat /dev/zero"));
  std::string line;
  EXPECT_EQ(child.read_line(line, deadline_after(kSoon)), ReadOutcome::too_long);
}

TEST(ChildProcess, TheLongestLineIsAllowedAndOneByteMoreIsNot) {
  std::string const limit = std::to_string(protocol::kMaxLineBytes);
  std::string line;
  ChildProcess at_limit(shell("head -c " + limit + " /dev/zero; echo; echo next"));
  EXPECT_EQ(at_limit.read_line(line, deadline_after(kSoon)), ReadOutcome::line);
  EXPECT_EQ(line.size(), protocol::kMaxLineBytes);
  EXPECT_EQ(next_line(at_limit), "next");
  ChildProcess above(shell("head -c " + limit + " /dev/zero; echo x; echo next"));
  EXPECT_EQ(above.read_line(line, deadline_after(kSoon)), ReadOutcome::too_long);
}

TEST(ChildProcess, AFloodOfErrorsDoesNotBlockAndKeepsTheLastWords) {
  ChildProcess child(shell("head -c 3000000 /dev/zero >&2; echo famous last words >&2; echo done"));
  EXPECT_EQ(next_line(child), "done");
  EXPECT_EQ(child.wait_or_kill(deadline_after(kSoon)).code, 0);
  EXPECT_EQ(child.error_tail().size(), 8192U);
  EXPECT_TRUE(child.error_tail().ends_with("famous last words\n"));
}

TEST(ChildProcess, WaitingForAChildThatStillTalksDoesNotBlock) {
  ChildProcess child(shell("head -c 3000000 /dev/zero; exit 4"));
  EXPECT_EQ(child.wait_or_kill(deadline_after(kSoon)).describe(), "exit code 4");
}

TEST(ChildProcess, WritingToADeadChildFailsWithoutASignal) {
  ChildProcess child({"true"});
  ASSERT_TRUE(dies(child.pid()));
  EXPECT_FALSE(child.write_line("hello", deadline_after(kSoon)));
}

TEST(ChildProcess, WritingToAChildThatClosedItsInputFailsWithoutASignal) {
  ChildProcess child(shell("exec <&-; echo closed; sleep 100"));
  EXPECT_EQ(next_line(child), "closed");
  EXPECT_FALSE(child.write_line("hello", deadline_after(kSoon)));
  sigset_t pending;
  ASSERT_EQ(::sigpending(&pending), 0);
  EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
}

TEST(ChildProcess, WritingToADeafChildEndsAtTheDeadline) {
  ChildProcess child({"sleep", "100"});
  EXPECT_FALSE(child.write_line(std::string(1 << 20, 'x'), deadline_after(0.1)));
}

TEST(ChildProcess, TheEndIsDescribed) {
  EXPECT_EQ(ChildProcess(shell("exit 3")).wait_or_kill(deadline_after(kSoon)).describe(), "exit code 3");
  EXPECT_EQ(ChildProcess(shell("kill -SEGV $$")).wait_or_kill(deadline_after(kSoon)).describe(),
            "killed by signal 11 (Segmentation fault)");
}

TEST(ChildProcess, WaitGivesUpAndWaitOrKillKills) {
  ChildProcess child(shell("trap '' TERM; echo ready; while :; do sleep 1; done"));
  EXPECT_EQ(next_line(child), "ready");
  EXPECT_FALSE(child.wait(deadline_after(0.05)).has_value());
  EXPECT_EQ(child.wait_or_kill(deadline_after(0.05)).describe(), "killed by signal 9 (Killed)");
  EXPECT_TRUE(testing::no_children());
}

TEST(ChildProcess, LeadsItsOwnGroup) {
  ChildProcess child({"sleep", "100"});
  EXPECT_EQ(::getpgid(child.pid()), child.pid());
  EXPECT_NE(::getpgrp(), child.pid());
}

TEST(ChildProcess, DestructionKillsTheWholeGroup) {
  pid_t leader = 0;
  pid_t grandchild = 0;
  {
    ChildProcess child(shell("sleep 100 & echo $!; wait"));
    leader = child.pid();
    grandchild = std::stoi(next_line(child));
  }
  EXPECT_TRUE(dies(leader));
  EXPECT_TRUE(dies(grandchild));
  EXPECT_TRUE(testing::no_children());
}

TEST(ChildProcess, DeathIsSeenThoughAGrandchildHoldsThePipes) {
  ChildProcess child(shell("sleep 100 & echo $!; exit 5"));
  pid_t const grandchild = std::stoi(next_line(child));
  Stopwatch const watch;
  std::string line;
  EXPECT_EQ(child.read_line(line, deadline_after(kSoon)), ReadOutcome::end_of_file);
  EXPECT_LT(watch.seconds(), 1);
  EXPECT_EQ(child.wait_or_kill(deadline_after(kSoon)).describe(), "exit code 5");
  EXPECT_TRUE(dies(grandchild));
}

TEST(ChildProcess, DeathIsSeenThoughAGrandchildFloodsStandardError) {
  ChildProcess child(shell("cat /dev/zero >&2 & exit 5"));
  std::string line;
  EXPECT_EQ(child.read_line(line, deadline_after(kSoon)), ReadOutcome::end_of_file);
  EXPECT_EQ(child.wait_or_kill(deadline_after(kSoon)).describe(), "exit code 5");
}

TEST(ChildProcess, TheLastLineOfADeadChildIsNotLost) {
  ChildProcess child(shell("sleep 100 & echo last; exit 0"));
  while (!testing::is_dead(child.pid())) {
  }
  EXPECT_EQ(next_line(child), "last");
}

TEST(ChildProcess, NoDescriptorIsLeft) {
  std::size_t const before = testing::open_descriptors();
  for (int i = 0; i < 20; ++i) {
    ChildProcess child({"cat"});
    EXPECT_TRUE(child.write_line("x", deadline_after(kSoon)));
    EXPECT_EQ(next_line(child), "x");
    EXPECT_THROW(ChildProcess({"/nowhere/worker"}), std::system_error);
  }
  EXPECT_EQ(testing::open_descriptors(), before);
  EXPECT_TRUE(testing::no_children());
}

std::set<int> descriptors_of(std::string const& process) {
  std::set<int> descriptors;
  for (auto const& entry : std::filesystem::directory_iterator("/proc/" + process + "/fd")) {
    descriptors.insert(std::stoi(entry.path().filename()));
  }
  return descriptors;
}

TEST(ChildProcess, AChildHasItsStandardStreamsAndNothingOfOurs) {
  Interrupt const interrupt;
  ChildProcess const other({"cat"}, &interrupt);
  ChildProcess child({"cat"});
  ASSERT_TRUE(child.write_line("ready", deadline_after(kSoon)));
  EXPECT_EQ(next_line(child), "ready");
  std::set<int> expected = {0, 1, 2};
  for (int const fd : descriptors_of("self")) {  // the tests may have inherited descriptors of their own
    int const flags = ::fcntl(fd, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) expected.insert(fd);
  }
  EXPECT_EQ(descriptors_of(std::to_string(child.pid())), expected);
}

TEST(ChildProcess, IgnoredSignalsAreNotInherited) {
  auto const before = std::signal(SIGPIPE, SIG_IGN);
  ChildProcess child(shell("kill -PIPE $$; echo survived"));
  std::string line;
  EXPECT_EQ(child.read_line(line, deadline_after(kSoon)), ReadOutcome::end_of_file);
  (void)std::signal(SIGPIPE, before);
}

/// Runs `body` in a forked copy of this process; returns its exit code.
template <typename Body>
int in_a_fork(Body body) {
  pid_t const pid = ::fork();
  if (pid == 0) ::_exit(body());
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(ChildProcess, DiesWithItsOwner) {
  testing::TemporaryFile const file;
  int const code = in_a_fork([&file] {
    auto* const child = new ChildProcess({"sleep", "100"});  // never destroyed: the owner is killed
    std::ofstream(file.path()) << child->pid();
    (void)::raise(SIGKILL);
    return 0;
  });
  EXPECT_EQ(code, -SIGKILL);
  ASSERT_EQ(file.pids().size(), 1U);
  EXPECT_TRUE(dies(file.pids().front()));
}

TEST(ChildProcess, WorksWhereStandardStreamsAreClosed) {
  EXPECT_EQ(in_a_fork([] {
              for (int const fd : {0, 1, 2}) (void)::close(fd);
              ChildProcess child({"cat"});
              std::string line;
              bool const good = child.write_line("hello", deadline_after(kSoon)) &&
                                child.read_line(line, deadline_after(kSoon)) == ReadOutcome::line && line == "hello";
              return good ? 0 : 1;
            }),
            0);
}

TEST(Deadline, OddDurationsAreSafe) {
  auto const now = std::chrono::steady_clock::now();
  EXPECT_GT(deadline_after(std::numeric_limits<double>::infinity()), now + std::chrono::hours(24));
  for (double const seconds : {std::numeric_limits<double>::quiet_NaN(), -5.0}) {
    Deadline const deadline = deadline_after(seconds);
    EXPECT_LE(deadline, std::chrono::steady_clock::now());
  }
}

}  // namespace
}  // namespace perfcheck::session
