// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A change that renames or retires kernels is judged by the configuration of its target branch: its own new entries
// count only if both builds were measured.
#include "renamed_program.h"

#include <gmock/gmock.h>

namespace perfcheck::cli::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

class RenamingChange : public RenamedTest {
 protected:
  RenamingChange() {
    record();
    names(kAIsNew, "change.toml");
  }
  /// Checks the head build, with a base build unless `base` is null. The target branch's configuration has no entries.
  Finished check(std::string const& head, char const* base = "", std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--config-of-change", "change.toml"});
    if (base != nullptr) {
      more.insert(more.end(), {"--base", worker(base)});
    }
    return measure("check", more, head);
  }
};

std::string const kA = "fake/a@f32,nn,m64n64k64", kNew = "fake/new@f32,nn,m64n64k64";

TEST_F(RenamingChange, CountsWhereTheBaseBuildsOldIdWasMeasuredAgainstTheHeadsNewOne) {
  Finished const finished = check(kNewA);
  expect_pass(finished, 6);
  EXPECT_EQ(case_of(finished, "fake/new").at("renamed_from"), kA);
  EXPECT_THAT(notes(finished), HasSubstr("renamed by this change: fake/a is fake/new now; 2 cases, the base build's "
                                         "under the old id against the head build's"));
  EXPECT_THAT(finished.err, HasSubstr("the change renames cases: the base build is measured in its place"));
}

