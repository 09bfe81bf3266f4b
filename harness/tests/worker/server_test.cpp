// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfcheck::worker {
namespace {

using protocol::Answer;
using protocol::ErrorAnswer;
using protocol::HelloAnswer;
using protocol::PlanAnswer;
using protocol::ProgressAnswer;
using protocol::ResultAnswer;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr LibraryInfo kLibrary{.name = "FakeBLAS", .version = [] { return std::string("1.2.3"); }};

KernelInfo info(char const* name, Arch arch = any_arch(), LibraryInfo const* library = nullptr) {
  return {.operation = "fake",
          .set = "fake/set",
          .name = name,
          .summary = "a test kernel",
          .file = "server_test.cpp",
          .line = __LINE__,
          .arch = arch,
          .library = library};
}

KernelRegistration const good{info("good")};
KernelRegistration const wrong{info("wrong")};
KernelRegistration const throws{info("throws")};
KernelRegistration const hungry{info("hungry")};
KernelRegistration const refuses{info("refuses")};
KernelRegistration const needs_gpu{info("needs_gpu", arch_at_least(9, 0))};
KernelRegistration const spoils_later{info("spoils_later")};
KernelRegistration const reference_kernel{info("reference", any_arch(), &kLibrary)};

/// What the fake kernels were asked for.
struct Calls {
  int verifications = 0;
  int launches = 0;
};

/// Spins for 20 microseconds, or 2 ms where the problem says so: "long" always, "hiccup" in the second launch. It never
/// computes anything: the operation's verdicts are scripted by kernel name.
class FakeTimedCase final : public TimedCase {
 public:
  FakeTimedCase(std::string name, std::string problem, Calls& calls)
      : name_(std::move(name)), problem_(std::move(problem)), calls_(calls) {}
  void launch(int) override {
    ++calls_.launches;
    bool const is_long = problem_ == "long" || (problem_ == "hiccup" && calls_.launches == 2);
    auto const end = std::chrono::steady_clock::now() + std::chrono::microseconds(is_long ? 2000 : 20);
    while (std::chrono::steady_clock::now() < end) {
    }
  }
  int sets() const override { return 100; }
  void renew(verify::SetRange, std::uint64_t) override {}
  void renew_late(std::uint64_t) override {}
  void compare(int, std::uint64_t, std::uint64_t) override {}
  std::string finding() override { return name_ == "spoils_later" && calls_.launches > 3 ? "row 3 differs" : ""; }
  std::string changed_inputs(int, std::uint64_t) override { return ""; }

 private:
  std::string name_;
  std::string problem_;
  Calls& calls_;
};

class FakeProblem final : public Problem {
 public:
  FakeProblem(std::string text, Calls& calls) : text_(std::move(text)), calls_(calls) {}
  std::string text() const override { return text_; }
  model::Work work() const override { return {.flop = 1000, .bytes = 64}; }
  std::string arithmetic() const override { return "f32"; }
  bool concerns(KernelInfo const& kernel) const override {
    return text_ != "only_good" || std::string_view(kernel.name) == "good";
  }
  Refusal refusal(KernelInfo const& kernel) const override {
    return std::string_view(kernel.name) == "refuses" ? Refusal("m must be even") : std::nullopt;
  }
  model::CaseName reference(KernelInfo const&) const override {
    return text_ == "no_reference" ? model::CaseName{} : model::CaseName{"fake/set/reference", text_};
  }
  model::Verification verify(device::Backend&, KernelInfo const& kernel, uint64_t) override {
    ++calls_.verifications;
    if (std::string_view(kernel.name) == "hungry") throw device::OutOfMemory("no memory for 7 bytes");
    if (std::string_view(kernel.name) == "throws") {
      throw std::runtime_error("the kernel threw");
    }
    bool const passed = std::string_view(kernel.name) != "wrong" &&
                        !(text_ == "bad_reference" && std::string_view(kernel.name) == "reference");
    return {.passed = passed,
            .checks = {{.name = "exact",
                        .passed = passed,
                        .error_over_bound = std::nullopt,
                        .detail = passed ? "" : "1 of 4 elements wrong"}}};
  }
  std::unique_ptr<TimedCase> prepare(device::Backend&, KernelInfo const& kernel, uint64_t) override {
    return std::make_unique<FakeTimedCase>(kernel.name, text_, calls_);
  }

 private:
  std::string text_;
  Calls& calls_;
};

class FakeOperation final : public Operation {
 public:
  explicit FakeOperation(Calls& calls) : calls_(calls) {}
  std::string name() const override { return "fake"; }
  std::unique_ptr<Problem> parse(std::string_view text) const override {
    if (text == "nonsense") {
      throw std::invalid_argument("'nonsense' is not a problem");
    }
    return std::make_unique<FakeProblem>(std::string(text), calls_);
  }

