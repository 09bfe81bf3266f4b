// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace perfcheck::energy {
namespace {

using testing::ElementsAre;

std::vector<std::string> const kIds = {"gemm/cublas/f16", "gemm/cublas/f16_best", "gemm/mma/ring_f16",
                                       "gemm/wgmma/ring_f16"};

TEST(EnergyChoice, AWholeIdIsThatKernelAlone) {
  EXPECT_THAT(chosen(kIds, "gemm/cublas/f16"), ElementsAre("gemm/cublas/f16"));
}

TEST(EnergyChoice, AnythingElseIsTheBeginningOfIds) {
  EXPECT_THAT(chosen(kIds, "gemm/cublas/"), ElementsAre("gemm/cublas/f16", "gemm/cublas/f16_best"));
  EXPECT_THAT(chosen(kIds, "gemm/cublas/f16_"), ElementsAre("gemm/cublas/f16_best"));
}

TEST(EnergyChoice, PartsAreTakenInTheirOrderAndNoKernelTwice) {
  EXPECT_THAT(chosen(kIds, "gemm/wgmma/,gemm/mma/ring_f16,gemm/wgmma/ring_f16"),
              ElementsAre("gemm/wgmma/ring_f16", "gemm/mma/ring_f16"));
}

TEST(EnergyChoice, APartThatNamesNoKernelIsNamed) {
  EXPECT_THROW((void)chosen(kIds, "gemm/mma/,gemm/wmma/"), std::invalid_argument);
  EXPECT_THROW((void)chosen(kIds, "gemm/mma/,"), std::invalid_argument);
  EXPECT_THROW((void)chosen(kIds, ""), std::invalid_argument);
}

TEST(EnergyOptions, AreRead) {
  Options const options = parse_options(
      {"--seconds", "7.5", "--pairs", "4", "gemm/mma/", "--time-budget", "600", "one", "--out", "file", "two"});
  EXPECT_DOUBLE_EQ(options.seconds, 7.5);
  EXPECT_EQ(options.pairs, 4);
  EXPECT_DOUBLE_EQ(options.time_budget, 600);
  EXPECT_EQ(options.out, "file");
  EXPECT_EQ(options.kernels, "gemm/mma/");
  EXPECT_THAT(options.problems, ElementsAre("one", "two"));
  EXPECT_DOUBLE_EQ(seconds_of_kernel(options), 8 * (kLeadSeconds + 7.5 + 0.5));
}

TEST(EnergyOptions, BlocksLastFiveSecondsUnlessSaid) { EXPECT_GE(parse_options({"kernels", "problem"}).seconds, 5); }

TEST(EnergyOptions, WrongOnesAreNamed) {
  for (std::vector<std::string> const& wrong : std::vector<std::vector<std::string>>{{},
                                                                                     {"kernels"},
                                                                                     {"k", "p", "--seconds"},
                                                                                     {"k", "p", "--seconds", "1.9"},
                                                                                     {"k", "p", "--seconds", "nan"},
                                                                                     {"k", "p", "--seconds", "5s"},
                                                                                     {"k", "p", "--pairs", "0"},
                                                                                     {"k", "p", "--pairs", "1.5"},
                                                                                     {"k", "p", "--launches", "5"}}) {
    EXPECT_THROW((void)parse_options(wrong), std::invalid_argument) << testing::PrintToString(wrong);
  }
}

TEST(EnergyOptions, HelpNeedsNothingElse) { EXPECT_TRUE(parse_options({"--help"}).help); }

}  // namespace
}  // namespace perfcheck::energy
