// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a confined child can still do.
#include "confine.h"
#include "perfcheck/session/child_process.h"

#include <gmock/gmock.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

namespace perfcheck::session {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// The standard output of a shell command, confined or not.
std::string output_of(std::string const& command, Trust trust, model::Confinement* confinement = nullptr) {
  ChildProcess child({"/bin/sh", "-c", command}, nullptr, trust);
  if (confinement != nullptr) *confinement = child.confinement();
  std::string text, line;
  while (child.read_line(line, deadline_after(20)) == ReadOutcome::line) text += line + "\n";
  (void)child.wait_or_kill(deadline_after(20));
  return text;
}

/// True for root, unless a container forbids it.
bool can_change_user() {
  pid_t const child = ::fork();
  if (child == 0) ::_exit(::setgroups(0, nullptr) == 0 && ::setresuid(60578, 60578, 60578) == 0 ? 0 : 1);
  int status = 1;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

TEST(ConfinedChild, IsOfAnotherUserWhereThatCanBeAndElseItIsToldWhyNot) {
  model::Confinement confinement;
  auto const user = output_of("id -u", Trust::confined, &confinement);
  if (can_change_user()) {
    EXPECT_NE(user, std::to_string(geteuid()) + "\n");
    EXPECT_NE(user, output_of("id -u", Trust::confined)) << "each confined child must have a user of its own";
    EXPECT_THAT(confinement.applied, Contains("another user"));
  } else {
    EXPECT_EQ(user, std::to_string(geteuid()) + "\n");
    EXPECT_THAT(confinement.missing, Contains(HasSubstr("another user: ")));
  }
}

TEST(ConfinedChild, GainsNoPrivilegesAndATrustedOneIsLeftAsItIs) {
  EXPECT_EQ(output_of("grep NoNewPrivs /proc/self/status", Trust::confined), "NoNewPrivs:\t1\n");
  EXPECT_EQ(output_of("id -u", Trust::full), std::to_string(geteuid()) + "\n");
  model::Confinement confinement;
  (void)output_of("true", Trust::full, &confinement);
  EXPECT_TRUE(confinement.applied.empty() && confinement.missing.empty());
}

TEST(ConfinedChild, NeitherLooksIntoNorStopsNorOverwritesWhatItsParentOwns) {
  if (!can_change_user()) GTEST_SKIP() << "no child can be of another user here; run as root";
  auto const path = std::filesystem::temp_directory_path() / ("perfcheck-confine-" + std::to_string(getpid()));
  std::ofstream(path) << "baseline\n";
  auto const told = output_of(
      "head -c 1 /proc/$PPID/environ >/dev/null 2>&1 && echo read; kill -0 $PPID 2>/dev/null && echo "
      "stop; (echo bad >> " +
          path.string() + ") 2>/dev/null && echo wrote; echo end",
      Trust::confined);
  std::filesystem::remove(path);
  EXPECT_EQ(told, "end\n");
}

TEST(ConfinedChild, IsSweptAwayOnlyByAProcessThatHasWhollyBecomeItsUser) {
  EXPECT_TRUE(is_confined_user({.real = 60600, .effective = 60600, .saved = 60600}));
  for (auto const& [real, effective, saved] : std::vector<std::tuple<unsigned, unsigned, unsigned>>{
           {0, 0, 0},           // root: a sweep would end every process of the machine
           {1000, 1000, 1000},  // a developer
           {0, 60600, 60600},   // it may still signal everything that root may
           {60600, 0, 60600},
           {60600, 60600, 0},
           {60600, 60601, 60600},  // the users of two confined processes
       }) {
    EXPECT_FALSE(is_confined_user({.real = real, .effective = effective, .saved = saved}))
        << real << ' ' << effective << ' ' << saved;
  }
  auto const user = unused_user();
  EXPECT_TRUE(is_confined_user({.real = user, .effective = user, .saved = user}));
}

TEST(ConfinedChild, LeavesNoProcessBehindThatHidFromItsGroup) {
  if (!can_change_user()) GTEST_SKIP() << "no child can be of another user here; run as root";
  ChildProcess child({"/bin/sh", "-c", "setsid sleep 1000 & echo $!; wait"}, nullptr, Trust::confined);
  std::string pid;
  ASSERT_EQ(child.read_line(pid, deadline_after(20)), ReadOutcome::line);
  auto const is_there = [&] { return ::kill(std::stoi(pid), 0) == 0; };
  EXPECT_TRUE(is_there());
  (void)child.kill();
  for (int i = 0; i < 200 && is_there(); ++i) ::usleep(10'000);
  EXPECT_FALSE(is_there());
}

TEST(ConfinedChild, MayBeAScriptInAFolderThatIsClosedToIt) {
  auto const folder = std::filesystem::temp_directory_path() / ("perfcheck-script-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  std::ofstream(folder / "worker") << "#!/bin/sh\necho \"ran with $1\"\n";
  std::filesystem::permissions(folder / "worker", std::filesystem::perms(0755));
  ChildProcess child({(folder / "worker").string(), "one"}, nullptr, Trust::confined);
  std::string line;
  EXPECT_EQ(child.read_line(line, deadline_after(20)), ReadOutcome::line) << child.error_tail();
  EXPECT_EQ(line, "ran with one");
  (void)child.kill();
  std::filesystem::remove_all(folder);
}

TEST(ConfinedChild, IsKilledThoughItIsOfAnotherUser) {
  ChildProcess child({"/bin/sh", "-c", "exec sleep 100"}, nullptr, Trust::confined);
  auto const end = child.kill();
  EXPECT_TRUE(end.signalled);
  EXPECT_EQ(end.code, SIGKILL);
}

TEST(ConfinedChild, ThatCannotBeExecutedIsNamed) {
  try {
    ChildProcess child({"/nowhere/worker"}, nullptr, Trust::confined);
    FAIL() << "it was started";
  } catch (std::system_error const& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/worker"));
  }
}

}  // namespace
}  // namespace perfcheck::session