 private:
  Calls& calls_;
};

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    setup_.name = "fake-worker";
    setup_.backend = "cpu";
    setup_.make_backend = [this](int index) {
      if (index > 0) {
        throw device::DeviceError("there is no device 1", false);
      }
      ++backends_;
      return device::make_cpu_backend();
    };
    setup_.operation = std::make_unique<FakeOperation>(calls_);
    setup_.omitted = {{.set = "fake/tensor", .reason = "needs 90a"}};
  }

  /// The answers to one request.
  std::vector<Answer> ask(protocol::Request const& request) { return ask_line(protocol::encode(request)); }
  std::vector<Answer> ask_line(std::string const& line) {
    if (!server_) {
      server_.emplace(setup_, [this](std::string const& text) {
        lines_.push_back(text);
        if (text.find(R"("phase":"measure")") != std::string::npos) {
          launches_before_rounds_ = calls_.launches;
        }
      });
    }
    lines_.clear();
    alive_ = server_->handle(line);
    std::vector<Answer> answers;
    for (auto const& text : lines_) {
      answers.push_back(protocol::decode_answer(text, "server"));
    }
    return answers;
  }
  template <typename Kind>
  Kind last(std::vector<Answer> const& answers) {
    EXPECT_FALSE(answers.empty());
    return std::get<Kind>(answers.back());
  }
  model::CaseResult measure(std::string const& id, protocol::MeasureOptions options = {}) {
    options.max_seconds = 0.02;
    options.replay_ms = 0.2;
    return last<ResultAnswer>(ask(protocol::MeasureRequest{.case_id = id, .options = options})).result;
  }
  void hello() { (void)last<HelloAnswer>(ask(protocol::HelloRequest{.client = "test"})); }

  Calls calls_;
  int launches_before_rounds_ = 0;
  int backends_ = 0;
  bool alive_ = true;
  WorkerSetup setup_;
  std::vector<std::string> lines_;
  std::optional<Server> server_;
};

TEST_F(ServerTest, WithoutADriverTheBuildTellsWhatMachineCodeWasLaunched) {
  setup_.kernel_objects = {{.file = "another.cpp", .machine_code = "00", .called_code = "", .constants = ""},
                           {.file = "server_test.cpp", .machine_code = "ab", .called_code = "cd", .constants = "ef"}};
  hello();
  auto const launches = measure("fake/set/good@p").launches;
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches.front().function, "server_test.cpp");
  EXPECT_EQ(launches.front().machine_code, "ab");
  EXPECT_EQ(launches.front().called_code, "cd");
  EXPECT_EQ(launches.front().constants, "ef");
  EXPECT_TRUE(measure("fake/set/reference@p").launches.empty()) << "a library's code is elsewhere";
  EXPECT_TRUE(measure("fake/set/wrong@p").launches.empty()) << "nothing was timed";
}

TEST_F(ServerTest, HelloListsKernelsWithThoseThatCannotRunAndWhy) {
  auto const answer = last<HelloAnswer>(ask(protocol::HelloRequest{.client = "test"}));
  EXPECT_EQ(answer.worker.operation, "fake");
  EXPECT_EQ(answer.device.backend, "cpu");
  std::vector<std::string> ids;
  for (auto const& kernel : answer.kernels) {
    ids.push_back(kernel.id);
    if (kernel.id == "fake/set/needs_gpu") {
      EXPECT_EQ(kernel.unavailable, model::SkipReason::architecture);
      EXPECT_THAT(kernel.reason, HasSubstr("9.0"));
    }
    if (kernel.id == "fake/tensor/*") {
      EXPECT_EQ(kernel.unavailable, model::SkipReason::not_built);
    }
  }
  EXPECT_THAT(ids, ElementsAre("fake/set/good", "fake/set/hungry", "fake/set/needs_gpu", "fake/set/reference",
                               "fake/set/refuses", "fake/set/spoils_later", "fake/set/throws", "fake/set/wrong",
                               "fake/tensor/*"));
}

TEST_F(ServerTest, HelloTellsWhichKernelsAreALibrarysAndItsVersion) {
  auto const answer = last<HelloAnswer>(ask(protocol::HelloRequest{.client = "test"}));
  for (auto const& kernel : answer.kernels) {
    EXPECT_EQ(kernel.library, kernel.id == "fake/set/reference" ? "FakeBLAS" : "") << kernel.id;
  }
  EXPECT_THAT(answer.environment.libraries, ElementsAre(testing::Pair("FakeBLAS", "1.2.3")));
}

