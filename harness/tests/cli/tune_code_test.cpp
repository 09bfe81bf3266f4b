// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck tune with a file that another program's points are in: it keeps those that launch the same.
#include "program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

namespace perfcheck::cli::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::UnorderedElementsAre;

class TuneOtherProgram : public ProgramTest {
 protected:
  /// A copy of a program; `more` behind its end makes it another one.
  std::string copied(char const* program, std::string const& name, std::string const& more) const {
    fs::copy_file(program, file(name), fs::copy_options::overwrite_existing);
    std::ofstream(file(name), std::ios::app) << more;
    return file(name).string();
  }
  Finished tune_with(std::string const& worker, std::vector<std::string> const& args = {"--json"}) const {
    std::vector<std::string> all{"tune", "--suite", "default", "--worker", worker};
    all.insert(all.end(), args.begin(), args.end());
    return perfcheck(all);
  }
  fs::path tuned_file(std::string const& device = "scripted-device") const {
    return file("baselines/" + device + "/gemm.tuned.json");
  }
  /// The session of each point in the file, by case.
  std::map<std::string, std::string> sessions(fs::path const& path) const {
    std::map<std::string, std::string> by_case;
    json const stored = json::parse(read(path));
    for (auto const& [problem, entry] : stored.at("problems").items()) {
      for (json const& point : entry.at("points")) {
        by_case[point.at("kernel").get<std::string>() + "@" + problem] = point.at("session");
      }
    }
    return by_case;
  }
  /// Cases whose points are others than they were.
  std::vector<std::string> measured_since(std::map<std::string, std::string> const& before,
                                          fs::path const& path) const {
    std::vector<std::string> changed;
    for (auto const& [id, session] : sessions(path)) {
      if (auto const found = before.find(id); found == before.end() || found->second != session) {
        changed.push_back(id);
      }
    }
    return changed;
  }
};

class TuneScripted : public TuneOtherProgram {
 protected:
  TuneScripted() { say_code(""); }

  /// What the next worker launches: lines GLOB=HASH.
  void say_code(std::string const& rules) const { write("code", "fake/*=aa\n" + rules); }
  Finished tune(std::string const& name, std::string const& more_args = "",
                std::vector<std::string> const& args = {"--json"}) const {
    std::string const program = copied(PERFCHECK_SCRIPTED_WORKER, name, name);
    return tune_with(fmt::format("{} --sessions '{}' --code '{}' --kernels fake/reference,fake/a:1,fake/a:2,fake/b "
                                 "--slow 'fake/*@*=4' --slow 'fake/reference@*=1' --slow 'fake/a:1@*=1' {}",
                                 program, file("sessions").string(), file("code").string(), more_args),
                     args);
  }
  /// Tunes with one program, and forgets how many processes that took.
  std::map<std::string, std::string> tuned(std::string const& more_args = "") const {
    Finished const finished = tune("first", more_args);
    EXPECT_EQ(finished.code, 0) << finished.err;
    fs::remove(file("sessions"));
    return sessions(tuned_file());
  }
  std::size_t processes() const { return read(file("sessions")).size(); }
};

TEST_F(TuneScripted, KeepsEveryPointOfAnotherProgramThatLaunchesTheSame) {
  (void)tuned();
  std::string const before = read(tuned_file());
  Finished const finished = tune("second");
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(read(tuned_file()), before);
  EXPECT_EQ(finished.json().at("points"), (json{{"in_file", 6}, {"valid", 6}, {"why", {{"same code", 6}}}}));
  EXPECT_EQ(processes(), 2U) << "one plans and one tells what is launched; none measures";
}

