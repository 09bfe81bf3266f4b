// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "support/mutation.h"

#include <gmock/gmock.h>

#include <vector>

namespace perfcheck::fuzz {
namespace {

TEST(Mutated, IsTheSameForASeedWithEveryCompiler) {
  constexpr std::size_t kShown = 12;
  std::mt19937_64 random(1);
  std::vector<std::string> beginnings;
  for (int i = 0; i < 13; ++i) {
    beginnings.push_back(mutated(R"({"m": 64})", "gemm", random).substr(0, kShown));
  }
  EXPECT_THAT(beginnings, ::testing::ElementsAre(R"({"m": 184467)", R"({"m": null})", R"({"m":m":m":m)",
                                                 ":!gemm\xc2\x9b}", R"({"m"8064)", R"({"m""": 64})", R"({"922337203v)",
                                                 R"({"m":1e308 6)", R"({"m":       )",
                                                 "e{*m\": \xcc"
                                                 "6",
                                                 R"({{{{"m": 64})", R"({"m": 64nan})", "{1e3"));
}

}  // namespace
}  // namespace perfcheck::fuzz