TEST_F(ServerTest, AnythingBeforeHelloIsRefusedAndTheWorkerLivesOn) {
  EXPECT_EQ(last<ErrorAnswer>(ask(protocol::PlanRequest{.problems = {"p"}})).code, "protocol");
  EXPECT_TRUE(alive_);
}

TEST_F(ServerTest, AnotherProtocolVersionIsRefusedWithBothVersionsNamed) {
  auto const error = last<ErrorAnswer>(ask(protocol::HelloRequest{.protocol = 99, .client = "test"}));
  EXPECT_EQ(error.code, "protocol");
  EXPECT_THAT(error.message, HasSubstr("99"));
}

TEST_F(ServerTest, AMissingDeviceIsAnErrorThatSaysSo) {
  auto const error = last<ErrorAnswer>(ask(protocol::HelloRequest{.client = "test", .device = 1}));
  EXPECT_EQ(error.code, "no_device");
  EXPECT_THAT(error.message, HasSubstr("no device 1"));
}

TEST_F(ServerTest, ALineThatIsNotAProtocolMessageIsAnswered) {
  EXPECT_EQ(last<ErrorAnswer>(ask_line("not json")).code, "protocol");
  EXPECT_TRUE(alive_);
}

TEST_F(ServerTest, ThePlanHoldsRefusedCasesWithReasonsAndRejectedProblems) {
  hello();
  auto const plan = last<PlanAnswer>(ask(protocol::PlanRequest{.problems = {"p", "nonsense", "only_good"}}));
  ASSERT_EQ(plan.rejected.size(), 1U);
  EXPECT_EQ(plan.rejected[0].problem, "nonsense");
  ASSERT_EQ(plan.cases.size(), 9U);
  for (auto const& planned : plan.cases) {
    EXPECT_EQ(planned.work.flop, 1000);
    if (planned.id == "fake/set/refuses@p") {
      EXPECT_EQ(planned.skip_reason, model::SkipReason::refused);
      EXPECT_EQ(planned.reason, "m must be even");
    }
    if (planned.id == "fake/set/needs_gpu@p") {
      EXPECT_EQ(planned.skip_reason, model::SkipReason::architecture);
    }
    if (planned.id == "fake/set/good@p") {
      EXPECT_EQ(planned.reference, "fake/set/reference@p");
      EXPECT_FALSE(planned.skip_reason.has_value());
    }
  }
}

TEST_F(ServerTest, AGoodCaseIsVerifiedThenTimedWithProgressOnTheWay) {
  hello();
  auto const answers =
      ask(protocol::MeasureRequest{.case_id = "fake/set/good@p", .options = {.replay_ms = 0.2, .max_seconds = 0.02}});
  std::vector<std::string> phases;
  for (auto const& answer : answers) {
    if (auto const* progress = std::get_if<ProgressAnswer>(&answer)) {
      phases.push_back(progress->phase);
    }
  }
  EXPECT_THAT(phases, ElementsAre("verify", "warm_up", "measure"));
  auto const result = last<ResultAnswer>(answers).result;
  EXPECT_EQ(result.status, model::CaseStatus::measured) << result.message;
  ASSERT_TRUE(result.rounds.has_value());
  EXPECT_GE(result.rounds->time_ns.size(), 3U);
  for (double const time : result.rounds->time_ns) {
    EXPECT_GE(time, 20e3);
  }
  EXPECT_EQ(result.verification->checks.back().name, "timed_output");
}

TEST_F(ServerTest, EveryLaunchCountsAsTimeOfTheDevice) {
  hello();
  auto const result = measure("fake/set/good@long");
  ASSERT_TRUE(result.device_seconds);
  EXPECT_GE(*result.device_seconds, calls_.launches * 2e-3);
  EXPECT_LE(*result.device_seconds, result.seconds);
  EXPECT_FALSE(measure("fake/set/wrong@p").device_seconds) << "it was never launched";
}

TEST_F(ServerTest, ALongLaunchIsRunTwiceToFindItsLength) {
  hello();
  (void)measure("fake/set/good@long");
  EXPECT_EQ(launches_before_rounds_, 4) << "one outside a replay and one in it, the reference's likewise";
}

TEST_F(ServerTest, AnInjectedSlowdownOfALongLaunchTakesItsLengthFromTheSameRuns) {
  hello();
  auto const result = measure("fake/set/good@long", {.inject_percent = 5});
  EXPECT_EQ(result.injected_percent, 5);
  EXPECT_EQ(launches_before_rounds_, 4);
}

