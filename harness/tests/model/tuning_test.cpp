// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of `perfcheck tune`: what it holds, what is refused, and the order of kernels.
#include "perfcheck/model/tuning.h"

#include "errors.h"
#include "samples.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace perfcheck::model {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;

TunedPoint point(std::string kernel, double time_ns, std::optional<double> ratio = {}) {
  return {.kernel = std::move(kernel), .session = "s1", .time_ns = time_ns, .ratio = ratio};
}

json valid() { return json::parse(tuning_to_text(samples::complete_tuning())); }
void read(std::string const& text) { (void)tuning_from_text(text, "t.json"); }

TEST(Tuning, ReadsWhatItWrote) {
  std::string const text = tuning_to_text(samples::complete_tuning());
  Tuning const again = tuning_from_text(text, "t.json");
  EXPECT_EQ(tuning_to_text(again), text);
  EXPECT_EQ(again.sessions.front().worker, "0123456789abcdef");
  EXPECT_EQ(again.sessions.front().command, "123456789abcdef0");
  EXPECT_EQ(again.sessions.front().timing, 2);
  TunedPoint const& first = again.problems.at("f32,nn,m64n64k64").front();
  EXPECT_TRUE(first.brief);
  EXPECT_EQ(first.code, "1:23456789abcdef01");
  EXPECT_EQ(first.reference_code, "3456789abcdef012");
}

TEST(Tuning, ReadsVersionOneAndWritesItAsVersionTwo) {
  json file = valid();
  file["schema"] = "perfcheck.tuning/1";
  EXPECT_THROW(read(file.dump()), FormatError) << "version 1 did not say what was launched";
  for (char const* key : {"command", "timing"}) {
    file["sessions"][0].erase(key);
  }
  for (json& point : file["problems"]["f32,nn,m64n64k64"]["points"]) {
    point.erase("code");
    point.erase("reference_code");
  }
  Tuning const tuning = tuning_from_text(file.dump(), "t.json");
  EXPECT_EQ(tuning.sessions.front().timing, kFirstTiming);
  EXPECT_EQ(tuning.problems.at("f32,nn,m64n64k64").front().code, "");
  file["schema"] = kTuningSchema;
  EXPECT_EQ(json::parse(tuning_to_text(tuning)), file);
}

TEST(Tuning, RanksEachKernelOnceByItsFastestPoint) {
  EXPECT_THAT(ranking_of({point("set/a:1", 30), point("set/b", 20), point("set/a:2", 10), point("set/c:1", 40)}),
              ElementsAre("set/a:2", "set/b", "set/c:1"));
}

TEST(Tuning, RatiosDecideWhereAllPointsHaveOne) {
  EXPECT_THAT(ranking_of({point("a", 10, 1.2), point("b", 20, 1.1)}), ElementsAre("b", "a"));
  EXPECT_THAT(ranking_of({point("a", 10), point("b", 20, 1.1)}), ElementsAre("a", "b"));
}

TEST(Tuning, KernelsOfEqualSpeedAreRankedByName) {
  EXPECT_THAT(ranking_of({point("b", 10, 1.0), point("a", 10, 1.0)}), ElementsAre("a", "b"));
}

TEST(Tuning, ThePointIsWhatFollowsTheColon) {
  EXPECT_EQ(split_point("set/a:64x32").kernel, "set/a");
  EXPECT_EQ(split_point("set/a:64x32").point, "64x32");
  EXPECT_EQ(split_point("set/a").kernel, "set/a");
  EXPECT_EQ(split_point("set/a").point, "");
}

TEST(Tuning, AWrongFileIsRefusedWithItsPlace) {
  struct Defect {
    char const* operation;
    char const* pointer;
    json value;
    char const* message;
  };
  std::string const problem = "/problems/f32,nn,m64n64k64";
  std::vector<std::pair<Defect, bool>> const defects = {
      {{"replace", "/schema", "perfcheck.tuning/3", "this perfcheck reads perfcheck.tuning/2 and perfcheck.tuning/1"},
       false},
      {{"replace", "/sessions/0/timing", 0, "sessions[0].timing: "}, false},
      {{"replace", "/points/0/code", 7, "points[0].code: "}, true},
      {{"remove", "/device_slug", {}, "device_slug: is missing"}, false},
      {{"add", "/extra", 1, "extra: "}, false},
      {{"replace", "/sessions/0/id", "", "sessions[0].id: must not be empty"}, false},
      {{"add", "/sessions/-", valid()["sessions"][0], "sessions[1].id: "}, false},
      {{"replace", "/points/0/session", "s9", "there is no session"}, true},
      {{"replace", "/points/0/time_ns", 0, "points[0].time_ns: "}, true},
      {{"replace", "/points/0/time_ns", nullptr, "points[0].time_ns: "}, true},
      {{"replace", "/points/0/ratio", -1, "points[0].ratio: "}, true},
      {{"replace", "/points/0/kernel", "set/a:2", "stands there twice"}, true},
      {{"replace", "/points/0/kernel", "set/a\",\"b", "must be a kernel's id"}, true},
      {{"replace", "/points", json::array(), "points: is empty"}, true},
      {{"replace", "/ranking", {"set/b", "set/a:2"}, "ranking: is not that of the points"}, true},
      {{"replace", "/ranking", {"set/a:1", "set/b"}, "ranking: is not that of the points"}, true},
  };
  ASSERT_NO_THROW(read(valid().dump()));
  for (auto const& [defect, of_problem] : defects) {
    std::string const path = (of_problem ? problem : "") + defect.pointer;
    SCOPED_TRACE(path + " " + defect.value.dump());
    json const patched =
        valid().patch(json::array({{{"op", defect.operation}, {"path", path}, {"value", defect.value}}}));
    expect_holds(format_error_of([&] { read(patched.dump()); }), defect.message);
  }
}

TEST(Tuning, AProblemsNameThatWouldBreakGeneratedCodeIsRefused) {
  for (char const* name : {"", "f32\"", "a b", "k@p", "a\\b", "a\nb"}) {
    json file = valid();
    file["problems"][name] = file["problems"]["f32,nn,m64n64k64"];
    expect_holds(format_error_of([&] { read(file.dump()); }), "must be a problem's text");
  }
}

TEST(Tuning, FilesThatAreShippedRead) {
  int files = 0;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(PERFCHECK_BASELINES_DIR)) {
    if (entry.path().stem().extension() == ".tuned") {
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      EXPECT_GT(tuning_from_text(text.str(), entry.path().string()).problems.size(), 30U) << entry.path();
      ++files;
    }
  }
  EXPECT_GE(files, 1);
}

}  // namespace
}  // namespace perfcheck::model
