// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// kernels/zoo/README.md, the sources and the tests' table name the same kernels, problems and hashes.
#include "tricks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace perfcheck::zoo {
namespace {

/// Words in backticks.
std::vector<std::string> quoted_in(std::string const& line) {
  std::vector<std::string> words;
  for (auto begin = line.find('`'); begin != std::string::npos; begin = line.find('`', begin)) {
    auto const end = line.find('`', begin + 1);
    if (end == std::string::npos) break;
    words.push_back(line.substr(begin + 1, end - begin - 1));
    begin = end + 1;
  }
  return words;
}

/// "kernel problem seen_by" for each row of the page's table: its first, second and last cell.
std::set<std::string> rows_of_the_page() {
  std::ifstream page(std::string(PERFCHECK_ZOO) + "/README.md");
  std::set<std::string> rows;
  for (std::string line; std::getline(page, line);) {
    auto const words = quoted_in(line);
    if (!line.starts_with("| `") || words.size() < 2) continue;
    auto const last_cell = line.substr(line.rfind('|', line.size() - 2));
    auto const seen = quoted_in(last_cell);
    rows.insert(words[0] + " " + words[1] + " " + (seen.empty() ? "" : seen[0]));
  }
  return rows;
}

std::set<std::string> rows_of_the_tests() {
  std::set<std::string> rows;
  for (Trick const& trick : kTricks) rows.insert(std::string(trick.kernel) + " " + trick.problem + " " + trick.seen_by);
  return rows;
}

TEST(ZooPage, SaysOfEveryKernelWhatTheTestsExpectOfIt) { EXPECT_EQ(rows_of_the_page(), rows_of_the_tests()); }

TEST(ZooPage, LeavesOutNoFile) {
  std::set<std::string> files, kernels;
  for (auto const& entry : std::filesystem::directory_iterator(PERFCHECK_ZOO)) {
    if (entry.path().extension() == ".cu" && entry.path().stem() != "callee") files.insert(entry.path().stem());
  }
  for (Trick const& trick : kTricks) kernels.insert(trick.kernel);
  EXPECT_EQ(files, kernels);
  EXPECT_GE(files.size(), 10U);
}

}  // namespace
}  // namespace perfcheck::zoo
