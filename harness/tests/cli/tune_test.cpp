// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck tune, end to end, and which points it measures anew.
#include "perfcheck/session/child_process.h"
#include "perfcheck/tuning/contest.h"
#include "program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <set>

namespace perfcheck::cli::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Tune : public ProgramTest {
 protected:
  /// Three kernels: a reference; fake/a with two points, of which :2 is the fastest on 64 and :1 on 65; and fake/b
  /// without points.
  static std::string kernels(std::string const& more = "", std::string const& a = "fake/a:1,fake/a:2") {
    return "--kernels fake/reference," + a +
           ",fake/b --slow 'fake/*@*=4' --slow 'fake/reference@*=1' "
           "--slow 'fake/a:1@*m65*=1' --slow 'fake/a:2@*m64*=1' --slow 'fake/b@*=8' " +
           more;
  }
  Finished tune(std::vector<std::string> args = {}, std::string const& worker_args = kernels()) const {
    args.insert(args.begin(), {"--suite", "default"});
    return measure("tune", args, worker_args);
  }
  std::filesystem::path tuned_file() const { return file("baselines/scripted-device/gemm.tuned.json"); }
  nlohmann::json stored() const { return nlohmann::json::parse(read(tuned_file())); }
  std::size_t processes() const { return read(file("sessions")).size(); }
};

TEST_F(Tune, RanksVerifiedPointsByProblemAndKeepsThemBesideTheBaseline) {
  Finished const finished = tune();
  ASSERT_EQ(finished.code, 0) << finished.err;
  nlohmann::json const problems = stored().at("problems");
  EXPECT_EQ(problems.at("f32,nn,m64n64k64").at("ranking"), (nlohmann::json{"fake/a:2", "fake/b"}));
  EXPECT_EQ(problems.at("f32,nn,m65n66k67").at("ranking"), (nlohmann::json{"fake/a:1", "fake/b"}));
  nlohmann::json const told = finished.json();
  EXPECT_EQ(told.at("complete"), 2);
  EXPECT_EQ(told.at("problems").at(0).at("ranking").at(0).at("kernel"), "fake/a:2");
  EXPECT_THAT(told.at("failed"), IsEmpty());
}

TEST_F(Tune, MeasuresAtLengthOnlyWhatIsNearTheFastest) {
  ASSERT_EQ(tune().code, 0);
  nlohmann::json const points = stored().at("problems").at("f32,nn,m64n64k64").at("points");
  ASSERT_THAT(points, SizeIs(::testing::Ge(3U)));
  for (auto const& point : points) {
    EXPECT_EQ(point.value("brief", false), point.at("kernel") != "fake/a:2") << point;
  }
}

/// The kernels and, beside them, two of a library: fake/library with three points, the last of which is refused, and
/// fake/plain without points. They are faster than all others.
std::string kernels_and_library() {
  std::string args =
      "--kernels fake/reference,fake/a:1,fake/a:2,fake/b,fake/library:h0,fake/library:h1,fake/library:h2,fake/plain "
      "--slow 'fake/*@*=4' --slow 'fake/reference@*=1' --slow 'fake/a:1@*=1.5' --slow 'fake/b@*=1.51' "
      "--slow 'fake/library:*=0.6' --slow 'fake/library:h1@*=0.5' --slow 'fake/plain@*=0.4' "
      "--refuse 'fake/library:h2@*=there is no h2' --fault 'hello=patch:["
      R"({"op":"add","path":"/environment/libraries","value":{"fakeBLAS":"1"}})";
  for (int index : {4, 5, 6, 7}) {
    args += fmt::format(R"(,{{"op":"add","path":"/kernels/{}/library","value":"fakeBLAS"}})", index);
  }
  return args + "]'";
}

TEST_F(Tune, PointsOfALibraryTakePartAndItsOtherKernelsDoNot) {
  Finished const finished = tune({}, kernels_and_library());
  ASSERT_EQ(finished.code, 0) << finished.out << finished.err;
  nlohmann::json const ranking = stored().at("problems").at("f32,nn,m64n64k64").at("ranking");
  EXPECT_EQ(ranking.at(0), "fake/library:h1");
  EXPECT_THAT(ranking, ::testing::UnorderedElementsAre("fake/library:h1", "fake/a:1", "fake/b"));
  EXPECT_EQ(stored().at("sessions").at(0).at("libraries"), (nlohmann::json{{"fakeBLAS", "1"}}));
}

