// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of a worker with two operations: one baseline file per operation, but one baseline to compare with.
#include "perfcheck/store/operations.h"

#include "perfcheck/model/json.h"
#include "samples.h"
#include "temporary_folder.h"

#include <gmock/gmock.h>

namespace perfcheck::store {
namespace {

namespace samples = model::samples;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::ThrowsMessage;
using ::testing::UnorderedElementsAre;

constexpr char const* kSlug = "nvidia-h100-80gb-hbm3";
constexpr char const* kGemm = "gemm/simt/naive@f32,nn,m512n512k512";
constexpr char const* kRows = "rows/plain@rows:r64";

/// Sessions s1 and s2; the second one measured only the operation "rows".
model::Run mixed_run(std::string const& id = "20261121T081502Z-3f2a") {
  model::Run run = samples::small_run();
  run.id = id;
  run.worker.operation = "gemm";
  run.worker.operations = {"gemm", "rows"};
  run.sessions[0].cases = {samples::measured_case(kGemm, kGemm, {91, 91.5}, {91, 91.5}),
                           samples::measured_case(kRows, kRows, {10, 10.5}, {10, 10.5})};
  run.sessions.push_back(run.sessions[0]);
  run.sessions[1].id = "s2";
  run.sessions[1].cases.erase(run.sessions[1].cases.begin());
  return run;
}

AcceptOptions plainly() {
  AcceptOptions options;
  options.who = "Ada";
  options.when = "2026-11-21T09:00:00Z";
  options.why = "a test";
  options.audit = std::nullopt;
  return options;
}

std::optional<model::Baseline> nothing(std::string const& /*operation*/) { return std::nullopt; }

TEST(AcceptEach, PutsEveryCaseIntoTheBaselineOfItsOperation) {
  std::vector<model::Baseline> const accepted = accept_each(nothing, {mixed_run()}, plainly());
  ASSERT_EQ(accepted.size(), 2U);
  EXPECT_EQ(accepted[0].operation, "gemm");
  EXPECT_THAT(accepted[0].cases, ElementsAre(Key(kGemm)));
  EXPECT_EQ(accepted[0].sessions.size(), 1U) << "the second session did not measure this operation";
  EXPECT_EQ(accepted[1].operation, "rows");
  EXPECT_THAT(accepted[1].cases, ElementsAre(Key(kRows)));
  EXPECT_EQ(accepted[1].sessions.size(), 2U);
}

TEST(AcceptEach, LeavesAnOperationAloneThatMeasuredNothing) {
  model::Run run = mixed_run();
  run.sessions.erase(run.sessions.begin());
  std::vector<model::Baseline> const accepted = accept_each(nothing, {run}, plainly());
  ASSERT_EQ(accepted.size(), 1U);
  EXPECT_EQ(accepted[0].operation, "rows");
}

TEST(AcceptEach, AddsToWhatIsStoredOfTheOperation) {
  std::vector<model::Baseline> const first = accept_each(nothing, {mixed_run()}, plainly());
  auto const stored = [&](std::string const& operation) {
    return operation == "rows" ? std::optional(first[1]) : std::nullopt;
  };
  std::vector<model::Baseline> const second = accept_each(stored, {mixed_run("another")}, plainly());
  EXPECT_EQ(second[0].sessions.size(), 1U);
  EXPECT_EQ(second[1].sessions.size(), 4U);
  EXPECT_EQ(second[1].cases.at(kRows).session.size(), 4U);
}

TEST(AcceptEach, OfOneOperationIsWhatAcceptIs) {
  model::Run run = samples::small_run();
  run.worker.operations.clear();
  EXPECT_EQ(model::baseline_to_text(accept_each(nothing, {run}, plainly()).at(0)),
            model::baseline_to_text(accept(std::nullopt, {run}, plainly())));
}

TEST(AcceptEach, RefusesTheWholeForACaseOfAnyOperation) {
  model::Run run = mixed_run();
  run.sessions[1].cases[0] = samples::unmeasured_case(kRows, model::CaseStatus::incorrect);
  EXPECT_THAT([&] { (void)accept_each(nothing, {run}, plainly()); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("rows/plain@rows:r64 is incorrect in session s2")));
}

TEST(AcceptEach, RefusesARunInWhichEverythingWasSkipped) {
  model::Run run = mixed_run();
  for (model::Session& session : run.sessions) {
    session.cases = {samples::unmeasured_case(kRows, model::CaseStatus::skipped)};
  }
  EXPECT_THAT([&] { (void)accept_each(nothing, {run}, plainly()); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("measured nothing, every case was skipped")));
}

TEST(AcceptEach, RefusesRunsOfWorkersWithOtherOperationsTogether) {
  model::Run other = mixed_run("other");
  other.worker.operations.clear();
  EXPECT_THAT([&] { (void)accept_each(nothing, {mixed_run(), other}, plainly()); },
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("run other is of a worker of gemm, run 20261121T081502Z-3f2a of one of gemm and rows")));
}

TEST(JoinedBaselines, HoldASessionOfBothOnceAndTheOthersUnderTheirOperation) {
  std::vector<model::Baseline> const parts = accept_each(nothing, {mixed_run()}, plainly());
  model::Baseline const whole = joined(parts).value();
  EXPECT_EQ(whole.operation, "gemm");
  EXPECT_THAT(whole.cases, UnorderedElementsAre(Key(kGemm), Key(kRows)));
  ASSERT_EQ(whole.sessions.size(), 2U);
  EXPECT_EQ(whole.sessions[0].id, "s01");
  EXPECT_EQ(whole.sessions[1].id, "rows/s02");
  EXPECT_THAT(whole.cases.at(kGemm).session, ElementsAre("s01"));
  EXPECT_THAT(whole.cases.at(kRows).session, ElementsAre("s01", "rows/s02"));
  ASSERT_EQ(whole.accepted.size(), 2U);
  EXPECT_THAT(whole.accepted[1].sessions, ElementsAre("s01", "rows/s02"));
}

TEST(JoinedBaselines, HaveADigestIfEachHasOne) {
  std::vector<model::Baseline> parts = accept_each(nothing, {mixed_run()}, plainly());
  EXPECT_TRUE(joined(parts)->has_digest);
  parts[1].has_digest = false;
  EXPECT_FALSE(joined(parts)->has_digest);
}

TEST(JoinedBaselines, WithACaseInTwoOfThemAreRefused) {
  std::vector<model::Baseline> parts = accept_each(nothing, {mixed_run()}, plainly());
  parts[1].cases[kGemm] = parts[1].cases.at(kRows);
  EXPECT_THAT([&] { (void)joined(parts); },
              ThrowsMessage<model::FormatError>(HasSubstr("baselines of gemm and rows on nvidia-h100-80gb-hbm3 both "
                                                          "hold gemm/simt/naive@f32,nn,m512n512k512; drop it")));
}

TEST(JoinedBaselines, OfOneOperationAreItsFile) {
  TemporaryFolder const folder;
  EXPECT_FALSE(read_baselines(folder / "", kSlug, {"gemm", "rows"}));
  std::vector<model::Baseline> const parts = accept_each(nothing, {mixed_run()}, plainly());
  write_baseline(folder / "", parts[1]);
  EXPECT_EQ(model::baseline_to_text(read_baselines(folder / "", kSlug, {"gemm", "rows"}).value()),
            model::baseline_to_text(parts[1]));
  write_baseline(folder / "", parts[0]);
  EXPECT_EQ(read_baselines(folder / "", kSlug, {"gemm", "rows"})->cases.size(), 2U);
  EXPECT_EQ(read_baselines(folder / "", kSlug, {"gemm"})->cases.size(), 1U);
}

TEST(OperationsOfAHistory, AreTheFirstAndThoseNamedInFrontOfProblems) {
  EXPECT_THAT(operations_of("gemm", {kGemm, kRows, "rows/b@rows:r65", "bench/a@Threads:4", "bench/b@<x>:4"}),
              ElementsAre("gemm", "rows"));
}

}  // namespace
}  // namespace perfcheck::store
