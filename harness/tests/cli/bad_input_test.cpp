// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Bad input gives one line with file, place and remedy and the right exit code, and leaves existing files untouched.
#include "program.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace perfcheck::cli::testing {
namespace {

using ::testing::HasSubstr;

class BadInput : public ProgramTest {
 protected:
  void expect_one_line(Finished const& finished, int code, std::string const& text) const {
    EXPECT_EQ(finished.code, code) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(text));
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    EXPECT_THAT(finished.out, ::testing::IsEmpty());
  }
};

TEST_F(BadInput, UnknownArgumentsNameTheNearest) {
  expect_one_line(perfcheck({"check", "--filtre", "x"}), 64, "did you mean --filter?");
  expect_one_line(perfcheck({"chekc"}), 64, "did you mean check?");
  expect_one_line(perfcheck({}), 64, "--help");
  expect_one_line(perfcheck({"check", "--sessions", "0"}), 64, "--sessions");
  expect_one_line(perfcheck({"check", "--sessions", "many"}), 64, "--sessions");
  expect_one_line(perfcheck({"check", "--backend", "opencl"}), 64, "--backend");
  expect_one_line(perfcheck({"check", "--worker", "'open quote"}), 64, "quote");
  expect_one_line(perfcheck({"compare"}), 64, "runs");
  expect_one_line(perfcheck({"compare", "a.json", "b.json", "c.json"}), 64, "runs");
}

TEST_F(BadInput, UnknownSuite) {
  expect_one_line(measure("check", {"--suite", "defualt"}), 64, "did you mean default?");
}

TEST_F(BadInput, NoCaseMatches) { expect_one_line(measure("check", {"--filter", "nothing"}), 2, "no case matches"); }

TEST_F(BadInput, Injections) {
  for (char const* bad : {"fake/a", "fake/a=", "=3", "fake/a=x", "fake/a=nan", "fake/a=-3", "fake/a=0", "fake/a=3%"}) {
    Finished const finished = measure("check", {"--inject-slowdown", bad});
    EXPECT_EQ(finished.code, 64) << bad;
    EXPECT_THAT(finished.err, HasSubstr("PATTERN=PERCENT")) << bad;
  }
  Finished const unmatched = measure("check", {"--inject-slowdown", "fake/aa=3"});
  EXPECT_EQ(unmatched.code, 64);
  EXPECT_THAT(unmatched.err, HasSubstr("did you mean 'fake/a'?"));
}

TEST_F(BadInput, Configuration) {
  write("perfcheck.toml", "[policy]\nmargni = 0.1\n");
  expect_one_line(perfcheck({"check"}), 64,
                  "perfcheck.toml:2: policy.margni: is not a known key; did you mean margin?");
  expect_one_line(perfcheck({"check", "--config", "absent.toml"}), 74, "absent.toml");
  std::filesystem::remove(file("perfcheck.toml"));
  expect_one_line(perfcheck({"check"}), 64, "--config");
}

TEST_F(BadInput, AProblemThatTheWorkerCannotRead) {
  expect_one_line(measure("check", {}, "--reject '*m65*'"), 64, "f32,nn,m65n66k67");
}

TEST_F(BadInput, DamagedRunFiles) {
  std::string const good = file("good.json").string();
  ASSERT_EQ(measure("run", {"--out", good, "--sessions", "3"}).code, 0);
  std::string const text = read(good);
  std::vector<std::string> const damaged = {
      "", "{", text.substr(0, text.size() / 2), "[]", "{\"schema\": \"other/1\"}", text + text};
  for (std::string const& bad : damaged) {
    write("bad.json", bad);
    for (Finished const& finished : {perfcheck({"compare", good, file("bad.json")}),
                                     perfcheck({"baseline", "accept", file("bad.json"), "--why", "x"})}) {
      EXPECT_EQ(finished.code, 74) << bad.substr(0, 40);
      EXPECT_THAT(finished.err, HasSubstr("bad.json"));
    }
  }
  expect_one_line(perfcheck({"compare", good, "absent.json"}), 74, "absent.json");
}

TEST_F(BadInput, ADamagedBaselineIsNotTakenForNone) {
  record();
  std::string const damaged = read(baseline_file()).substr(0, 200);
  write("baselines/scripted-device/gemm.json", damaged);
  Finished const finished = measure("check", {"--record-missing-baseline"});
  EXPECT_EQ(finished.code, 74);
  EXPECT_THAT(finished.err, HasSubstr("gemm.json"));
  EXPECT_EQ(read(baseline_file()), damaged);
}

TEST_F(BadInput, FilesThatCannotBeWritten) {
  write("a-file", "");
  Finished const out = measure("run", {"--out", file("a-file/run.json").string()});
  EXPECT_EQ(out.code, 74);
  EXPECT_THAT(out.err, HasSubstr("a-file/run.json"));
  Finished const baseline =
      measure("check", {"--record-missing-baseline", "--baselines", file("a-file/baselines").string()});
  EXPECT_EQ(baseline.code, 74);
}

}  // namespace
}  // namespace perfcheck::cli::testing