TEST_F(Tune, KernelsThatOnlyALibrarySurpassesAreMeasuredAtLength) {
  ASSERT_EQ(tune({}, kernels_and_library()).code, 0);
  nlohmann::json const points = stored().at("problems").at("f32,nn,m64n64k64").at("points");
  ASSERT_THAT(points, SizeIs(::testing::Ge(3U)));
  for (auto const& point : points) {
    std::set<std::string> const fastest = {"fake/library:h1", "fake/a:1", "fake/b"};
    EXPECT_EQ(point.value("brief", false), !fastest.contains(point.at("kernel").get<std::string>())) << point;
  }
}

TEST_F(Tune, APointThatIsRefusedNowLosesItsPlace) {
  ASSERT_EQ(tune().code, 0);
  ASSERT_EQ(tune({}, kernels("--refuse 'fake/a:2@*m64*=no more'")).code, 0);
  EXPECT_EQ(stored().at("problems").at("f32,nn,m64n64k64").at("ranking").at(0), "fake/a:1");
  EXPECT_THAT(stored().at("problems").at("f32,nn,m65n66k67").at("points"), SizeIs(3));
}

TEST_F(Tune, GoesOnWithWhatTheFileHoldsAndBeginsAnewWhenAsked) {
  ASSERT_EQ(tune().code, 0);
  std::string const first = read(tuned_file());
  std::size_t const used = processes();
  ASSERT_EQ(tune().code, 0);
  EXPECT_EQ(read(tuned_file()), first);
  EXPECT_EQ(processes(), used + 1) << "one worker must plan and none measure";
  ASSERT_EQ(tune({"--again"}).code, 0);
  EXPECT_NE(read(tuned_file()), first);
}

TEST_F(Tune, DropsPointsThatAreGone) {
  ASSERT_EQ(tune().code, 0);
  ASSERT_EQ(tune({}, kernels("--slow 'fake/a:3@*=0.4'", "fake/a:2,fake/a:3")).code, 0);
  nlohmann::json const problem = stored().at("problems").at("f32,nn,m64n64k64");
  EXPECT_EQ(problem.at("ranking"), (nlohmann::json{"fake/a:3", "fake/b"}));
  EXPECT_THAT(problem.at("points"), SizeIs(3)) << "fake/a:1 is not a point any more";
}

TEST_F(Tune, ABudgetEndsItBetweenBatchesAndTheNextCallGoesOn) {
  Finished const begun = tune({"--time-budget", "0.001"});
  EXPECT_EQ(begun.code, 3);
  EXPECT_EQ(begun.json().at("complete"), 0);
  EXPECT_EQ(tune().code, 0);
}

TEST_F(Tune, AgainUnderABudgetKeepsEveryPointAndSaysHowToComplete) {
  ASSERT_EQ(tune().code, 0);
  Finished const finished = perfcheck({"tune", "--worker", worker(kernels()), "--suite", "default", "--color", "never",
                                       "--again", "--time-budget", "0.001"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.out, HasSubstr("0 of 2 problems are complete"));
  EXPECT_THAT(finished.out, HasSubstr("with --again it begins anew, without it the same command completes"));
  nlohmann::json const problems = stored().at("problems");
  ASSERT_THAT(problems, SizeIs(2));
  for (auto const& [problem, measured] : problems.items()) {
    EXPECT_THAT(measured.at("points"), SizeIs(3)) << problem;
  }
  EXPECT_EQ(tune().json().at("complete"), 2);
}

TEST_F(Tune, AnImpossiblyFastPointIsNeverRankedAndFailsTheCommand) {
  Finished const finished = tune({}, kernels("--slow 'fake/a:2@*=0.01'"));
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.out, HasSubstr("implausible"));
  nlohmann::json const problems = stored().at("problems");
  ASSERT_THAT(problems, SizeIs(2));
  for (auto const& [problem, measured] : problems.items()) {
    EXPECT_EQ(measured.at("ranking").dump().find("fake/a:2"), std::string::npos) << problem;
  }
}