TEST_F(TuneScripted, MeasuresAgainWhatLaunchesOtherCodeAndSaysSo) {
  auto const before = tuned();
  say_code("fake/b@*=bb\n");
  Finished const finished = tune("second", "", {"--color", "never"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(measured_since(before, tuned_file()),
              UnorderedElementsAre("fake/b@f32,nn,m64n64k64", "fake/b@f32,nn,m65n66k67"));
  EXPECT_THAT(finished.err, HasSubstr("4 of 6 points in the file are still valid (same code: 4); 2 are measured again "
                                      "(other code: 2)"));
}

TEST_F(TuneScripted, APointThatWasMeasuredAgainIsValidByItsNewCode) {
  (void)tuned();
  say_code("fake/b@*=bb\n");
  ASSERT_EQ(tune("second").code, 0);
  EXPECT_EQ(tune("third").json().at("points").at("why"), (json{{"same code", 6}}));
  say_code("");
  EXPECT_EQ(tune("fourth").json().at("points").at("why"), (json{{"same code", 4}, {"other code", 2}}));
}

TEST_F(TuneScripted, AnotherReferenceMakesAllItsCasesInvalid) {
  auto const before = tuned();
  say_code("fake/reference@*m64*=bb\n");
  Finished const finished = tune("second");
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.json().at("points").at("why"), (json{{"same code", 3}, {"other code of the reference", 3}}));
  EXPECT_EQ(measured_since(before, tuned_file()).size(), 3U);
}

TEST_F(TuneScripted, WhereCodeIsUnknownTheProgramDecides) {
  say_code("fake/b@*=none\n");
  auto const before = tuned();
  EXPECT_EQ(tune("first").json().at("points").at("why"), (json{{"same program", 6}}));
  EXPECT_THAT(measured_since(before, tuned_file()), IsEmpty());
  EXPECT_EQ(tune("second").json().at("points").at("why"), (json{{"same code", 4}, {"other program, code unknown", 2}}));
}

TEST_F(TuneScripted, OtherArgumentsMakeEverythingInvalid) {
  auto const before = tuned();
  EXPECT_EQ(tune("second", "--noise 0.001").json().at("points").at("why"),
            (json{{"other arguments or way of timing", 6}}));
  EXPECT_EQ(measured_since(before, tuned_file()).size(), 6U);
}

TEST_F(TuneScripted, PointsInAFileOfVersionOneAreValidForTheirProgramAlone) {
  (void)tuned();
  json file = json::parse(read(tuned_file()));
  file["schema"] = "perfcheck.tuning/1";
  for (json& session : file["sessions"]) {
    session.erase("command");
  }
  for (json& problem : file["problems"]) {
    for (json& point : problem["points"]) {
      ASSERT_EQ(point.erase("code") + point.erase("reference_code"), 2U);
    }
  }
  write("baselines/scripted-device/gemm.tuned.json", file.dump());
  EXPECT_EQ(tune("first").json().at("points").at("why"), (json{{"same program", 6}}));
  EXPECT_EQ(tune("second").json().at("points").at("why"), (json{{"other program, code unknown", 6}}));
  EXPECT_EQ(json::parse(read(tuned_file())).at("schema"), "perfcheck.tuning/2");
}

TEST_F(TuneScripted, APointOfALibraryStaysValidWhileItsVersionDoes) {
  auto const library = [](char const* version) {
    return fmt::format(
        R"(--fault 'hello=patch:[{{"op":"add","path":"/environment/libraries","value":{{"BLAS":"{}"}}}},)"
        R"({{"op":"add","path":"/kernels/2/library","value":"BLAS"}}]')",
        version);
  };
  say_code("fake/a:2@*=none\n");
  (void)tuned(library("1"));
  Finished const same = tune("second", library("1"));
  EXPECT_EQ(same.json().at("points").at("why"), (json{{"same code", 6}})) << same.err;
  EXPECT_EQ(tune("second", library("2")).json().at("points").at("why"), (json{{"other driver or libraries", 6}}));
}

TEST_F(TuneScripted, WithAgainNothingIsAskedAndEverythingIsMeasured) {
  auto const before = tuned();
  Finished const finished = tune("second", "", {"--json", "--again"});
  EXPECT_EQ(finished.json().at("points"), (json{{"in_file", 6}, {"valid", 0}, {"why", {{"as asked", 6}}}}));
  EXPECT_EQ(measured_since(before, tuned_file()).size(), 6U);
}

TEST_F(TuneOtherProgram, AWorkerThatIsBuiltAnewMeanwhileIsNoticedAndNothingIsKept) {
  write("worker", fmt::format("#!/bin/sh\necho >> \"$0\"\nexec '{}' --kernels fake/reference,fake/a\n",
                              PERFCHECK_SCRIPTED_WORKER));
  fs::permissions(file("worker"), fs::perms::owner_all);
  Finished const finished = tune_with(file("worker").string());
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("the worker's program changed while it was tuned"));
  EXPECT_FALSE(fs::exists(tuned_file()));
}

/// Real kernels: of two workers that differ in how gemm/probe/naive was compiled.
class TuneRebuilt : public TuneOtherProgram {
 protected:
  fs::path real_file() const {
    for (auto const& folder : fs::directory_iterator(file("baselines"))) {
      return folder.path() / "gemm.tuned.json";
    }
    return {};
  }
};

TEST_F(TuneRebuilt, OnlyTheKernelThatWasCompiledAnewIsMeasuredAgain) {
  // Which kernels are measured is of interest here, not how fast they are.
  write("perfcheck.toml", R"(
[measure]
max_seconds = 0.05
min_rounds = 4
[suites.default.cpu]
problems = ["f32,nn,m64n64k64", "f32,nn,m65n66k67"]
)");
  Finished const first = tune_with(PERFCHECK_TUNED_BEFORE);
  ASSERT_EQ(first.code, 0) << first.out << first.err;
  auto const before = sessions(real_file());
  ASSERT_EQ(before.size(), 4U);

  std::string const other_program = copied(PERFCHECK_TUNED_BEFORE, "copy", "one byte more");
  Finished const copy = tune_with(other_program);
  EXPECT_EQ(copy.json().at("points").at("why"), (json{{"same code", 4}})) << copy.err;
  EXPECT_THAT(measured_since(before, real_file()), IsEmpty());

  Finished const rebuilt = tune_with(PERFCHECK_TUNED_AFTER);
  ASSERT_EQ(rebuilt.code, 0) << rebuilt.out << rebuilt.err;
  EXPECT_EQ(rebuilt.json().at("points").at("why"), (json{{"same code", 2}, {"other code", 2}})) << rebuilt.err;
  // A kernel that was measured briefly may have become one of the fastest, and is then measured at length.
  EXPECT_THAT(measured_since(before, real_file()),
              IsSupersetOf({"gemm/probe/naive@f32,nn,m64n64k64", "gemm/probe/naive@f32,nn,m65n66k67"}));
}

}  // namespace
}  // namespace perfcheck::cli::testing
