// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck calibrate, end to end.
#include "perfcheck/calibrations/calibration_folder.h"
#include "perfcheck/console/errors.h"
#include "program.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace perfcheck::cli::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Calibrate : public ProgramTest {
 protected:
  Finished calibrate(std::vector<std::string> args, std::string const& worker_args = "") const {
    args.insert(args.begin(), {"--data", "cal", "--sessions", "4"});
    return measure("calibrate", args, worker_args);
  }
  nlohmann::json block(std::string const& name) const {
    return nlohmann::json::parse(read(file("cal/scripted-0/" + name)));
  }
};

TEST_F(Calibrate, MeasuresBlocksOfAScreenAndItsConfirmationAndReports) {
  Finished const finished = calibrate({"--blocks", "2", "--slowdowns", "3", "5"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(block("baseline.run.json").at("sessions").size(), 4U);
  for (char const* name : {"block-01.run.json", "block-02.run.json"}) {
    EXPECT_EQ(block(name).at("sessions").size(), 5U) << name;
    EXPECT_EQ(block(name).at("injected").size(), 2U) << "a third of the six cases must be slowed down";
  }
  nlohmann::json const report = finished.json();
  EXPECT_EQ(report.at("schema"), "perfcheck.calibration/1");
  EXPECT_EQ(report.at("checks"), 10);
  EXPECT_EQ(report.at("false_checks"), 0);
  EXPECT_EQ(report.at("cases").size(), 6U);
  EXPECT_EQ(report.at("rules").at(0).at("name"), "perfcheck");
  EXPECT_EQ(report.at("rules").size(), 1U) << "the report must not contain the rules of other tools";
}

TEST_F(Calibrate, GoesOnWithWhatItHasAndReportsItAgain) {
  ASSERT_EQ(calibrate({"--blocks", "1"}).code, 0);
  std::string const baseline = read(file("cal/scripted-0/baseline.run.json"));
  Finished const more = calibrate({"--blocks", "1", "--label", "rebuild"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(read(file("cal/scripted-0/baseline.run.json")), baseline);
  EXPECT_THAT(more.json().at("cards").at(0).at("blocks"),
              ElementsAre("block-01.run.json", "block-02-rebuild.run.json"));
  EXPECT_EQ(calibrate({"--blocks", "0"}).out, more.out) << "the same data give the same report";
}

TEST_F(Calibrate, ANumberOfABlockThatNoOtherCanFollowIsRefused) {
  calibrations::CalibrationFolder const folder(file("cal"), {.name = "Device", .slug = "device", .uuid = "GPU-1"});
  auto const put = [&](std::string const& name) { write("cal/gpu-1/" + name + ".run.json", "{}"); };
  put("block-99999999999999999999");
  put("block--3");
  put("block-12-label");
  EXPECT_EQ(folder.next_block_file("").filename(), "block-13.run.json");
  put("block-2147483647");
  EXPECT_THAT(
      [&] { (void)folder.next_block_file(""); },
      ::testing::ThrowsMessage<CommandError>(HasSubstr("block-2147483647.run.json: no block can have a larger")));
}

TEST_F(Calibrate, WhatWasNotMeasuredInTimeIsMeasuredNextTime) {
  Finished const cut = calibrate({"--blocks", "1", "--time-budget", "0.2"}, "--delay-ms 20");
  EXPECT_THAT(cut.err, HasSubstr("the same command goes on from here"));
  std::size_t const before = block("baseline.run.json").at("sessions").size();
  EXPECT_LT(before, 4U);
  EXPECT_EQ(calibrate({"--blocks", "1", "--time-budget", "0.001"}).code, 3);
  EXPECT_EQ(block("baseline.run.json").at("sessions").size(), before + 1) << "each call must add a session";
  ASSERT_EQ(calibrate({"--blocks", "1"}).code, 0);
  EXPECT_EQ(block("baseline.run.json").at("sessions").size(), 4U);
  EXPECT_EQ(block("block-01.run.json").at("sessions").size(), 5U);
}

TEST_F(Calibrate, BlocksBeyondTheNinetyNinthGetNumbersOfTheirOwn) {
  ASSERT_EQ(calibrate({"--blocks", "1"}).code, 0);
  std::filesystem::path const folder = file("cal/scripted-0");
  std::filesystem::copy(folder / "block-01.run.json", folder / "block-99.run.json");
  ASSERT_EQ(calibrate({"--blocks", "2"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "block-100.run.json"));
  EXPECT_TRUE(std::filesystem::exists(folder / "block-101.run.json"));
}

TEST_F(Calibrate, ALabelIsPartOfAFileName) {
  EXPECT_EQ(calibrate({"--label", "a/b"}).code, 64);
  EXPECT_FALSE(std::filesystem::exists(file("cal")));
}

TEST_F(Calibrate, CardsHaveFoldersOfTheirOwn) {
  ASSERT_EQ(calibrate({"--blocks", "1"}).code, 0);
  Finished const finished = calibrate({"--blocks", "1"}, "--device-uuid OTHER-1");
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.json().at("cards").size(), 2U);
  EXPECT_EQ(finished.json().at("checks"), 10);
}

TEST_F(Calibrate, ComparesWithTheStoredBaselineWhereAsked) {
  ASSERT_EQ(calibrate({"--blocks", "1"}).code, 0);
  Finished const without = calibrate({"--blocks", "0", "--stored"});
  EXPECT_EQ(without.code, 3);
  EXPECT_THAT(without.err, HasSubstr("there is no"));
  // With a baseline of a machine that was 5 % faster, every session calls its cases regressed.
  ASSERT_EQ(measure("check", {"--record-missing-baseline"}, "--slow 'fake/a@*=0.95' --slow 'fake/b@*=0.95'").code, 0);
  Finished const finished = calibrate({"--blocks", "0", "--stored"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  std::string const digest = nlohmann::json::parse(read(baseline_file())).at("digest");
  EXPECT_EQ(finished.json().at("compared_with"),
            "the stored baseline baselines/scripted-device/gemm.json (digest " + digest + ")");
  EXPECT_EQ(finished.json().at("false_checks"), 5);
  EXPECT_EQ(finished.json().at("blocks"), nlohmann::json({{"of", 1}, {"false", 1}}));
  EXPECT_EQ(finished.json().at("independent_cards"), nlohmann::json({{"of", 1}, {"false", 1}}));
}

TEST_F(Calibrate, AStoredBaselineOfAnOlderVersionIsNotTrusted) {
  ASSERT_EQ(calibrate({"--blocks", "1"}).code, 0);
  record();
  nlohmann::json baseline = nlohmann::json::parse(read(baseline_file()));
  baseline.erase("digest");
  baseline["schema"] = "perfcheck.baseline/2";
  write("baselines/scripted-device/gemm.json", baseline.dump());
  Finished const finished = calibrate({"--blocks", "0", "--stored"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("perfcheck baseline upgrade baselines/scripted-device/gemm.json"));
}

TEST_F(Calibrate, HoldsEachCardOutOfItsBaseline) {
  ASSERT_EQ(calibrate({"--blocks", "1", "--repetitions", "0"}).code, 0);
  Finished const alone = calibrate({"--blocks", "0", "--held-out"});
  EXPECT_EQ(alone.code, 3);
  EXPECT_THAT(alone.err, HasSubstr("it holds one card"));
  ASSERT_EQ(calibrate({"--blocks", "1", "--repetitions", "0"}, "--device-uuid OTHER-1").code, 0);
  // A third card takes 30 % longer: more than the policy allows between cards of one model.
  ASSERT_EQ(calibrate({"--blocks", "1", "--repetitions", "0"},
                      "--device-uuid OTHER-2 --slow 'fake/a@*=1.3' --slow 'fake/b@*=1.3'")
                .code,
            0);
  nlohmann::json const own = calibrate({"--blocks", "0", "--repetitions", "0"}).json();
  EXPECT_EQ(own.at("false_checks"), 0);
  nlohmann::json const held_out = calibrate({"--blocks", "0", "--repetitions", "0", "--held-out"}).json();
  EXPECT_THAT(std::string(held_out.at("compared_with")), HasSubstr("sessions of the other cards"));
  EXPECT_EQ(held_out.at("baselines"), 3) << "for each card: each of the two others, and both together";
  EXPECT_EQ(held_out.at("checks"), 3 * 5 * 3);
  EXPECT_EQ(held_out.at("blocks").at("of"), 3);
  EXPECT_GT(held_out.at("blocks").at("false"), 0);
  EXPECT_EQ(calibrate({"--blocks", "0", "--held-out", "--stored"}).code, 64);
}

TEST_F(Calibrate, SimulatesChecksWithWhatWasRecorded) {
  ASSERT_EQ(calibrate({"--blocks", "2"}).code, 0);
  Finished const some = calibrate({"--simulate", "20"});
  ASSERT_EQ(some.code, 0) << some.err;
  nlohmann::json const report = some.json();
  EXPECT_EQ(report.at("schema"), "perfcheck.simulation/1");
  EXPECT_EQ(report.at("all").at("checks"), 20);
  EXPECT_EQ(report.at("all").at("false_checks"), 0);
  EXPECT_EQ(report.at("decisions"), 20 * 6);
  EXPECT_EQ(report.at("cards").at(0).at("recorded_sessions"), 4 + 2 * 5);
  EXPECT_EQ(calibrate({"--simulate", "20"}).out, some.out) << "the same data give the same report";
  EXPECT_EQ(calibrate({"--simulate"}).json().at("all").at("checks"), 1000);
  EXPECT_EQ(calibrate({"--simulate", "0"}).code, 64);
  EXPECT_EQ(calibrate({"--simulate", "5", "--held-out"}).code, 64);
  EXPECT_EQ(block("baseline.run.json").at("sessions").size(), 4U) << "nothing was measured";
}

TEST_F(Calibrate, TooFewSessionsToDrawFromAreAnError) {
  ASSERT_EQ(calibrate({"--blocks", "1"}).code, 0);
  nlohmann::json run = block("baseline.run.json");
  run["sessions"].erase(2);
  run["sessions"].erase(2);
  write("cal/scripted-0/baseline.run.json", run.dump());
  Finished const finished = calibrate({"--simulate", "5"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("no card has the 8 sessions that a simulated check draws from"));
}

TEST_F(Calibrate, CasesOfOtherCodeThanTheStoredBaselinesAreNamedAndNotCounted) {
  ASSERT_EQ(calibrate({"--blocks", "1"}).code, 0);
  record();
  std::string const id = "fake/a@f32,nn,m64n64k64";
  nlohmann::json run = block("block-01.run.json");
  for (nlohmann::json& session : run["sessions"]) {
    for (nlohmann::json& result : session["cases"]) {
      if (result.at("id") == id) {
        result["launches"] = {{{"function", "f"},
                               {"grid", {1, 1, 1}},
                               {"block", {32, 1, 1}},
                               {"registers", 8},
                               {"shared_bytes", 0},
                               {"local_bytes", 0},
                               {"blocks_per_sm", 1},
                               {"occupancy", 0.5},
                               {"machine_code", "new"}}};
      }
    }
  }
  write("cal/scripted-0/block-01.run.json", run.dump());
  nlohmann::json baseline = nlohmann::json::parse(read(baseline_file()));
  baseline["cases"][id]["machine_code"] = "old";
  write("baselines/scripted-device/gemm.json", baseline.dump());
  ASSERT_EQ(perfcheck({"baseline", "upgrade"}).code, 0);
  nlohmann::json const report = calibrate({"--blocks", "0", "--stored"}).json();
  EXPECT_EQ(report.at("changed"), nlohmann::json::array({id}));
  for (nlohmann::json const& one : report.at("cases")) {
    EXPECT_EQ(one.at("untouched") == 0, one.at("id") == id || !one.at("device").empty()) << one.at("id");
  }
  Finished const text = perfcheck({"calibrate", "--data", "cal", "--blocks", "0", "--stored", "--verbose"});
  EXPECT_THAT(text.out, HasSubstr("1 of 6 cases, whose recorded code or launches are not the baseline's:\n    " + id));
}

TEST_F(Calibrate, TextIsForAPerson) {
  Finished const finished = perfcheck({"calibrate", "--data", "cal", "--sessions", "4", "--blocks", "1", "--slowdowns",
                                       "1", "--worker", worker(), "-v"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  for (char const* part : {"Nothing changed", "0 of 5 checks", "Slowdowns called regressed", "Goals:", "Noise, median",
                           "fake/a@f32,nn,m64n64k64"}) {
    EXPECT_THAT(finished.out, HasSubstr(part));
  }
}

TEST_F(Calibrate, AFolderWithoutRecordingsSaysHowToMakeOne) {
  Finished const finished = calibrate({"--blocks", "0"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("perfcheck calibrate --data cal"));
}

TEST_F(Calibrate, AnotherSuiteDoesNotGoOnWithARecording) {
  ASSERT_EQ(calibrate({"--blocks", "1"}).code, 0);
  Finished const finished = calibrate({"--blocks", "1", "--suite", "ruled"});
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, HasSubstr("was begun with suite default"));
}

TEST_F(Calibrate, ARecordingWithoutACompleteBlockSaysNothing) {
  Finished const finished = calibrate({"--blocks", "1", "--time-budget", "0.01"}, "--delay-ms 20");
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("no complete block"));
}

TEST_F(Calibrate, ABrokenKernelStopsIt) {
  Finished const finished = calibrate({"--blocks", "1"}, "--fault 'result:fake/a@*=incorrect'");
  EXPECT_EQ(finished.code, 2);
  EXPECT_FALSE(std::filesystem::exists(file("cal/scripted-0/baseline.run.json")));
}

}  // namespace
}  // namespace perfcheck::cli::testing