TEST_F(ServerTest, ALaunchThatWasSlowOnceByChanceIsNotTakenForALongOne) {
  hello();
  auto const result = measure("fake/set/good@hiccup");
  ASSERT_TRUE(result.rounds);
  EXPECT_GT(result.rounds->launches, 2) << "ten of 20 us make a replay of 0.2 ms";
}

TEST_F(ServerTest, AWrongKernelGetsNoTime) {
  hello();
  auto const result = measure("fake/set/wrong@p");
  EXPECT_EQ(result.status, model::CaseStatus::incorrect);
  EXPECT_FALSE(result.rounds.has_value());
  EXPECT_EQ(result.message, "exact: 1 of 4 elements wrong");
}

TEST_F(ServerTest, AKernelWhoseTimedOutputIsWrongGetsNoTime) {
  hello();
  auto const result = measure("fake/set/spoils_later@p");
  EXPECT_EQ(result.status, model::CaseStatus::incorrect);
  EXPECT_FALSE(result.rounds.has_value());
  EXPECT_THAT(result.message, testing::ContainsRegex("^timed_output: replay [0-9]+, row 3 differs$"));
}

TEST_F(ServerTest, AKernelThatThrowsFailsAndTheWorkerLivesOn) {
  hello();
  auto const result = measure("fake/set/throws@p");
  EXPECT_EQ(result.status, model::CaseStatus::failed);
  EXPECT_EQ(result.message, "the kernel threw");
  EXPECT_TRUE(alive_);
  EXPECT_EQ(measure("fake/set/good@p").status, model::CaseStatus::measured);
}

TEST_F(ServerTest, ACaseWithAWrongReferenceFailsInsteadOfBeingCompared) {
  hello();
  auto const result = measure("fake/set/good@bad_reference");
  EXPECT_EQ(result.status, model::CaseStatus::failed);
  EXPECT_THAT(result.message, HasSubstr("its reference fake/set/reference@bad_reference is incorrect"));
}

TEST_F(ServerTest, ACaseWithoutAReferenceIsItsOwnControl) {
  hello();
  auto const result = measure("fake/set/good@no_reference");
  EXPECT_EQ(result.reference, "fake/set/good@no_reference");
  EXPECT_EQ(result.status, model::CaseStatus::measured);
}

TEST_F(ServerTest, AReferenceIsVerifiedOncePerProcessAndSeed) {
  hello();
  (void)measure("fake/set/good@p");
  EXPECT_EQ(calls_.verifications, 2);
  (void)measure("fake/set/reference@p");
  EXPECT_EQ(calls_.verifications, 2);
  (void)measure("fake/set/good@p", {.seed = 2});
  EXPECT_EQ(calls_.verifications, 4);
}

TEST_F(ServerTest, AnInjectedSlowdownLengthensTheCaseAndNotItsReference) {
  hello();
  auto const result = measure("fake/set/good@p", {.inject_percent = 50});
  ASSERT_TRUE(result.rounds.has_value());
  EXPECT_EQ(result.injected_percent, 50);
  double ratio = 0;
  for (std::size_t i = 0; i < result.rounds->time_ns.size(); ++i) {
    ratio += result.rounds->time_ns[i] / result.rounds->reference_time_ns[i] /
             static_cast<double>(result.rounds->time_ns.size());
  }
  EXPECT_GT(ratio, 1.25);
}

TEST_F(ServerTest, AnUnknownKernelOrProblemIsAnError) {
  hello();
  EXPECT_EQ(last<ErrorAnswer>(ask(protocol::MeasureRequest{.case_id = "fake/set/none@p"})).code, "unknown_case");
  EXPECT_EQ(last<ErrorAnswer>(ask(protocol::MeasureRequest{.case_id = "fake/set/good@nonsense"})).code, "unknown_case");
}

TEST_F(ServerTest, MemoryThatIsShortAfterOtherCasesAsksForAFreshProcessAndNotBefore) {
  hello();
  auto const hungry_case = [&] {
    return last<ResultAnswer>(ask(protocol::MeasureRequest{.case_id = "fake/set/hungry@p", .options = {}}));
  };
  auto const first = hungry_case();
  EXPECT_EQ(first.result.status, model::CaseStatus::failed);
  EXPECT_EQ(first.result.message, "no memory for 7 bytes");
  EXPECT_FALSE(first.context_lost) << "a fresh process has no more";
  EXPECT_TRUE(alive_);
  EXPECT_TRUE(hungry_case().context_lost);
  EXPECT_FALSE(alive_);
}

TEST_F(ServerTest, ByeEndsTheWorker) {
  hello();
  (void)ask(protocol::ByeRequest{});
  EXPECT_FALSE(alive_);
}

}  // namespace
}  // namespace perfcheck::worker
