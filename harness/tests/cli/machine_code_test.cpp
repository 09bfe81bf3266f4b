// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What real CPU workers report about the machine code of their kernels.
#include "program.h"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

namespace perfcheck::cli::testing {
namespace {

using ::testing::MatchesRegex;

class MachineCode : public ProgramTest {
 protected:
  /// The launches that `worker` reports of these kernels of gemm/cpu in one session, by kernel.
  std::map<std::string, nlohmann::json> launches_of(char const* worker, std::vector<std::string> const& names) const {
    // Their times are of no interest.
    write("perfcheck.toml", R"(
[measure]
max_seconds = 0.02
min_rounds = 3
[suites.default.cpu]
problems = ["f32,nn,m64n64k64"]
)");
    std::string const out = file("run.json").string();
    std::vector<std::string> args = {"run", "--worker", worker, "--out", out};
    for (std::string const& name : names) args.insert(args.end(), {"--filter", "gemm/cpu/" + name + "@*"});
    Finished const finished = perfcheck(args);
    EXPECT_EQ(finished.code, 0) << finished.err;
    std::map<std::string, nlohmann::json> launches;
    nlohmann::json const run = nlohmann::json::parse(read(out));
    for (auto const& result : run.at("sessions").at(0).at("cases")) {
      std::string const id = result.at("id");
      launches[id.substr(0, id.find('@'))] = result.value("launches", nlohmann::json::array());
    }
    return launches;
  }
};

TEST_F(MachineCode, OfAKernelOfTheCpuIsThatOfItsFileAndALibrarysIsUnknown) {
  auto const launches = launches_of(PERFCHECK_CPU_WORKER, {"naive", "blocked", "simd", "openblas"});
  for (std::string const name : {"naive", "blocked", "simd"}) {
    nlohmann::json const& of_kernel = launches.at("gemm/cpu/" + name);
    ASSERT_EQ(of_kernel.size(), 1U) << name;
    EXPECT_EQ(of_kernel.at(0).at("function"), "kernels/gemm/cpu/" + name + ".cpp");
    EXPECT_THAT(of_kernel.at(0).at("machine_code").get<std::string>(), MatchesRegex("[0-9a-f]{16}"));
  }
  EXPECT_NE(launches.at("gemm/cpu/naive"), launches.at("gemm/cpu/simd"));
  EXPECT_EQ(launches.at("gemm/cpu/openblas").size(), 0U);
}

TEST_F(MachineCode, IsTheSameInAnotherProgramWhereItLiesElsewhere) {
  std::vector<std::string> const names = {"naive", "simd"};
  auto const here = launches_of(PERFCHECK_CPU_WORKER, names), there = launches_of(PERFCHECK_CPU_TUNING_WORKER, names);
  for (std::string const& name : names) EXPECT_EQ(here.at("gemm/cpu/" + name), there.at("gemm/cpu/" + name)) << name;
}

}  // namespace
}  // namespace perfcheck::cli::testing
