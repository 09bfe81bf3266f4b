// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/orphans.h"

#include "perfcheck/session/child_process.h"
#include "process_check.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace perfcheck::session {
namespace {

using testing::is_dead;

/// A command that leaves an orphan behind, in a session of its own, and then waits.
std::vector<std::string> leaves_one_behind(char const* what = "sleep 100") {
  return {"/bin/sh", "-c", std::string("setsid sh -c '") + what + " & echo $!' & wait; echo ready; sleep 100"};
}

std::string next_line(ChildProcess& child) {
  std::string line;
  EXPECT_EQ(child.read_line(line, deadline_after(5)), ReadOutcome::line);
  return line;
}

/// Waits until the child has left a process behind; returns that process's id.
pid_t left_behind_by(ChildProcess& child) {
  pid_t const left = std::stoi(next_line(child));
  EXPECT_EQ(next_line(child), "ready");
  EXPECT_FALSE(is_dead(left));
  return left;
}

TEST(Orphans, OfAChildThatTakesThemAlongEndWithIt) {
  OrphanKeeper const keeper;
  pid_t left = 0;
  {
    ChildProcess child(leaves_one_behind());
    child.take_orphans_along();
    left = left_behind_by(child);
  }
  EXPECT_TRUE(is_dead(left));
  EXPECT_TRUE(testing::no_children());
}

TEST(Orphans, OfOrphansEndToo) {
  OrphanKeeper const keeper;
  pid_t left = 0;
  {
    ChildProcess child(leaves_one_behind("sh -c \"setsid sleep 100; :\""));
    child.take_orphans_along();
    left = left_behind_by(child);
  }
  EXPECT_TRUE(is_dead(left));
  EXPECT_TRUE(testing::no_children());
}

TEST(Orphans, AreLookedForWhileOtherProcessesComeAndGo) {
  OrphanKeeper const keeper;
  ChildProcess others({"/bin/sh", "-c", "for i in 1 2 3 4; do (while :; do : & wait; done) & done; wait"});
  others.take_orphans_along();
  for (auto const end = deadline_after(3); std::chrono::steady_clock::now() < end;) {
    ChildProcess child({"/bin/true"});
    child.take_orphans_along();
    EXPECT_NO_THROW((void)child.wait(deadline_after(5)));
  }
}

TEST(Orphans, OfAChildThatEndsByItselfEnd) {
  OrphanKeeper const keeper;
  ChildProcess child({"/bin/sh", "-c", "setsid sleep 100 & echo $!"});
  child.take_orphans_along();
  pid_t const left = std::stoi(next_line(child));
  ASSERT_TRUE(child.wait(deadline_after(5)).has_value());
  EXPECT_TRUE(is_dead(left));
  EXPECT_TRUE(testing::no_children());
}

TEST(Orphans, OtherChildrenStay) {
  OrphanKeeper const keeper;
  auto builder = std::make_unique<ChildProcess>(leaves_one_behind());
  pid_t const daemon = left_behind_by(*builder);
  ::usleep(20000);  // longer than a tick of the kernel's clock, so that start times differ
  ChildProcess sibling({"sleep", "100"});
  {
    ChildProcess child({"sleep", "100"});
    child.take_orphans_along();
    (void)child.kill();
  }
  EXPECT_FALSE(is_dead(sibling.pid()));
  EXPECT_FALSE(is_dead(daemon)) << "it started before the child that ended, so it must stay";
  (void)::kill(daemon, SIGKILL);
  (void)sibling.kill();
  builder.reset();
  while (::waitpid(-1, nullptr, 0) > 0) {
  }
}

TEST(Orphans, StayWhereNobodyKeepsThem) {
  pid_t left = 0;
  {
    ChildProcess child(leaves_one_behind());
    child.take_orphans_along();
    left = left_behind_by(child);
  }
  EXPECT_FALSE(is_dead(left));
  (void)::kill(left, SIGKILL);
}

}  // namespace
}  // namespace perfcheck::session