TEST_F(Tune, AWrongPointIsNeverRankedAndFailsTheCommand) {
  Finished const finished = tune({}, kernels("--fault 'result:fake/a:2@*m64*=incorrect'"));
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(stored().at("problems").at("f32,nn,m64n64k64").at("ranking"), (nlohmann::json{"fake/a:1", "fake/b"}));
  ASSERT_THAT(finished.json().at("failed"), SizeIs(1));
  EXPECT_EQ(finished.json().at("failed").at(0).at("id"), "fake/a:2@f32,nn,m64n64k64");
  EXPECT_EQ(finished.json().at("failed").at(0).at("status"), "incorrect");
}

TEST_F(Tune, APointThatBecameWrongLosesItsPlace) {
  ASSERT_EQ(tune().code, 0);
  EXPECT_EQ(tune({"--again"}, kernels("--fault 'before:fake/a:2@*m64*=abort'")).code, 2);
  EXPECT_EQ(stored().at("problems").at("f32,nn,m64n64k64").at("ranking").at(0), "fake/a:1");
}

TEST_F(Tune, PointsThatKernelsOfOtherWorkersHaveStay) {
  ASSERT_EQ(tune().code, 0);
  ASSERT_EQ(tune({}, "--kernels fake/reference,fake/c").code, 0);
  nlohmann::json const ranking = stored().at("problems").at("f32,nn,m64n64k64").at("ranking");
  EXPECT_THAT(ranking, SizeIs(3)) << ranking;
}

TEST_F(Tune, InterruptedItSaysWhatItKept) {
  ASSERT_EQ(tune().code, 0);
  std::string const before = read(tuned_file());
  session::ChildProcess process({PERFCHECK_PROGRAM, "tune", "--config", file("perfcheck.toml").string(), "--suite",
                                 "default", "--worker", worker(kernels("--delay-ms 100000"))});
  std::string line;
  session::Deadline const deadline = session::deadline_after(30);
  while (process.error_tail().find("every point for a moment") == std::string::npos &&
         std::chrono::steady_clock::now() < deadline) {
    (void)process.read_line(line, session::deadline_after(0.02));
  }
  ASSERT_EQ(kill(process.pid(), SIGTERM), 0);
  session::ExitState const state = process.wait_or_kill(deadline);
  EXPECT_EQ(state.code, 130);
  EXPECT_THAT(process.error_tail(), HasSubstr("the same command goes on from here"));
  EXPECT_EQ(read(tuned_file()), before);
}

TEST_F(Tune, AFilterTouchesNothingElse) {
  ASSERT_EQ(tune().code, 0);
  nlohmann::json const before = stored().at("problems").at("f32,nn,m65n66k67");
  ASSERT_EQ(tune({"--again", "--filter", "fake/a:*@*m64*", "--out", "elsewhere.json"}).code, 0);
  nlohmann::json const elsewhere = nlohmann::json::parse(read(file("elsewhere.json"))).at("problems");
  EXPECT_THAT(elsewhere, SizeIs(1));
  ASSERT_EQ(tune({"--again", "--filter", "fake/a:*@*m64*"}).code, 0);
  EXPECT_EQ(stored().at("problems").at("f32,nn,m65n66k67"), before);
  EXPECT_THAT(stored().at("problems").at("f32,nn,m64n64k64").at("points"), SizeIs(3));
}

TEST_F(Tune, AFileOfAnotherDeviceIsRefusedAndLeftAlone) {
  ASSERT_EQ(tune({"--out", "t.json"}).code, 0);
  std::string const before = read(file("t.json"));
  Finished const finished = tune({"--out", "t.json"}, kernels("--device-name 'Another Device'"));
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, HasSubstr("t.json: holds gemm on scripted-device, and this is gemm on another-device"));
  EXPECT_EQ(read(file("t.json")), before);
}

TEST_F(Tune, ADamagedFileIsAnErrorAndStays) {
  ASSERT_EQ(tune().code, 0);
  std::string const damaged = read(tuned_file()).substr(0, 300);
  write("baselines/scripted-device/gemm.tuned.json", damaged);
  Finished const finished = tune();
  EXPECT_EQ(finished.code, 74);
  EXPECT_THAT(finished.err, HasSubstr("gemm.tuned.json"));
  EXPECT_EQ(read(tuned_file()), damaged);
}

TEST_F(Tune, WithoutCompetitorsItSaysSo) {
  Finished const finished = tune({}, "--kernels fake/reference,fake/a --refuse 'fake/a@*=not today'");
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("libraries and references are not tuned"));
}

