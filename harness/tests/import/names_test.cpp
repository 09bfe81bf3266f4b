// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "names.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace perfcheck::importing {
namespace {

std::string id_of(std::string const& name) {
  model::CaseName const parts = google_benchmark_name("p", name);
  return model::case_id(parts.kernel, parts.problem);
}

TEST(GoogleBenchmarkName, BecomesKernelAndProblem) {
  std::pair<char const*, char const*> const names[] = {
      {"BM_Sgemm", "p/BM_Sgemm@default"},
      {"BM_Sgemm/512", "p/BM_Sgemm@512"},
      {"BM_Sgemm/512/64/real_time", "p/BM_Sgemm@512,64,real_time"},
      {"BM_Sgemm/n:512/threads:2", "p/BM_Sgemm@n:512,threads:2"},
      {"BM_Sgemm/-1/min_time:0.010", "p/BM_Sgemm@-1,min_time:0.010"},
      {"BM_Copy/pinned/512", "p/BM_Copy/pinned@512"},
      {"Fixture/Method", "p/Fixture/Method@default"},
      {"BM_Sgemm/manual_time", "p/BM_Sgemm@manual_time"},
      {"BM_Sgemm/512/named/3", "p/BM_Sgemm@512,named,3"},
      {"BM_Sum<float, 4>/8", "p/BM_Sum<float, 4>@8"},
      {"BM_Of<std::string>/std::less/8", "p/BM_Of<std::string>/std::less@8"},
      {"512/512", "p/512@512"},
      {"a@b/c@d/1/e@f", "p/a%40b/c%40d@1,e%40f"},
      {"50%/1", "p/50%25@1"},
      {"BM_A/1/x,y", "p/BM_A@1,x%2Cy"},
      {"BM_\n\x7f/1", "p/BM_%0A%7F@1"},
      {"BM_/ /1", "p/BM_/ @1"},
      {"/1", "p/@1"},
      {"BM//1", "p/BM/@1"},
      {"BM/1/", "p/BM@1,"},
      {"BM:/1", "p/BM:@1"},
      {"\xC3\xA9/1", "p/\xC3\xA9@1"},
  };
  for (auto const& [name, id] : names) {
    EXPECT_EQ(id_of(name), id) << name;
  }
}

TEST(GoogleBenchmarkName, NoTwoNamesBecomeOneCase) {
  std::mt19937 random(20261122);
  std::string const alphabet = "aB1/,@%:-=. \n";
  std::map<std::string, std::string> names;
  for (int i = 0; i < 20000; ++i) {
    std::string name(1 + random() % 8, 'a');
    for (char& c : name) {
      c = alphabet[random() % alphabet.size()];
    }
    std::string const id = id_of(name);
    EXPECT_EQ(names.emplace(id, name).first->second, name) << id;
    model::CaseName const split = model::split_case_id(id);
    EXPECT_EQ(split.kernel, google_benchmark_name("p", name).kernel) << name;
    EXPECT_FALSE(split.problem.empty()) << name;
  }
  EXPECT_GT(names.size(), 10000U);
}

TEST(Program, IsTheLastPartOfItsPath) {
  std::pair<char const*, char const*> const paths[] = {{"/home/ci/build/bench", "bench"},
                                                       {"./bench", "bench"},
                                                       {"bench", "bench"},
                                                       {"C:\\ci\\bench.exe", "bench"},
                                                       {"bench.exe", "bench"},
                                                       {"run.py", "run.py"},
                                                       {"", "fallback"},
                                                       {"/", "fallback"},
                                                       {"a@b", "a%40b"}};
  for (auto const& [path, program] : paths) {
    EXPECT_EQ(program_of(path, "fallback"), program) << path;
  }
}

TEST(ProcessTime, IsWantedWhereTheNameSaysSoAndNoOtherTimer) {
  EXPECT_TRUE(wants_process_time("BM/512/process_time"));
  EXPECT_FALSE(wants_process_time("BM/512/process_time/real_time"));
  EXPECT_FALSE(wants_process_time("BM/512/process_time/manual_time"));
  EXPECT_FALSE(wants_process_time("BM/512/real_time"));
  EXPECT_FALSE(wants_process_time("BM/512"));
  EXPECT_FALSE(wants_process_time("process_time/512"));
}

}  // namespace
}  // namespace perfcheck::importing