TEST_F(RenamingChange, ThatIsSlowerRegressed) {
  Finished const finished = check(kNewA + " --slow 'fake/new@*=1.05'");
  EXPECT_EQ(finished.code, 1);
  for (auto const& [id, outcome] : outcomes(finished.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/new@") ? "regressed" : "pass") << id;
  }
}

TEST_F(RenamingChange, CountsForNothingWithoutABaseBuild) {
  Finished const finished = check(kNewA, nullptr);
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(outcomes(finished.json()), AllOf(Contains(Pair(kA, "missing")), Contains(Pair(kNew, "no_baseline"))));
  json const missing = case_of(finished, "fake/a");
  EXPECT_EQ(missing.at("reason_code"), "rename_not_measured");
  EXPECT_THAT(missing.at("reason").get<std::string>(),
              AllOf(HasSubstr("change.toml:6: renamed.fake/a"), HasSubstr("check --base")));
}

TEST_F(RenamingChange, CannotTakeAnIdThatTheBaseBuildHasNoKernelOf) {
  // The base build does not have the stored kernel, so the head's kernel with the new name may be an unrelated one.
  Finished const finished = check(kNewA, "--kernels fake/reference,fake/b");
  EXPECT_EQ(finished.code, 2) << finished.out;
  EXPECT_EQ(case_of(finished, "fake/a").at("reason_code"), "rename_not_measured");
}

TEST_F(RenamingChange, CannotLetAKernelDisappearUnderAnIdThatNobodyOffers) {
  Finished const finished = check("--kernels fake/reference,fake/b");
  EXPECT_EQ(finished.code, 2) << finished.out;
  EXPECT_EQ(outcomes(finished.json()).at(kA), "missing");
}

TEST_F(RenamingChange, CannotGiveASlowKernelTheMarginOfAnother) {
  names("[policy.cpu.margins]\n\"fake/b\" = 0.5\n");
  names("[policy.cpu.margins]\n\"fake/b\" = 0.5\n[renamed]\n\"fake/b\" = \"fake/a\"\n", "change.toml");
  Finished const finished = check("--kernels fake/reference,fake/a --slow 'fake/a@*=1.3'");
  EXPECT_EQ(finished.code, 64) << finished.out;
  EXPECT_THAT(finished.err, AllOf(HasSubstr("renamed.fake/b: makes \"fake/a@"), HasSubstr("holds another case")));
}

TEST_F(RenamingChange, DoesNotRetireAnything) {
  names("[retired]\n\"fake/b\" = \"it is slow\"\n", "change.toml");
  Finished const finished = check("--kernels fake/reference,fake/a");
  EXPECT_EQ(finished.code, 2);
  json const missing = case_of(finished, "fake/b");
  EXPECT_EQ(missing.at("reason_code"), "retired_by_the_change");
  EXPECT_THAT(missing.at("reason").get<std::string>(), HasSubstr("it is slow"));
}

TEST_F(RenamingChange, KnowsEntriesOfTheTargetBranchAndIsJudgedByThem) {
  names(kAIsNew);
  names(std::string(kAIsNew) + "\"fake/b\" = \"fake/other\"\n", "change.toml");
  Finished const finished =
      check("--kernels fake/reference,fake/new,fake/other --renamed fake/new=fake/a --renamed fake/other=fake/b",
            kNewA.c_str());
  expect_pass(finished, 6);
  EXPECT_THAT(notes(finished), AllOf(HasSubstr("fake/b is fake/other"), Not(HasSubstr("fake/a is fake/new"))));
  // If the change redirects an existing entry, that is a second entry for the same old id.
  names("[renamed]\n\"fake/a\" = \"fake/else\"\n", "change.toml");
  Finished const turned = check(kNewA);
  EXPECT_EQ(turned.code, 64);
  EXPECT_THAT(turned.err, HasSubstr("change.toml:6: renamed.fake/a: matches nothing, because perfcheck.toml:6"));
}

TEST_F(RenamingChange, IsComparedByAbAsWell) {
  auto const ab = [&](std::string const& head) {
    return measure("ab", {"--base", worker(), "--config-of-change", "change.toml"}, head);
  };
  Finished const finished = ab(kNewA);
  expect_pass(finished, 6);
  EXPECT_THAT(notes(finished), HasSubstr("renamed by this change: fake/a is fake/new"));
  EXPECT_EQ(ab(kNewA + " --slow 'fake/new@*=1.05'").code, 1);
  EXPECT_EQ(measure("ab", {"--base", worker()}, kNewA).code, 2) << "without the entry the case is missing";
}

TEST_F(RenamingChange, IsDecidedAlikeFromItsRunFile) {
  ASSERT_EQ(check(kNewA, "", {"--out", "now.json"}).code, 0);
  json const run = json::parse(read(file("now.json")));
  EXPECT_THAT(run.at("base_sessions").at(0).dump(), HasSubstr(kA)) << "run files must keep the ids that were measured";
  std::vector<std::string> const with{"--config-of-change", "change.toml"};
  Finished const finished = compare("now.json", with);
  expect_pass(finished, 6);
  EXPECT_EQ(case_of(finished, "fake/new").at("renamed_from"), kA);
  EXPECT_EQ(compare("now.json").code, 2);
  edit("now.json",
       [](json& file) { take_from(file.at("base_sessions"), [](std::string const& id) { return id == kA; }); });
  Finished const cut = compare("now.json", with);
  EXPECT_EQ(cut.code, 2);
  EXPECT_EQ(case_of(cut, "fake/a").at("reason_code"), "rename_not_measured");
}

TEST_F(RenamingChange, IsDecidedAlikeFromShards) {
  for (char const* shard : {"1/2", "2/2"}) {
    std::string const out = std::string("shards/") + shard[0] + ".run.json";
    std::filesystem::create_directories(file("shards"));
    Finished const part = check(kNewA, "", {"--shard", shard, "--out", out});
    EXPECT_EQ(part.code, 0) << part.out << part.err;
  }
  expect_pass(merge({"--config-of-change", "change.toml"}), 6);
  EXPECT_EQ(merge().code, 2);
}

TEST_F(RenamingChange, IsSelectedByItsNewName) {
  Finished const finished = check(kNewA, "", {"--filter", "fake/new"});
  expect_pass(finished, 2);
}

}  // namespace
}  // namespace perfcheck::cli::testing
