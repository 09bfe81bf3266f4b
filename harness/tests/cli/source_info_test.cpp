// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/git/source_info.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

namespace perfcheck::git {
namespace {

namespace fs = std::filesystem;

class SourceInfoTest : public ::testing::Test {
 protected:
  SourceInfoTest() {
    std::string pattern = (fs::temp_directory_path() / "perfcheck_source_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~SourceInfoTest() override { fs::remove_all(folder_); }

  void git(std::vector<std::string> args) const {
    args.insert(args.begin(), {"-c", "user.name=T", "-c", "user.email=t@example.org"});
    ASSERT_TRUE(git_lines(folder_, args, nullptr)) << args.back();
  }
  void commit_all(std::string const& subject) const {
    git({"add", "-A"});
    git({"commit", "-q", "-m", subject});
  }
  void write(std::string const& name) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::app) << "x\n";
  }
  model::SourceInfo info() const { return source_info(folder_, folder_ / "baselines", nullptr); }

  fs::path folder_;
};

TEST_F(SourceInfoTest, IsEmptyOutsideOfGit) {
  model::SourceInfo const source = info();
  EXPECT_EQ(source.commit, "");
  EXPECT_FALSE(source.dirty);
}

TEST_F(SourceInfoTest, NamesCommitBranchAndSubject) {
  git({"init", "-q", "-b", "topic"});
  write("kernel.cu");
  commit_all("faster tiles");
  model::SourceInfo const source = info();
  EXPECT_EQ(source.commit.size(), 40U);
  EXPECT_EQ(source.branch, "topic");
  EXPECT_EQ(source.subject, "faster tiles");
  EXPECT_EQ(source.author, "T");
  EXPECT_THAT(source.committed, ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_EQ(source.repository, "");
  EXPECT_FALSE(source.dirty);
}

TEST_F(SourceInfoTest, ChangedAndNewFilesMakeItDirtyBaselinesDoNot) {
  git({"init", "-q"});
  write("kernel.cu");
  commit_all("one");
  write("baselines/device/gemm.json");
  EXPECT_FALSE(info().dirty);
  write("new_kernel.cu");
  EXPECT_TRUE(info().dirty);
  commit_all("two");
  EXPECT_FALSE(info().dirty);
  write("kernel.cu");
  EXPECT_TRUE(info().dirty);
}

TEST_F(SourceInfoTest, NamesThePageOfTheRepositoryWithoutThePassword) {
  git({"init", "-q"});
  write("kernel.cu");
  commit_all("one");
  git({"remote", "add", "origin", "https://someone:secret@example.org/team/kernels.git"});
  EXPECT_EQ(info().repository, "https://example.org/team/kernels");
}

TEST(RepositoryPage, IsThatOfTheRemoteWithoutCredentialsAndEmptyWhereThereIsNone) {
  std::pair<char const*, char const*> const pages[] = {
      {"https://example.org/team/kernels.git", "https://example.org/team/kernels"},
      {"https://example.org:8443/team/kernels/", "https://example.org:8443/team/kernels"},
      {"http://example.org/team/kernels", "http://example.org/team/kernels"},
      {"https://user:to@ken@example.org/team/kernels.git", "https://example.org/team/kernels"},
      {"git@example.org:team/kernels.git", "https://example.org/team/kernels"},
      {"ssh://git@example.org:22/team/kernels.git", "https://example.org/team/kernels"},
      {"/srv/git/kernels.git", ""},
      {"../kernels", ""},
      {"file:///srv/git/kernels.git", ""},
      {"javascript:alert(1)//x", ""},
      {"https://example.org", ""},
      {"https://example.org/<script>", ""},
      {"", ""},
  };
  for (auto const& [remote, page] : pages) {
    EXPECT_EQ(repository_page(remote), page) << remote;
  }
  EXPECT_EQ(repository_page(std::string("https://example.org/team\0/kernels", 32)), "");
  using namespace std::string_literals;
  EXPECT_EQ(repository_page("git://example.org\0/team/kernels.git"s), "") << "a zero byte is in no link";
}

TEST(CommitOfLog, LeavesOutATimeThatNoCalendarHolds) {
  EXPECT_EQ(commit_of_log({"abc", "1763798400", "A. Developer", "wider tiles"}).committed, "2025-11-22T08:00:00Z");
  for (char const* seconds : {"253402300800", "99999999999999999999", "-1", "", "soon"}) {
    model::SourceInfo const source = commit_of_log({"abc", seconds, "A. Developer", "wider tiles"});
    EXPECT_EQ(source.committed, "") << seconds;
    EXPECT_EQ(source.subject, "wider tiles");
  }
}

TEST_F(SourceInfoTest, GitThatFailsGivesNothing) { EXPECT_FALSE(git_lines(folder_, {"no-such-command"}, nullptr)); }

}  // namespace
}  // namespace perfcheck::git
