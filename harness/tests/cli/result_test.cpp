// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// --result: the files that a command writes for other programs. The formats themselves are tested with their writers.
#include "program.h"

#include "perfcheck/report/result_formats.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

namespace perfcheck::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Result : public ProgramTest {};

TEST_F(Result, IsWrittenInEveryFormatAtOnce) {
  record();
  std::vector<std::string> args{"--result", "json=out.json"};
  for (std::string const& name : report::result_format_names()) {
    args.insert(args.end(), {"--result", fmt::format("{}=out.{}", name, name)});
  }
  std::filesystem::remove(file("out.json"));
  Finished const finished = measure("check", args, "--slow 'fake/a@*=1.05'");
  EXPECT_EQ(finished.code, 1) << finished.err;
  EXPECT_EQ(read(file("out.json")), finished.out) << "the format json must equal the output of --json";
  for (std::string const& name : report::result_format_names()) {
    EXPECT_THAT(read(file("out." + name)), Not(IsEmpty())) << name;
  }
  EXPECT_THAT(read(file("out.summary")), HasSubstr("fake/a"));
  EXPECT_THAT(read(file("out.comment")), StartsWith("<!-- perfcheck:scripted-device -->"));
  EXPECT_THAT(read(file("out.junit")), HasSubstr("<failure"));
  EXPECT_THAT(read(file("out.annotations")), HasSubstr("::error "));
}

TEST_F(Result, GoesToStandardOutputAfterTheTable) {
  record();
  Finished const finished = perfcheck({"check", "--worker", worker(), "--result", "openmetrics=-"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, ::testing::EndsWith("# EOF\n"));
  EXPECT_THAT(finished.out, HasSubstr("exit code 0"));
}

TEST_F(Result, IsNamedAsAsked) {
  record();
  ASSERT_EQ(measure("check", {"--result", "comment=out.md", "--result-name", "H100 pool"}).code, 0);
  EXPECT_THAT(read(file("out.md")), StartsWith("<!-- perfcheck:h100-pool -->"));
}

TEST_F(Result, ThatCannotBeWrittenIsAnErrorWhateverTheVerdict) {
  record();
  Finished const finished = measure("check", {"--result", "junit=nowhere/out.xml"});
  EXPECT_EQ(finished.code, 74);
  EXPECT_THAT(finished.err, HasSubstr("nowhere/out.xml"));
}

/// Names of the files in a folder.
std::set<std::string> files_in(std::filesystem::path const& folder) {
  std::set<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename());
  }
  return names;
}

TEST_F(Result, TheFolderHoldsTheRunAndEveryFormat) {
  record();
  Finished const finished = measure("check", {"--results-dir", "out/here"}, "--slow 'fake/a@*=1.05'");
  EXPECT_EQ(finished.code, 1) << finished.err;
  std::set<std::string> names{"run.json", "check.json"};
  for (report::ResultFormat const format : report::result_formats()) {
    names.emplace(report::result_file(format));
  }
  EXPECT_EQ(files_in(file("out/here")), names);
  for (std::string const& name : names) {
    EXPECT_THAT(read(file("out/here/" + name)), Not(IsEmpty())) << name;
  }
  EXPECT_EQ(read(file("out/here/check.json")), finished.out);
  Finished const again = perfcheck({"compare", "out/here/run.json", "--results-dir", "again"});
  EXPECT_EQ(again.code, 1) << "deciding about the run again must fail as before: " << again.err;
  EXPECT_EQ(files_in(file("again")), names);
}

TEST_F(Result, TheFolderHoldsTheWholeOfSeveralDevices) {
  record();
  Finished const finished = measure("check", {"--devices", "all", "--results-dir", "out"}, "--devices 2");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(read(file("out/check.json")), finished.out);
  EXPECT_THAT(read(file("out/run.json")), HasSubstr("SCRIPTED-0-1"));
}

TEST_F(Result, OfAnEarlierCommandDoesNotStayInTheFolder) {
  std::filesystem::create_directory(file("out"));
  for (char const* name : {"run.json", "junit.xml", "check.json", "mine.txt"}) {
    write(fmt::format("out/{}", name), "earlier");
  }
  EXPECT_NE(perfcheck({"check", "--worker", "./nowhere", "--results-dir", "out"}).code, 0);
  EXPECT_EQ(files_in(file("out")), std::set<std::string>{"mine.txt"});
}

TEST_F(Result, AFolderThatCannotBeWrittenCostsNoMeasurement) {
  write("taken", "");
  Finished const finished = measure("check", {"--results-dir", "taken"});
  EXPECT_EQ(finished.code, 74);
  EXPECT_THAT(finished.err, HasSubstr("--results-dir taken: "));
  EXPECT_FALSE(std::filesystem::exists(file("sessions"))) << "a worker was started";
}

TEST_F(Result, OfAnUnknownFormatIsAUsageErrorWithTheNearest) {
  Finished const finished = measure("check", {"--result", "junitt=out.xml"});
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, HasSubstr("did you mean junit?"));
  EXPECT_THAT(measure("check", {"--result", "junit"}).err, HasSubstr("name a file"));
}

TEST_F(Result, IsWrittenByRunAndCompareToo) {
  record();
  ASSERT_EQ(measure("run", {"--sessions", "2", "--out", "now.run.json", "--result", "junit=run.xml"}).code, 0);
  EXPECT_THAT(read(file("run.xml")), HasSubstr("<testsuite"));
  ASSERT_EQ(perfcheck({"compare", "now.run.json", "--result", "junit=compare.xml"}).code, 0);
  EXPECT_THAT(read(file("compare.xml")), HasSubstr("<testsuite"));
}

}  // namespace
}  // namespace perfcheck::cli::testing
