// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// GEMM and row sums in one real worker: each kernel is verified and timed by its own operation. Nothing here depends on
// how long kernels take.
#include "program.h"

#include "perfcheck/store/store.h"

#include <gmock/gmock.h>

namespace perfcheck::cli::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

class TwoOperations : public ProgramTest {
 protected:
  TwoOperations() { configure(R"("f32,nn,m64n64k64,hot", "row_sum:r64c256,hot", "row_sum:r61c259,hot")"); }

  void configure(std::string const& problems) const {
    write("perfcheck.toml",
          std::string("[measure]\nmax_seconds = 0.02\nmin_rounds = 3\nmax_rounds = 5\n[workers]\ncpu = \"") +
              PERFCHECK_TWO_OPERATIONS + "\"\n[suites.default.cpu]\nproblems = [" + problems + "]\n");
  }
  Finished run(std::vector<std::string> args) const {
    args.insert(args.begin() + 1, {"--backend", "cpu", "--json"});
    return perfcheck(args);
  }
};

TEST_F(TwoOperations, AreVerifiedEachByItsOwn) {
  Finished const finished = run({"run", "--verify-only"});
  ASSERT_EQ(finished.code, 0) << finished.err << finished.out;
  auto const found = outcomes(finished.json());
  EXPECT_THAT(found, Each(Pair(::testing::_, ::testing::AnyOf("verified", "skipped"))));
  EXPECT_THAT(found, AllOf(Contains(Key("gemm/cpu/openblas@f32,nn,m64n64k64,hot")),
                           Contains(Pair(StartsWith("row_sum/cpu/"), "verified"))));
  for (auto const& [id, outcome] : found) {
    EXPECT_EQ(id.starts_with("row_sum/"), id.find("@row_sum:") != std::string::npos) << id;
  }
}

TEST_F(TwoOperations, AreMeasuredAcceptedAndDecidedAbout) {
  Finished const measured = run({"run", "--out", "run.json", "--filter", "gemm/cpu/simd*", "--filter", "row_sum/*"});
  ASSERT_EQ(measured.code, 0) << measured.err;
  model::Run const file_of_run = store::read_run(file("run.json"));
  EXPECT_EQ(file_of_run.worker.operations, (std::vector<std::string>{"gemm", "row_sum"}));
  ASSERT_EQ(perfcheck({"baseline", "accept", "run.json", "--who", "tester", "--why", "because", "--allow-dirty"}).code,
            0);
  std::string const slug = file_of_run.sessions.at(0).device.slug;
  auto const gemm = store::read_baseline(folder_ / "baselines", slug, "gemm");
  auto const rows = store::read_baseline(folder_ / "baselines", slug, "row_sum");
  ASSERT_TRUE(gemm && rows);
  EXPECT_THAT(gemm->cases, Each(Key(StartsWith("gemm/cpu/simd"))));
  EXPECT_THAT(rows->cases, Each(Key(StartsWith("row_sum/cpu/"))));
  // One session decides nothing, so every case is inconclusive.
  Finished const checked = perfcheck({"compare", "run.json", "--json"});
  EXPECT_EQ(checked.code, 3) << checked.err;
  EXPECT_THAT(outcomes(checked.json()), Each(Pair(::testing::_, "inconclusive")));
}

TEST_F(TwoOperations, TheNameOfTheFirstIsNoPartOfItsProblems) {
  configure(R"("gemm:f32,nn,m64n64k64")");
  Finished const finished = run({"list"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, AllOf(HasSubstr("gemm/cpu/naive@f32,nn,m64n64k64\""), Not(HasSubstr("@gemm:"))));
  configure(R"("gemm:f32,nn,m64n64k64", "f32,nn,m64n64k64")");
  EXPECT_THAT(
      run({"list"}).err,
      HasSubstr("cannot read problem \"f32,nn,m64n64k64\": it means the same as \"f32,nn,m64n64k64\"; leave one out"));
}

TEST_F(TwoOperations, AProblemOfNeitherIsSaidWithTheNamesThatThereAre) {
  configure(R"("softmax:r64c256")");
  Finished const finished = run({"list"});
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("perfcheck.toml: suites.default.cpu"), HasSubstr("'softmax:r64c256'"),
                                  HasSubstr("begins with its name: row_sum:...")));
}

TEST_F(TwoOperations, AWorkerThatIsConfiguredNeedsNoOption) {
  Finished const finished = perfcheck({"list", "--backend", "cpu"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("row_sum/cpu/"));
  write("perfcheck.toml", "[workers]\ncpu = \"bin/none\"\n[suites.default.cpu]\nproblems = [\"x\"]\n");
  Finished const missing = perfcheck({"list", "--backend", "cpu"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("perfcheck.toml: workers.cpu: ./bin/none: there is no such worker"));
}

}  // namespace
}  // namespace perfcheck::cli::testing
