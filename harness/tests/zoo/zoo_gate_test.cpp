// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The gate end to end on a GPU: a baseline of one build, then a check of the other, in which every kernel is slower
// although launch shape and machine code are the same. One test does it all, since sessions take long.
#include "program.h"
#include "tricks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace perfcheck::zoo {
namespace {

using cli::testing::Finished;

/// Except for the margin, this is the project's own policy for GPUs.
constexpr char const* kConfig = R"(
[policy.cuda]
margin = 0.005
confirm_sessions = 4
[measure.cuda]
replay_ms = 1.0
max_seconds = 0.1
min_rounds = 4
idle_share = 1.5
[suites.default.cuda]
problems = [{}]
)";

std::string id_of(Trick const& trick) { return fmt::format("zoo/{}@{}", trick.kernel, trick.problem); }

/// The properties of a launch's shape that baselines hold.
std::set<std::string> const kShape = {"function", "grid", "block", "registers", "shared_memory", "launches"};

class Zoo : public cli::testing::ProgramTest {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "no usable CUDA device";
    std::set<std::string> problems;
    for (Trick const& trick : kTricks) problems.insert(fmt::format("\"{}\"", trick.problem));
    write("perfcheck.toml", fmt::format(kConfig, fmt::join(problems, ", ")));
  }

  /// Checks with a worker in this program's folder, so that both can be copied to a machine with a GPU.
  Finished check(std::string const& build, std::vector<std::string> const& more = {}) const {
    auto const here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    std::vector<std::string> args{"check", "--json", "--worker", (here / ("perfcheck-zoo-" + build)).string()};
    for (Trick const& trick : kTricks) args.insert(args.end(), {"--filter", id_of(trick)});
    args.insert(args.end(), more.begin(), more.end());
    return perfcheck(args);
  }

  /// Expects every case to have a hash of all work, which needs equal hashes in all sessions, each a process of its
  /// own.
  void expect_one_hash_of_all_work() const {
    int files = 0;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(file("baselines"))) {
      if (entry.path().filename() != "gemm.json") continue;
      ++files;
      auto const cases = nlohmann::json::parse(read(entry.path())).at("cases");
      EXPECT_EQ(cases.size(), kTricks.size());
      for (auto const& [id, stored] : cases.items()) EXPECT_TRUE(stored.contains("work")) << id;
    }
    EXPECT_EQ(files, 1);
  }
};

std::map<std::string, nlohmann::json> cases_of(Finished const& finished) {
  std::map<std::string, nlohmann::json> cases;
  nlohmann::json const result = finished.json();
  for (auto const& entry : result.at("cases")) cases[entry.at("id").get<std::string>()] = entry;
  return cases;
}

/// The kinds of the reported changes.
std::set<std::string> changes_of(nlohmann::json const& entry) {
  std::set<std::string> changes;
  for (auto const& difference : entry.value("differences", nlohmann::json::array())) {
    if (difference.at("before") != difference.at("after")) changes.insert(difference.at("what").get<std::string>());
  }
  return changes;
}

void print_row(Trick const& trick, nlohmann::json const& entry) {
  double const change = entry.contains("cycles_change") ? entry["cycles_change"].value("change", 0.0) : 0.0;
  fmt::print("{:26} {:12} cycles {:+6.2f} %  seen by: {}\n", trick.kernel, entry.at("outcome").get<std::string>(),
             100 * change, fmt::join(changes_of(entry), ", "));
}

TEST_F(Zoo, IsRegressedWhereItIsSlowAndPassesWhereItIsNot) {
  Finished const recorded = check("base", {"--record-missing-baseline"});
  ASSERT_EQ(recorded.code, 0) << recorded.err << recorded.out;

  expect_one_hash_of_all_work();

  Finished const same = check("base");
  EXPECT_EQ(same.code, 0) << same.err << same.out;
  for (auto const& [id, entry] : cases_of(same)) EXPECT_EQ(entry.at("outcome"), "pass") << entry;

  Finished const slow = check("slow");
  EXPECT_EQ(slow.code, 1) << slow.err << slow.out;
  auto const cases = cases_of(slow);
  for (Trick const& trick : kTricks) {
    SCOPED_TRACE(trick.kernel);
    ASSERT_TRUE(cases.contains(id_of(trick))) << slow.out;
    nlohmann::json const& entry = cases.at(id_of(trick));
    print_row(trick, entry);
    EXPECT_EQ(entry.at("outcome"), "regressed") << entry;
    auto const changes = changes_of(entry);
    for (auto const& shape : kShape) EXPECT_FALSE(changes.contains(shape)) << shape;
    EXPECT_FALSE(changes.contains("machine_code"));
    for (char const* part : {"arguments", "attributes", "called_code", "constants", "other_nodes", "graph"}) {
      // A copy that is read instead of an input counts as the same argument, even if it is slower.
      EXPECT_EQ(changes.contains(part), std::string(part) == trick.seen_by) << part << entry;
    }
  }
}

}  // namespace
}  // namespace perfcheck::zoo
