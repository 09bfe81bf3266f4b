// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/json.h"
#include "perfcheck/model/summary.h"
#include "perfcheck/store/store.h"
#include "samples.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>

namespace perfcheck::store {
namespace {

namespace samples = model::samples;
using model::Baseline;
using model::CaseStatus;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char const* kCase = "gemm/simt/naive@f32,nn,m512n512k512";
AcceptOptions const kOptions{
    .who = "Ada", .when = "2026-11-21T09:00:00Z", .why = "first", .replace = false, .allow_dirty = false};

/// Makes the numbers of each session unique, as in separate processes.
void vary(model::Run const& run, model::Session& session) {
  double const share = static_cast<double>(std::hash<std::string>()(run.id + session.id) % 1000) * 1e-6;
  for (double& time : session.cases.at(0).rounds.value().time_ns) {
    time *= 1 + share;
  }
}

/// A clean run with one measured case per session.
model::Run run_of(std::string const& id, std::size_t sessions = 1) {
  model::Run run = samples::small_run();
  run.id = id;
  run.source.commit = "c0ffee";
  run.sessions[0].cases[0].launches = {
      {.function = "f", .grid = {8, 8, 1}, .block = {32, 4, 1}, .registers = 40, .machine_code = "abc"}};
  while (run.sessions.size() < sessions) {
    run.sessions.push_back(run.sessions.back());
    run.sessions.back().id = "s" + std::to_string(run.sessions.size());
  }
  for (model::Session& session : run.sessions) {
    vary(run, session);
  }
  return run;
}

/// Options that accept sessions with different machine code.
AcceptOptions knowing_better() {
  AcceptOptions options = kOptions;
  options.despite = [](Finding const& finding) { return finding.kind == FindingKind::mixed_code ? "a test" : ""; };
  return options;
}

/// The baseline after writing and reading; fails if it is not valid.
Baseline checked(Baseline const& baseline) {
  return model::baseline_from_text(model::baseline_to_text(baseline), "accepted");
}

std::string refusal_of(std::optional<Baseline> const& base, std::vector<model::Run> const& runs,
                       AcceptOptions const& options = kOptions) {
  try {
    (void)accept(base, runs, options);
  } catch (std::invalid_argument const& error) {
    std::string const what = error.what();
    EXPECT_EQ(what.find('\n'), std::string::npos);
    return what;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(Accept, StartsABaselineFromARun) {
  model::Run const run = run_of("r1", 2);
  Baseline const baseline = checked(accept(std::nullopt, {run}, kOptions));
  EXPECT_EQ(baseline.operation, "gemm");
  EXPECT_EQ(baseline.device_slug, "nvidia-h100-80gb-hbm3");
  EXPECT_EQ(baseline.device_name, "NVIDIA H100 80GB HBM3");
  ASSERT_EQ(baseline.sessions.size(), 2U);
  model::BaselineSession const& session = baseline.sessions[1];
  EXPECT_EQ(session.id, "s02");
  EXPECT_EQ(session.run_session, "r1/s2");
  EXPECT_EQ(session.commit, "c0ffee");
  EXPECT_EQ(session.driver, "580.65.06");
  EXPECT_EQ(session.cuda_runtime, "13.0");
  EXPECT_EQ(session.libraries.at("cublas"), "13.1.0");
  EXPECT_EQ(session.power_limit_w, 700);
  EXPECT_EQ(session.timing, 2);
  EXPECT_EQ(session.device_uuid, run.sessions[1].device.uuid);
  ASSERT_EQ(baseline.accepted.size(), 1U);
  EXPECT_EQ(baseline.accepted[0].who, "Ada");
  EXPECT_EQ(baseline.accepted[0].when, "2026-11-21T09:00:00Z");
  EXPECT_EQ(baseline.accepted[0].why, "first");
  EXPECT_EQ(baseline.accepted[0].commit, "c0ffee");
  EXPECT_EQ(baseline.accepted[0].cases, 1);
  EXPECT_THAT(baseline.accepted[0].sessions, ElementsAre("s01", "s02"));
}

TEST(Accept, TakesTheSummaryOfEachSession) {
  model::Run const run = run_of("r1");
  model::SessionSummary const summary = model::summarize(run.sessions[0].cases[0]).value();
  Baseline const baseline = accept(std::nullopt, {run}, kOptions);
  model::BaselineCase const& entry = baseline.cases.at(kCase);
  EXPECT_THAT(entry.session, ElementsAre("s01"));
  EXPECT_THAT(entry.time_ns, ElementsAre(summary.time_ns));
  EXPECT_THAT(entry.ratio, ElementsAre(summary.ratio.value()));
  EXPECT_THAT(entry.cycles, ElementsAre(summary.cycles.value()));
  EXPECT_EQ(entry.reference, run.sessions[0].cases[0].reference);
  EXPECT_EQ(entry.machine_code, model::machine_code_of(run.sessions[0].cases[0]));
}

TEST(Accept, GivesAControlTheRatioOne) {
  model::Run run = run_of("r1");
  run.sessions[0].cases = {samples::measured_case(kCase, "", {100, 101}, {100, 99})};
  Baseline const baseline = checked(accept(std::nullopt, {run}, kOptions));
  EXPECT_THAT(baseline.cases.at(kCase).ratio, ElementsAre(1.0));
  EXPECT_THAT(baseline.cases.at(kCase).cycles, IsEmpty());
}

TEST(Accept, LeavesSkippedCasesOut) {
  model::Run run = run_of("r1");
  run.sessions[0].cases.push_back(samples::unmeasured_case("a@b", CaseStatus::skipped));
  Baseline const baseline = checked(accept(std::nullopt, {run}, kOptions));
  EXPECT_EQ(baseline.cases.size(), 1U);
  EXPECT_EQ(baseline.accepted[0].cases, 1);
}

TEST(Accept, AddsSessionsUnderNewIds) {
  Baseline const first = accept(std::nullopt, {run_of("r1", 2)}, kOptions);
  Baseline const second = checked(accept(first, {run_of("r2"), run_of("r3")}, kOptions));
  EXPECT_THAT(second.cases.at(kCase).session, ElementsAre("s01", "s02", "s03", "s04"));
  EXPECT_EQ(second.cases.at(kCase).time_ns.size(), 4U);
  EXPECT_EQ(second.accepted.size(), 2U);
  EXPECT_THAT(second.accepted[1].sessions, ElementsAre("s03", "s04"));
  EXPECT_EQ(second.sessions[2].run_session, "r2/s1");
}

TEST(Accept, LeavesOtherCasesAlone) {
  model::Run other = run_of("r2");
  other.sessions[0].cases[0].id = "gemm/simt/other@f32,nn,m1n1k1";
  Baseline const first = accept(std::nullopt, {run_of("r1")}, kOptions);
  for (bool const replace : {false, true}) {
    AcceptOptions options = kOptions;
    options.replace = replace;
    Baseline const second = checked(accept(first, {other}, options));
    EXPECT_THAT(second.cases.at(kCase).session, ElementsAre("s01"));
    EXPECT_THAT(second.cases.at("gemm/simt/other@f32,nn,m1n1k1").session, ElementsAre("s02"));
    EXPECT_EQ(second.sessions.size(), 2U);
  }
}

TEST(Accept, WithReplaceDropsWhatTheCaseHadAndNeverReusesAnId) {
  AcceptOptions options = kOptions;
  options.replace = true;
  Baseline const first = accept(std::nullopt, {run_of("r1", 2)}, kOptions);
  Baseline const second = checked(accept(first, {run_of("r2", 2)}, options));
  EXPECT_THAT(second.cases.at(kCase).session, ElementsAre("s03", "s04"));
  EXPECT_EQ(second.cases.at(kCase).ratio.size(), 2U);
  EXPECT_EQ(second.sessions.size(), 2U) << "sessions that no case uses must be dropped";
  EXPECT_EQ(second.accepted.size(), 2U) << "the first acceptance must stay on record";
  Baseline const third = checked(accept(second, {run_of("r3")}, options));
  EXPECT_THAT(third.cases.at(kCase).session, ElementsAre("s05"));
}

TEST(Accept, StartsACaseAnewWhenItsReferenceChanged) {
  Baseline const first = accept(std::nullopt, {run_of("r1", 2)}, kOptions);
  model::Run changed = run_of("r2", 2);
  for (model::Session& session : changed.sessions) {
    session.cases[0].reference = "gemm/library/new@f32,nn,m512n512k512";
  }
  Baseline const second = checked(accept(first, {changed}, kOptions));
  EXPECT_THAT(second.cases.at(kCase).session, ElementsAre("s03", "s04"));
  EXPECT_EQ(second.cases.at(kCase).reference, "gemm/library/new@f32,nn,m512n512k512");
}

TEST(Accept, KnowsTheMachineCodeOnlyWhenAllSessionsAgree) {
  model::Run other = run_of("r2");
  other.sessions[0].cases[0].launches[0].machine_code = "def";
  Baseline const first = accept(std::nullopt, {run_of("r1")}, kOptions);
  EXPECT_NE(first.cases.at(kCase).machine_code, "");
  EXPECT_EQ(accept(first, {run_of("r2")}, kOptions).cases.at(kCase).machine_code, first.cases.at(kCase).machine_code);
  EXPECT_EQ(accept(first, {other}, knowing_better()).cases.at(kCase).machine_code, "");
}

TEST(Accept, KnowsTheLaunchesOnlyWhenAllSessionsAgree) {
  model::Run other = run_of("r2");
  other.sessions[0].cases[0].launches[0].grid = {7, 7, 1};
  Baseline const first = accept(std::nullopt, {run_of("r1")}, kOptions);
  EXPECT_EQ(first.cases.at(kCase).launches, model::launch_hash_of(run_of("r1").sessions[0].cases[0]));
  EXPECT_NE(first.cases.at(kCase).launches, "");
  EXPECT_EQ(accept(first, {run_of("r2")}, kOptions).cases.at(kCase).launches, first.cases.at(kCase).launches);
  EXPECT_EQ(accept(first, {other}, knowing_better()).cases.at(kCase).launches, "");
}

TEST(Accept, KnowsTheWorkOnlyWhenAllSessionsAgree) {
  model::Run other = run_of("r2");
  other.sessions[0].cases[0].launches[0].arguments = "other";
  Baseline const first = accept(std::nullopt, {run_of("r1")}, kOptions);
  EXPECT_EQ(first.cases.at(kCase).work, model::work_of(run_of("r1").sessions[0].cases[0]));
  EXPECT_NE(first.cases.at(kCase).work, "");
  EXPECT_EQ(accept(first, {run_of("r2")}, kOptions).cases.at(kCase).work, first.cases.at(kCase).work);
  Baseline const disagreed = accept(first, {other}, kOptions);
  EXPECT_EQ(disagreed.cases.at(kCase).work, "");
  EXPECT_EQ(disagreed.cases.at(kCase).launches, first.cases.at(kCase).launches)
      << "the hash of launches must not include arguments";
  EXPECT_EQ(accept(disagreed, {run_of("r3")}, kOptions).cases.at(kCase).work, "")
      << "a further session must not restore the hash";
}

TEST(Accept, KeepsWhatTheLastSessionLaunched) {
  model::Run other = run_of("r2");
  other.sessions[0].cases[0].launches.push_back(other.sessions[0].cases[0].launches[0]);
  other.sessions[0].cases[0].launches[1].function = "g";
  Baseline const first = checked(accept(std::nullopt, {run_of("r1", 2)}, kOptions));
  ASSERT_EQ(first.cases.at(kCase).launched.size(), 1U) << "once per case, not per session";
  EXPECT_EQ(first.cases.at(kCase).launched[0].grid, (std::array<int, 3>{8, 8, 1}));
  Baseline const second = checked(accept(first, {other}, knowing_better()));
  ASSERT_EQ(second.cases.at(kCase).launched.size(), 2U);
  EXPECT_EQ(second.cases.at(kCase).launched[1].function, "g");
  model::Run unknown = run_of("r3");
  unknown.sessions[0].cases[0].launches.clear();
  EXPECT_THAT(accept(second, {unknown}, kOptions).cases.at(kCase).launched, IsEmpty())
      << "launches that the last session does not know must not be kept";
}

TEST(Accept, KeepsTheInputPolicyOfTheLastSession) {
  model::Run other = run_of("r2");
  other.sessions[0].cases[0].arithmetic = "tf32";
  other.sessions[0].cases[0].work = {.flop = 2e9, .bytes = 3e6};
  other.sessions[0].cases[0].rounds->launches = 17;
  Baseline const first = checked(accept(std::nullopt, {run_of("r1")}, kOptions));
  EXPECT_EQ(first.cases.at(kCase).input_policy.value().replay_launches, 1);
  model::InputPolicy const policy = checked(accept(first, {other}, kOptions)).cases.at(kCase).input_policy.value();
  EXPECT_EQ(policy.arithmetic, "tf32");
  EXPECT_EQ(policy.work.flop, 2e9);
  EXPECT_EQ(policy.work.bytes, 3e6);
  EXPECT_EQ(policy.replay_launches, 17);
}

/// A run whose only case drew this power, or has no value for it.
model::Run run_at(std::string const& id, std::optional<double> power_w) {
  model::Run run = run_of(id);
  run.sessions[0].cases[0].state = model::DeviceState{};
  run.sessions[0].cases[0].state->power_w = power_w;
  return run;
}

TEST(Accept, KeepsTheClockAndPowerOfEachSession) {
  Baseline const baseline = checked(accept(std::nullopt, {run_at("r1", 412.5), run_at("r2", 398)}, kOptions));
  EXPECT_THAT(baseline.cases.at(kCase).clock_mhz, ElementsAre(1979.75, 1979.75));  // of 1980 and 1979.5
  EXPECT_THAT(baseline.cases.at(kCase).power_w, ElementsAre(412.5, 398));
}

TEST(Accept, KeepsTheTailOfEachSession) {
  model::Run const run = run_of("r1", 2);
  Baseline const baseline = checked(accept(std::nullopt, {run}, kOptions));
  std::vector<double> const& tail = baseline.cases.at(kCase).tail;
  ASSERT_EQ(tail.size(), 2U);
  EXPECT_NEAR(tail[1], model::summarize(run.sessions[1].cases[0]).value().tail, 1e-5);
  Baseline older = baseline;
  older.cases.at(kCase).tail.clear();
  EXPECT_THAT(accept(older, {run_of("r2")}, kOptions).cases.at(kCase).tail, IsEmpty())
      << "the first two sessions have no tail";
}

TEST(Accept, KeepsNoColumnThatLacksASession) {
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  Baseline const known = accept(std::nullopt, {run_at("r1", 412.5)}, kOptions);
  for (std::optional<double> const gap : {std::optional<double>(), std::optional(0.0), std::optional(-1.0),
                                          std::optional(nan), std::optional(infinite)}) {
    Baseline const holed = checked(accept(known, {run_at("r2", gap)}, kOptions));
    EXPECT_THAT(holed.cases.at(kCase).power_w, IsEmpty()) << gap.value_or(-2);
    EXPECT_EQ(holed.cases.at(kCase).clock_mhz.size(), 2U);
    EXPECT_THAT(checked(accept(holed, {run_at("r3", 400)}, kOptions)).cases.at(kCase).power_w, IsEmpty())
        << "a column must cover all sessions or be absent";
  }
  AcceptOptions anew = kOptions;
  anew.replace = true;
  Baseline const holed = accept(known, {run_at("r2", std::nullopt)}, kOptions);
  EXPECT_THAT(accept(holed, {run_at("r3", 400)}, anew).cases.at(kCase).power_w, ElementsAre(400));
}

TEST(Accept, AddsToABaselineOfTheEarlierVersion) {
  Baseline first = accept(std::nullopt, {run_of("r1", 2)}, kOptions);
  first.has_digest = false;
  model::BaselineCase& entry = first.cases.at(kCase);
  entry.launched.clear();
  entry.input_policy.reset();
  entry.clock_mhz.clear();
  Baseline const second = checked(accept(first, {run_of("r2")}, kOptions));
  EXPECT_EQ(second.cases.at(kCase).cycles.size(), 3U);
  EXPECT_TRUE(second.has_digest);
  EXPECT_EQ(second.cases.at(kCase).launched.size(), 1U);
  EXPECT_TRUE(second.cases.at(kCase).input_policy);
  EXPECT_THAT(second.cases.at(kCase).clock_mhz, IsEmpty()) << "the first two sessions have no clock";
}

TEST(Accept, MarksTheCommitOfADirtyTree) {
  model::Run run = run_of("r1");
  run.source.dirty = true;
  AcceptOptions options = kOptions;
  options.allow_dirty = true;
  Baseline const baseline = checked(accept(std::nullopt, {run, run_of("r2")}, options));
  EXPECT_EQ(baseline.sessions[0].commit, "c0ffee-dirty");
  EXPECT_EQ(baseline.accepted[0].commit, "c0ffee, c0ffee-dirty");
}

struct Defect {
  char const* name;
  std::function<void(model::Run&)> spoil;
  char const* problem;
  char const* remedy;
};

TEST(Accept, RefusesWhatMustNotBecomeABaseline) {
  auto const ended = [](CaseStatus how) {
    return [how](model::Run& run) { run.sessions[0].cases.push_back(samples::unmeasured_case("a@b", how)); };
  };
  std::vector<Defect> const defects = {
      {"device", [](model::Run& r) { r.sessions[0].device.slug = "nvidia-h200"; }, "ran on nvidia-h200", "baseline"},
      {"operation", [](model::Run& r) { r.worker.operation = "conv"; }, "it measured conv", "operation's baseline"},
      {"injected", [](model::Run& r) { r.injected = {"x=3"}; }, "slowed down on purpose", "--inject-slowdown"},
      {"injected case", [](model::Run& r) { r.sessions[0].cases[0].injected_percent = 3; }, kCase, "--inject-slowdown"},
      {"dirty", [](model::Run& r) { r.source.dirty = true; }, "uncommitted", "--allow-dirty"},
      {"incorrect", ended(CaseStatus::incorrect), "a@b is incorrect", "record again"},
      {"implausible", ended(CaseStatus::implausible), "a@b is implausible", "record again"},
      {"invalid", ended(CaseStatus::invalid), "a@b is invalid", "record again"},
      {"crashed", ended(CaseStatus::crashed), "a@b is crashed", "record again"},
      {"timed out", ended(CaseStatus::timed_out), "a@b is timed_out", "record again"},
      {"failed", ended(CaseStatus::failed), "a@b is failed", "record again"},
      {"NaN",
       [](model::Run& r) { r.sessions[0].cases[0].rounds->time_ns[0] = std::numeric_limits<double>::quiet_NaN(); },
       "is invalid", "record again"},
      {"no rounds", [](model::Run& r) { r.sessions[0].cases[0].rounds.reset(); }, "is invalid", "record again"},
      {"no sessions", [](model::Run& r) { r.sessions.clear(); }, "no sessions", "record again"},
      {"no cases", [](model::Run& r) { r.sessions[0].cases.clear(); }, "measured nothing", "record again"},
      {"only skipped",
       [](model::Run& r) { r.sessions[0].cases = {samples::unmeasured_case("a@b", CaseStatus::skipped)}; },
       "measured nothing", "perfcheck list"},
      {"accepted before", [](model::Run& r) { r.id = "r1"; }, "in the baseline already, as s01", "leave the run out"},
      {"no clock", [](model::Run& r) { r.sessions[0].cases[0].rounds->clock_mhz.clear(); },
       "without the device's clock", "--replace"},
  };
  Baseline const base = accept(std::nullopt, {run_of("r1")}, kOptions);
  for (Defect const& defect : defects) {
    SCOPED_TRACE(defect.name);
    model::Run run = run_of("r2");
    ASSERT_NO_THROW((void)accept(base, {run}, kOptions));
    defect.spoil(run);
    EXPECT_THAT(refusal_of(base, {run}),
                AllOf(HasSubstr("run " + run.id), HasSubstr(defect.problem), HasSubstr(defect.remedy)));
    EXPECT_NE(refusal_of(base, {run_of("r3"), run}), "") << "one good run must not carry a bad one";
  }
}

TEST(Accept, RefusesABaselineWhoseIdsAreUsedUp) {
  Baseline base = accept(std::nullopt, {run_of("r1")}, kOptions);
  base.accepted.back().sessions = {"s2147483646"};
  Baseline const last = accept(base, {run_of("r2")}, kOptions);
  EXPECT_EQ(checked(last).sessions.back().id, "s2147483647");
  EXPECT_THAT(refusal_of(base, {run_of("r2", 2)}), HasSubstr("s2147483646, behind which there are no 2 more ids"));
  EXPECT_THAT(refusal_of(last, {run_of("r3")}), HasSubstr("s2147483647, behind which there are no 1 more ids"));
  // Ids that are too large to be perfcheck's own are ignored.
  base.accepted.back().sessions = {"s2147483648", "s99999999999999999999"};
  EXPECT_EQ(checked(accept(base, {run_of("r2")}, kOptions)).sessions.back().id, "s02");
}

TEST(Accept, RefusesRunsThatDisagreeWithEachOther) {
  model::Run other_device = run_of("r2"), other_reference = run_of("r2");
  other_device.sessions[0].device.slug = "nvidia-h200";
  other_reference.sessions[0].cases[0].reference = "gemm/library/new@f32,nn,m512n512k512";
  EXPECT_THAT(refusal_of(std::nullopt, {run_of("r1"), other_device}), HasSubstr("ran on nvidia-h200"));
  EXPECT_THAT(refusal_of(std::nullopt, {run_of("r1"), other_reference}), HasSubstr("was measured against"));
  EXPECT_THAT(refusal_of(std::nullopt, {run_of("r1"), run_of("r1")}), HasSubstr("given twice"));
}

TEST(Accept, NeedsARunAndARecordOfWhoWhenAndWhy) {
  EXPECT_THAT(refusal_of(std::nullopt, {}), HasSubstr("perfcheck run"));
  for (std::string AcceptOptions::* member : {&AcceptOptions::who, &AcceptOptions::when, &AcceptOptions::why}) {
    AcceptOptions options = kOptions;
    (options.*member).clear();
    EXPECT_THAT(refusal_of(std::nullopt, {run_of("r1")}, options), HasSubstr("who moved it, when and why"));
  }
}

}  // namespace
}  // namespace perfcheck::store
