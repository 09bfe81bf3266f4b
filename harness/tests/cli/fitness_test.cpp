// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A machine that is not fit for measuring: perfcheck waits or measures again, and never blames the code.
#include "program.h"

#include "perfcheck/session/child_process.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <fcntl.h>

namespace perfcheck::cli::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr char const* kBusyState =
    R"json({"throttle_reasons":[],"other_processes":1,"processes":["pid 8123 (python, user ada)"]})json";

class Fitness : public ProgramTest {
 protected:
  /// Worker arguments: its answer at `step` reports another process on the device; `faults` limits this to some of its
  /// processes.
  std::string busy_at(std::string const& step, std::string const& faults = "") const {
    return fmt::format("--fault '{}=patch:[{{\"op\":\"add\",\"path\":\"{}/state\",\"value\":{}}}]' {}", step,
                       step == "hello" ? "" : "/result", kBusyState, faults);
  }
};

TEST_F(Fitness, ABusyDeviceIsWaitedForAndThenNamed) {
  record();
  Finished const finished = measure("check", {"--retry-budget", "0.1"}, busy_at("hello"));
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("waiting"), HasSubstr("the machine is not fit: busy: pid 8123 (python, "
                                                                  "user ada) on the device; waited 0 s")));
  EXPECT_EQ(finished.out, "") << "nothing was measured, so nothing must be decided";
}

TEST_F(Fitness, ADeviceThatBecomesFreeIsMeasured) {
  record();
  Finished const finished = measure("check", {"--retry-budget", "30"},
                                    busy_at("hello", fmt::format("--faults-in 'first:{}'", file("n").string())));
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("waiting"));
}

TEST_F(Fitness, CasesOfABusyMomentAreMeasuredAgain) {
  record();
  // The first process plans; the second one is the screen's.
  std::string const once = fmt::format("--faults-in 'second:{}'", file("n").string());
  Finished const finished = measure("check", {"--retry-budget", "30", "--out", "now.run.json"},
                                    busy_at("result:fake/a@*", once) + " --slow 'fake/a@*=1'");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(outcomes(finished.json()), Each(Pair(::testing::_, "pass")));
  EXPECT_THAT(finished.err, HasSubstr("2 of 6 cases do not count, the machine was not fit: busy: pid 8123"));
  EXPECT_THAT(read(file("now.run.json")),
              HasSubstr("\"unfit\": [\"busy: pid 8123 (python, user ada) on the device\"]"));
}

TEST_F(Fitness, ASlowCaseOnABusyDeviceIsNoRegression) {
  record();
  Finished const finished = measure("check", {"--retry-budget", "0"}, busy_at("result:*") + " --slow '*=2'");
  EXPECT_EQ(finished.code, 3) << finished.err;
  auto const cases = finished.json().at("cases");  // a copy: a loop over part of a temporary would dangle
  for (auto const& entry : cases) {
    EXPECT_EQ(entry.at("verdict"), "incomparable");
    EXPECT_EQ(entry.at("reason_code"), "machine_unfit");
    EXPECT_THAT(entry.at("reason"), HasSubstr("busy: pid 8123"));
  }
}

TEST_F(Fitness, AWrongResultOnABusyDeviceStaysWrong) {
  record();
  Finished const finished =
      measure("check", {"--retry-budget", "0"}, busy_at("result:fake/b*") + " --fault 'result:fake/a@*=incorrect'");
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/a@f32,nn,m64n64k64", "incorrect")));
}

TEST_F(Fitness, NothingUnfitBecomesABaseline) {
  Finished const finished =
      measure("run", {"--retry-budget", "0", "--sessions", "2", "--out", "new.run.json"}, busy_at("result:*"));
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(outcomes(finished.json()), Each(Pair(::testing::_, "unfit")));
  Finished const accepted = perfcheck({"baseline", "accept", "new.run.json", "--why", "test"});
  EXPECT_NE(accepted.code, 0);
  EXPECT_THAT(accepted.err, HasSubstr("nothing in it was measured on a fit machine"));
}

TEST_F(Fitness, TheDriverThatIsAskedForIsAskedFor) {
  std::string const config = read(file("perfcheck.toml"));
  write("perfcheck.toml", config + "\n[fitness]\ndriver = \"580.*\"\nretry_s = 0\n");
  Finished const finished = measure("run");
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("wrong driver: 1.0, and [fitness] asks for 580.*"));
}

TEST_F(Fitness, IsAskedForByTheDoctor) {
  Finished const fit = perfcheck({"doctor", "--fit", "--worker", worker()});
  EXPECT_EQ(fit.code, 0) << fit.out << fit.err;
  Finished const busy = perfcheck({"doctor", "--fit", "--worker", worker(busy_at("hello"))});
  EXPECT_EQ(busy.code, 3);
  EXPECT_THAT(busy.out, HasSubstr("unfit: busy: pid 8123"));
  Finished const later =
      perfcheck({"doctor", "--fit", "--retry-budget", "30", "--worker",
                 worker(busy_at("hello", fmt::format("--faults-in 'first:{}'", file("n").string())))});
  EXPECT_EQ(later.code, 0) << later.err;
}

TEST_F(Fitness, AGpuThatAnotherPerfcheckMeasuresOnIsWaitedFor) {
  // The lock that the program takes for a GPU with this id.
  std::string const lock = file("perfcheck-scripted-0.lock").string();
  int const held = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_GE(held, 0);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  ::setenv("PERFCHECK_LOCK_DIR", folder_.c_str(), 1);
  Finished const waited = measure("run", {"--retry-budget", "1"}, "--backend cuda");
  EXPECT_EQ(waited.code, 3);
  EXPECT_THAT(waited.err, HasSubstr("busy: another process measures on this device with perfcheck"));
  ::close(held);
  Finished const free = measure("run", {"--retry-budget", "1"}, "--backend cuda");
  ::unsetenv("PERFCHECK_LOCK_DIR");
  EXPECT_EQ(free.code, 0) << free.err;
}

}  // namespace
}  // namespace perfcheck::cli::testing