TEST_F(Tune, ItsFileIsNoBaseline) {
  ASSERT_EQ(tune().code, 0);
  record();
  Finished const shown = perfcheck({"baseline", "show"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, Not(HasSubstr("tuned")));
}

TEST_F(Tune, ThePrintedTableNamesTheFastestAndTheNext) {
  Finished const finished =
      perfcheck({"tune", "--worker", worker(kernels()), "--suite", "default", "--color", "never"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("f32,nn,m64n64k64  fake/a:2"));
  EXPECT_THAT(finished.out, HasSubstr("fake/b ("));
  EXPECT_THAT(finished.out, HasSubstr("2 of 2 problems are complete"));
}

tuning::Contest contest(std::vector<std::string> const& kernels) {
  tuning::Contest result{.problem = "p", .contenders = {}, .of_libraries = {}};
  for (std::string const& kernel : kernels) {
    protocol::PlannedCase planned;
    planned.id = kernel + "@p";
    result.contenders.push_back(planned);
  }
  return result;
}

model::TunedPoint brief(std::string kernel, double ratio) {
  return {.kernel = std::move(kernel), .session = "s1", .time_ns = 100 * ratio, .ratio = ratio, .brief = true};
}

std::vector<std::string> ids(std::vector<protocol::PlannedCase> const& cases) {
  std::vector<std::string> result;
  for (protocol::PlannedCase const& planned : cases) {
    result.push_back(planned.id);
  }
  return result;
}

TEST(Contest, FinalistsAreNearTheFastestOfAllOrOfTheirOwnKernel) {
  tuning::Contest const all = contest({"a:1", "a:2", "a:3", "b:1", "b:2", "c"});
  std::vector<model::TunedPoint> const points = {brief("a:1", 1.0), brief("a:2", 1.02), brief("a:3", 1.2),
                                                 brief("b:1", 1.5), brief("b:2", 1.52), brief("c", 1.04)};
  EXPECT_THAT(ids(tuning::finalists(all, points)), ElementsAre("a:1@p", "a:2@p", "b:1@p", "b:2@p"));
}

TEST(Contest, PointsOfALibraryAndTheRestHaveAFastestEach) {
  tuning::Contest all = contest({"a", "b", "c", "l:h0", "l:h1", "l:h2"});
  all.of_libraries = {"l:h0", "l:h1", "l:h2"};
  std::vector<model::TunedPoint> const points = {brief("a", 1.5),  brief("b", 1.52),   brief("c", 1.9),
                                                 brief("l:h0", 1), brief("l:h1", 0.9), brief("l:h2", 0.92)};
  EXPECT_THAT(ids(tuning::finalists(all, points)), ElementsAre("a@p", "b@p", "l:h1@p", "l:h2@p"));
}

TEST(Contest, WhatFailedIsUnmeasuredAndNoFinalist) {
  tuning::Contest const all = contest({"a:1", "a:2"});
  EXPECT_THAT(ids(tuning::unmeasured(all, {brief("a:1", 1)})), ElementsAre("a:2@p"));
  EXPECT_THAT(ids(tuning::finalists(all, {brief("a:1", 1)})), ElementsAre("a:1@p"));
  EXPECT_THAT(tuning::finalists(all, {}), IsEmpty());
}

TEST(Contest, WhatWasMeasuredAtLengthIsNoFinalistAgain) {
  model::TunedPoint full = brief("a:1", 1);
  full.brief = false;
  EXPECT_THAT(ids(tuning::finalists(contest({"a:1", "a:2"}), {full, brief("a:2", 1.01)})), ElementsAre("a:2@p"));
}

TEST(Contest, BatchesHoldAllProblemsInOrderAndEndOnceTheyAreFull) {
  std::vector<tuning::Contest> const all(5, contest({"a", "b", "c"}));
  std::vector<std::size_t> sizes;
  for (std::vector<tuning::Contest> const& batch : tuning::batches_of(all, 5)) {
    sizes.push_back(batch.size());
  }
  EXPECT_THAT(sizes, ElementsAre(2, 2, 1));
  EXPECT_THAT(tuning::batches_of({}, 5), IsEmpty());
}

}  // namespace
}  // namespace perfcheck::cli::testing
