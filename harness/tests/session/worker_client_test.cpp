// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/worker_client.h"

#include "process_check.h"
#include "scripted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <optional>
#include <system_error>

namespace perfcheck::session {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::faulty;
using ::testing::HasSubstr;
using testing::scripted;
using ::testing::StartsWith;
using testing::Stopwatch;

constexpr double kSoon = 20;
constexpr char const* kCase = "fake/a@f32,nn,m64n64k64";

protocol::MeasureRequest request_for(std::string const& id) {
  protocol::MeasureRequest request;
  request.case_id = id;
  return request;
}

/// The WorkerLost that `action` throws.
template <typename Action>
std::optional<WorkerLost> loss_of(Action action) {
  try {
    action();
  } catch (WorkerLost const& lost) {
    return lost;
  }
  return {};
}

TEST(WorkerClient, AGoodWorkerSaysHelloPlansAndMeasures) {
  WorkerClient client(scripted(), nullptr);
  EXPECT_EQ(client.hello().device.slug, "scripted-device");
  EXPECT_EQ(client.hello().kernels.size(), 3U);

  protocol::PlanAnswer const plan = client.plan({"f32,nn,m64n64k64"}, kSoon);
  ASSERT_EQ(plan.cases.size(), 3U);
  EXPECT_EQ(plan.cases[1].id, kCase);
  EXPECT_EQ(plan.cases[1].reference, "fake/reference@f32,nn,m64n64k64");

  std::vector<std::string> phases;
  protocol::ResultAnswer const answer = client.measure(
      request_for(kCase), kSoon, [&](protocol::ProgressAnswer const& progress) { phases.push_back(progress.phase); });
  EXPECT_EQ(answer.result.status, model::CaseStatus::measured);
  EXPECT_THAT(phases, ElementsAre("verify", "measure"));
  client.close();
  EXPECT_TRUE(testing::no_children());
}

TEST(WorkerClient, RejectedProblemsAndRefusedCasesAreReported) {
  WorkerClient client(scripted({"--reject", "nonsense*", "--refuse", "fake/b@*=odd sizes only"}), nullptr);
  protocol::PlanAnswer const plan = client.plan({"nonsense1", "p"}, kSoon);
  ASSERT_EQ(plan.rejected.size(), 1U);
  EXPECT_EQ(plan.rejected[0].problem, "nonsense1");
  ASSERT_EQ(plan.cases.size(), 3U);
  EXPECT_EQ(plan.cases[2].skip_reason, model::SkipReason::refused);
  EXPECT_EQ(plan.cases[2].reason, "odd sizes only");
}

TEST(WorkerClient, AWorkerThatCannotServeSaysWhy) {
  WorkerCommand command = scripted();
  command.device = 7;
  try {
    WorkerClient const client(command, nullptr);
    FAIL() << "it serves";
  } catch (WorkerRefused const& refused) {
    EXPECT_EQ(refused.code(), "no_device");
    EXPECT_STREQ(refused.what(), "there is no device 7");
  }
  EXPECT_TRUE(testing::no_children());
}

TEST(WorkerClient, AnotherProtocolVersionIsARefusalWithARemedy) {
  try {
    WorkerClient const client(faulty(R"(hello=patch:[{"op":"replace","path":"/protocol","value":1}])"), nullptr);
    FAIL() << "it serves";
  } catch (WorkerRefused const& refused) {
    EXPECT_EQ(refused.code(), "protocol");
    EXPECT_THAT(refused.what(), HasSubstr("protocol version 1 is not supported"));
    EXPECT_THAT(refused.what(), HasSubstr("same release"));
  }
}

TEST(WorkerClient, AWorkerIsUsableAfterAnErrorAnswer) {
  WorkerClient client(scripted(), nullptr);
  EXPECT_THROW((void)client.measure(request_for("no/such@p"), kSoon), WorkerRefused);
  EXPECT_EQ(client.measure(request_for(kCase), kSoon).result.id, kCase);
}

TEST(WorkerClient, AMissingProgramIsASystemError) {
  WorkerCommand command;
  command.argv = {"/nowhere/worker"};
  EXPECT_THROW(WorkerClient(command, nullptr), std::system_error);
}

TEST(WorkerClient, LastWordsAreOneLineThatATerminalCanShow) {
  WorkerCommand command;
  command.argv = {"/bin/sh", "-c", R"(printf 'one\n\ntwo\033[31m\377\n' >&2; exit 9)"};
  auto const lost = loss_of([&] { WorkerClient(command, nullptr); });
  ASSERT_TRUE(lost.has_value());
  EXPECT_STREQ(lost->what(), "worker died: exit code 9 while starting; last words: one | two[31m\xef\xbf\xbd");
}

TEST(WorkerClient, ACrashTellsWhatItWasDoing) {
  WorkerClient client(faulty("during:*=segv"), nullptr);
  auto const lost = loss_of([&] { (void)client.measure(request_for(kCase), kSoon); });
  ASSERT_TRUE(lost.has_value());
  EXPECT_STREQ(lost->what(),
               "worker died: killed by signal 11 (Segmentation fault) while measuring fake/a@f32,nn,m64n64k64; "
               "last words: scripted worker: now segv");
  EXPECT_TRUE(testing::no_children());
}

TEST(WorkerClient, ATimeOutComesInTimeWhateverTheWorkerSays) {
  for (char const* fault : {"during:*=hang", "during:*=flood-progress", "during:*=flood-errors"}) {
    WorkerClient client(testing::scripted({"--ignore-sigterm", "--fault", fault}), nullptr);
    Stopwatch const watch;
    auto const lost = loss_of([&] { (void)client.measure(request_for(kCase), 0.2); });
    EXPECT_LT(watch.seconds(), 5) << fault;
    ASSERT_TRUE(lost.has_value()) << fault;
    EXPECT_EQ(lost->how(), WorkerLost::How::timed_out) << fault;
    EXPECT_THAT(lost->what(), HasSubstr("exceeded its time limit while measuring fake/a@")) << fault;
    EXPECT_TRUE(testing::no_children()) << fault;
  }
}

TEST(WorkerClient, AHangAtHelloOrPlanIsATimeOut) {
  WorkerCommand command = faulty("hello=hang");
  command.start_timeout_s = 0.2;
  auto lost = loss_of([&] { WorkerClient(command, nullptr); });
  ASSERT_TRUE(lost.has_value());
  EXPECT_EQ(lost->how(), WorkerLost::How::timed_out);
  EXPECT_THAT(lost->what(), HasSubstr("while starting"));

  WorkerClient client(faulty("plan=hang"), nullptr);
  lost = loss_of([&] { (void)client.plan({"p"}, 0.2); });
  ASSERT_TRUE(lost.has_value());
  EXPECT_EQ(lost->how(), WorkerLost::How::timed_out);
}

TEST(WorkerClient, AWorkerThatIgnoresByeIsKilled) {
  WorkerClient client(testing::scripted({"--ignore-sigterm", "--fault", "bye=hang"}), nullptr);
  Stopwatch const watch;
  client.close();
  EXPECT_LT(watch.seconds(), 5);
  EXPECT_TRUE(testing::no_children());
}

TEST(WorkerClient, AnErrorIsToldInOneLineOfLimitedLength) {
  std::string const error =
      R"({"type":"error","code":"lost\nhope","message":"first\nsecond\u001b[2J)" + std::string(1000, 'w') + R"("})";
  WorkerClient client(faulty(R"(result:*=patch:[{"op":"replace","path":"","value":)" + error + "}]"), nullptr);
  try {
    (void)client.measure(request_for(kCase), kSoon);
    FAIL() << "nothing was thrown";
  } catch (WorkerRefused const& refused) {
    EXPECT_EQ(refused.code(), "lost | hope");
    EXPECT_THAT(refused.what(), AllOf(StartsWith("first | second[2Jwww"), EndsWith("www...")));
    EXPECT_LT(std::string(refused.what()).size(), 410U);
  }
}

TEST(WorkerClient, AGrandchildThatHoldsThePipesNeitherBlocksNorSurvives) {
  testing::TemporaryFile const pids;
  WorkerClient client(scripted({"--pid-file", pids.path(), "--fault", "during:*=grandchild"}), nullptr);
  Stopwatch const watch;
  auto const lost = loss_of([&] { (void)client.measure(request_for(kCase), kSoon); });
  EXPECT_LT(watch.seconds(), 5);
  ASSERT_TRUE(lost.has_value());
  EXPECT_THAT(lost->what(), HasSubstr("died: exit code 3 while measuring"));
  for (pid_t const pid : pids.pids()) EXPECT_TRUE(testing::dies(pid)) << pid;
}

TEST(WorkerClient, ABurstOfErrorsIsNoProblem) {
  WorkerClient client(faulty("during:*=burst-errors"), nullptr);
  EXPECT_EQ(client.measure(request_for(kCase), kSoon).result.status, model::CaseStatus::measured);
}

TEST(WorkerClient, TextThatNobodyAskedForIsNoticedBeforeTheNextRequest) {
  WorkerClient client(faulty("after:fake/b@*=say:debug output"), nullptr);
  (void)client.measure(request_for("fake/b@p"), kSoon);
  auto const lost = loss_of([&] { (void)client.measure(request_for(kCase), kSoon); });
  ASSERT_TRUE(lost.has_value());
  EXPECT_EQ(lost->how(), WorkerLost::How::protocol);
  EXPECT_THAT(lost->what(), HasSubstr("debug output"));
}

TEST(WorkerClient, NothingIsLeftAfterAnyEnd) {
  std::size_t const descriptors = testing::open_descriptors();
  for (char const* fault : {"hello=abort", "hello=say:x", "during:*=segv", "result:*=half-line",
                            "during:*=close-output", "result:*=flood-output", "during:*=grandchild"}) {
    auto const measure = [&] {
      WorkerClient client(faulty(fault), nullptr);
      (void)client.measure(request_for(kCase), kSoon);
    };
    EXPECT_THROW(measure(), WorkerLost) << fault;
  }
  EXPECT_EQ(testing::open_descriptors(), descriptors);
  EXPECT_TRUE(testing::no_children());
}

TEST(WorkerClient, AnInterruptKillsTheWorkerAtOnce) {
  testing::StandardSignals const standard;
  testing::TemporaryFile const pids;
  Interrupt const interrupt;
  Stopwatch const watch;
  EXPECT_THROW(
      {
        WorkerClient client(
            testing::scripted({"--ignore-sigterm", "--pid-file", pids.path(), "--fault", "during:*=hang"}), &interrupt);
        (void)client.measure(request_for(kCase), 60, [](auto const&) { (void)::raise(SIGTERM); });
      },
      Interrupted);
  EXPECT_LT(watch.seconds(), 5);
  ASSERT_EQ(pids.pids().size(), 1U);
  EXPECT_TRUE(testing::is_dead(pids.pids().front()));
}

struct Misbehaviour {
  char const* name;
  char const* fault;
  WorkerLost::How how;
  char const* says;
};

std::ostream& operator<<(std::ostream& out, Misbehaviour const& row) { return out << row.name; }

using How = WorkerLost::How;

class AtHello : public ::testing::TestWithParam<Misbehaviour> {};

TEST_P(AtHello, IsCaught) {
  auto const lost = loss_of([] { WorkerClient(faulty(GetParam().fault), nullptr); });
  ASSERT_TRUE(lost.has_value());
  EXPECT_EQ(lost->how(), GetParam().how);
  EXPECT_THAT(lost->what(), HasSubstr(GetParam().says));
  EXPECT_TRUE(testing::no_children());
}

INSTANTIATE_TEST_SUITE_P(
    WorkerClient, AtHello,
    ::testing::Values(
        Misbehaviour{"Abort", "hello=abort", How::crashed, "killed by signal 6 (Aborted) while starting"},
        Misbehaviour{"Exit", "hello=exit:3", How::crashed, "exit code 3 while starting"},
        Misbehaviour{"NotJson", "hello=say:Segmentation fault", How::protocol, "it said: Segmentation fault"},
        Misbehaviour{"EmptyLine", "hello=say:", How::protocol, "broke the protocol"},
        Misbehaviour{"UnknownType", R"(hello=say:{"type":"dance"})", How::protocol, "is not an answer"},
        Misbehaviour{"NoType", "hello=say:{}", How::protocol, "type"},
        Misbehaviour{"NoObject", "hello=say:[1]", How::protocol, "object"},
        Misbehaviour{"Binary", "hello=garbage", How::protocol, "broke the protocol"},
        Misbehaviour{"HalfALine", "hello=half-line", How::crashed, "half a line: {\"type\":\"resu"},
        Misbehaviour{"Flood", "hello=flood-output", How::protocol, "a line of more than 16777216 bytes"},
        Misbehaviour{"LongLine", "hello=long-line", How::protocol, "a line of more than 16777216 bytes"},
        Misbehaviour{"ClosedOutput", "hello=close-output", How::protocol, "closed its output without exiting"},
        Misbehaviour{"AnotherAnswer", R"(hello=say:{"type":"plan","cases":[],"rejected":[]})", How::protocol,
                     "did not answer hello with hello"},
        Misbehaviour{"AnotherDevice", R"(hello=patch:[{"op":"replace","path":"/device/index","value":1}])",
                     How::protocol, "asked for device 0, the worker uses device 1"},
        Misbehaviour{"TwoBackends", R"(hello=patch:[{"op":"replace","path":"/device/backend","value":"cuda"}])",
                     How::protocol, "backend"},
        Misbehaviour{"KernelTwice", R"(hello=patch:[{"op":"copy","from":"/kernels/0","path":"/kernels/-"}])",
                     How::protocol, "kernel fake/reference is listed twice"}),
    [](auto const& row) { return row.param.name; });

class AtPlan : public ::testing::TestWithParam<Misbehaviour> {};

TEST_P(AtPlan, IsCaught) {
  WorkerClient client(faulty(GetParam().fault), nullptr);
  auto const lost = loss_of([&] { (void)client.plan({"p"}, kSoon); });
  ASSERT_TRUE(lost.has_value());
  EXPECT_EQ(lost->how(), GetParam().how);
  EXPECT_THAT(lost->what(), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    WorkerClient, AtPlan,
    ::testing::Values(
        Misbehaviour{"Segfault", "plan=segv", How::crashed, "while planning"},
        Misbehaviour{"CaseTwice", R"(plan=patch:[{"op":"copy","from":"/cases/0","path":"/cases/-"}])", How::protocol,
                     "planned twice"},
        Misbehaviour{"CaseOfTwoLines", R"(plan=patch:[{"op":"replace","path":"/cases/0/id","value":"a\n@b"}])",
                     How::protocol, "without control characters"},
        Misbehaviour{"BadId", R"(plan=patch:[{"op":"replace","path":"/cases/0/id","value":"kernel"}])", How::protocol,
                     "kernel@problem"},
        Misbehaviour{"NoReference", R"(plan=patch:[{"op":"replace","path":"/cases/0/reference","value":""}])",
                     How::protocol, "cases[0].reference"},
        Misbehaviour{"SkippedWithoutReason",
                     R"(plan=patch:[{"op":"add","path":"/cases/0/skip_reason","value":"refused"}])", How::protocol,
                     "cases[0].reason"},
        Misbehaviour{"UnknownSkip", R"(plan=patch:[{"op":"add","path":"/cases/0/skip_reason","value":"lazy"}])",
                     How::protocol, "lazy"},
        Misbehaviour{"UnknownKey", R"(plan=patch:[{"op":"add","path":"/cases/0/speed","value":1}])", How::protocol,
                     "speed"},
        Misbehaviour{"NaNWork", R"(plan=patch:[{"op":"replace","path":"/cases/0/work/flop","value":"NaN"}])",
                     How::protocol, "JSON"}),
    [](auto const& row) { return row.param.name; });

class AtResult : public ::testing::TestWithParam<Misbehaviour> {};

TEST_P(AtResult, IsCaught) {
  WorkerClient client(faulty(GetParam().fault), nullptr);
  auto const lost = loss_of([&] { (void)client.measure(request_for(kCase), kSoon); });
  ASSERT_TRUE(lost.has_value());
  EXPECT_EQ(lost->how(), GetParam().how);
  EXPECT_THAT(lost->what(), HasSubstr(GetParam().says));
  EXPECT_THAT(lost->what(), HasSubstr(kCase));
  EXPECT_TRUE(testing::no_children());
}

INSTANTIATE_TEST_SUITE_P(
    WorkerClient, AtResult,
    ::testing::Values(
        Misbehaviour{"Before", "before:*=abort", How::crashed, "(Aborted) while starting on"},
        Misbehaviour{"While", "during:*=exit:3", How::crashed, "exit code 3 while measuring"},
        Misbehaviour{"ExitZero", "during:*=exit:0", How::crashed, "exit code 0 while measuring"},
        Misbehaviour{"HalfALine", "result:*=half-line", How::crashed, "half a line"},
        Misbehaviour{"Binary", "result:*=garbage", How::protocol, "broke the protocol while measuring"},
        Misbehaviour{"NotJson", "result:*=say:<html>", How::protocol, "it said: <html>"},
        Misbehaviour{"Hello", "result:*=patch:[{\"op\":\"replace\",\"path\":\"/type\",\"value\":\"hello\"}]",
                     How::protocol, "broke the protocol"},
        Misbehaviour{"AnotherCase", R"(result:*=patch:[{"op":"replace","path":"/result/id","value":"fake/b@p"}])",
                     How::protocol, "the result is of fake/b@p"},
        Misbehaviour{"ProgressOfAnotherCase", R"(during:*=say:{"type":"progress","case":"fake/b@p","phase":"verify"})",
                     How::protocol, "progress of fake/b@p"},
        Misbehaviour{"NegativeTime",
                     R"(result:*=patch:[{"op":"replace","path":"/result/rounds/time_ns/3","value":-5}])", How::protocol,
                     "time_ns[3]"},
        Misbehaviour{"NaN", R"(result:*=patch:[{"op":"replace","path":"/result/rounds/time_ns/3","value":"NaN"}])",
                     How::protocol, "JSON"},
        Misbehaviour{"Null", R"(result:*=patch:[{"op":"replace","path":"/result/rounds/time_ns/3","value":null}])",
                     How::protocol, "time_ns[3]"},
        Misbehaviour{"RaggedColumns", R"(result:*=patch:[{"op":"remove","path":"/result/rounds/reference_time_ns/0"}])",
                     How::protocol, "reference_time_ns"},
        Misbehaviour{"EmptyRounds",
                     R"(result:*=patch:[{"op":"replace","path":"/result/rounds/time_ns","value":[]},
                                        {"op":"replace","path":"/result/rounds/reference_time_ns","value":[]}])",
                     How::protocol, "time_ns"},
        Misbehaviour{"NoRounds", R"(result:*=patch:[{"op":"remove","path":"/result/rounds"}])", How::protocol,
                     "rounds"},
        Misbehaviour{"NoVerification", R"(result:*=patch:[{"op":"remove","path":"/result/verification"}])",
                     How::protocol, "verification"},
        Misbehaviour{"NoChecks", R"(result:*=patch:[{"op":"replace","path":"/result/verification/checks","value":[]}])",
                     How::protocol, "verification"},
        Misbehaviour{"IncorrectWithRounds",
                     R"(result:*=patch:[{"op":"replace","path":"/result/status","value":"incorrect"},
                                        {"op":"add","path":"/result/message","value":"wrong"}])",
                     How::protocol, "rounds"},
        Misbehaviour{"IncorrectWithoutAFailedCheck",
                     R"(result:*=patch:[{"op":"replace","path":"/result/status","value":"incorrect"},
                                        {"op":"add","path":"/result/message","value":"wrong"},
                                        {"op":"remove","path":"/result/verification"},
                                        {"op":"remove","path":"/result/proof"},
                                        {"op":"remove","path":"/result/rounds"}])",
                     How::protocol, "result.verification"},
        Misbehaviour{"NoProof", R"(result:*=patch:[{"op":"remove","path":"/result/proof"}])", How::protocol,
                     "came back without \"proof\""},
        Misbehaviour{"ComparedMoreThanItRan",
                     R"(result:*=patch:[{"op":"replace","path":"/result/proof/compared","value":4000}])", How::protocol,
                     "result.proof.compared"},
        Misbehaviour{"ImplausibleWithATime",
                     R"(result:*=patch:[{"op":"replace","path":"/result/status","value":"implausible"},
                                        {"op":"add","path":"/result/message","value":"too fast"}])",
                     How::protocol, "result.rounds"},
        Misbehaviour{"Skipped",
                     R"(result:*=patch:[{"op":"replace","path":"/result/status","value":"skipped"},
                                        {"op":"add","path":"/result/message","value":"tired"},
                                        {"op":"add","path":"/result/skip_reason","value":"refused"},
                                        {"op":"remove","path":"/result/proof"},
                                        {"op":"remove","path":"/result/rounds"}])",
                     How::protocol, "came back skipped"},
        Misbehaviour{"InjectsUnasked", R"(result:*=patch:[{"op":"add","path":"/result/injected_percent","value":5}])",
                     How::protocol, "injected 5"}),
    [](auto const& row) { return row.param.name; });

}  // namespace
}  // namespace perfcheck::session
