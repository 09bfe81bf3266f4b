// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/told_launches.h"

#include "process_check.h"
#include "scripted.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace perfcheck::session {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using testing::scripted;

constexpr double kSoon = 20;

class ToldLaunchesTest : public ::testing::Test {
 protected:
  ToldLaunchesTest() { std::ofstream(code_) << "fake/a@*=ab\nfake/b@p1=none\n"; }
  ~ToldLaunchesTest() override { std::filesystem::remove(code_); }

  ToldLaunches ask(std::vector<std::string> flags = {}, double case_timeout_s = kSoon) const {
    flags.insert(flags.end(), {"--code", code_});
    return ask_launches({"fake/a@p1", "fake/b@p1", "fake/a@p2"}, scripted(flags), case_timeout_s, nullptr);
  }

  std::string const code_ =
      ::testing::TempDir() + "/" + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".code";
};

TEST_F(ToldLaunchesTest, AreThoseOfEveryCaseAlsoWhereNoneCanBeRead) {
  ToldLaunches const told = ask();
  EXPECT_THAT(told, ElementsAre(Key("fake/a@p1"), Key("fake/a@p2"), Key("fake/b@p1")));
  EXPECT_EQ(told.at("fake/a@p1").at(0).machine_code, "ab");
  EXPECT_THAT(told.at("fake/b@p1"), IsEmpty());
  EXPECT_TRUE(testing::no_children());
}

TEST_F(ToldLaunchesTest, LackTheCaseThatBroughtTheWorkerDown) {
  for (char const* fault : {"launches:fake/a@p1=abort", "launches:fake/a@p1=garbage"}) {
    EXPECT_THAT(ask({"--fault", fault}), ElementsAre(Key("fake/a@p2"), Key("fake/b@p1"))) << fault;
    EXPECT_TRUE(testing::no_children());
  }
}

TEST_F(ToldLaunchesTest, LackACaseThatHangs) {
  EXPECT_THAT(ask({"--fault", "launches:fake/b@p1=hang"}, 0.2), ElementsAre(Key("fake/a@p1"), Key("fake/a@p2")));
}

TEST_F(ToldLaunchesTest, AreNoneFromAWorkerThatDoesNotTell) {
  EXPECT_THAT(ask_launches({"fake/a@p1"}, scripted({"--fault", "launches:*=abort"}), kSoon, nullptr), IsEmpty());
}

TEST_F(ToldLaunchesTest, OfAWorkerThatCannotStartAreAnError) {
  EXPECT_THROW((void)ask({"--fault", "hello=abort"}), WorkerLost);
}

}  // namespace
}  // namespace perfcheck::session
