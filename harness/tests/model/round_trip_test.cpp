// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What is written reads back, and writing it again gives the same text.
#include "errors.h"
#include "perfcheck/model/json.h"
#include "samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace perfcheck::model {
namespace {

std::string golden(std::string const& name) {
  std::ifstream file(std::string(PERFCHECK_GOLDEN_DIR) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The golden files show every member; a change of the format must change them and docs/file-formats.md.
TEST(RunFile, IsWrittenAsTheGoldenFile) { EXPECT_EQ(run_to_text(samples::complete_run()), golden("run.json")); }
TEST(BaselineFile, IsWrittenAsTheGoldenFile) {
  EXPECT_EQ(baseline_to_text(samples::complete_baseline()), golden("baseline.json"));
}

TEST(RunFile, ReadsBack) {
  std::string const text = golden("run.json");
  EXPECT_EQ(run_to_text(run_from_text(text, "f")), text);
  model::Run const run = run_from_text(text, "f");
  Session const& session = run.sessions.at(0);
  EXPECT_EQ(session.seed, UINT64_MAX);
  EXPECT_EQ(session.purpose, SessionPurpose::screen);
  EXPECT_EQ(session.device.peak_tflops.at("tf32"), 494.7);
  EXPECT_EQ(session.device.peak_gb_s, 3352.32);
  EXPECT_EQ(session.environment.power_limit_w, 700);
  EXPECT_EQ(session.environment.timing, 2);
  EXPECT_EQ(session.environment.libraries.at("cublas"), "13.1.0");
  CaseResult const& naive = session.cases.at(0);
  EXPECT_EQ(naive.launches.at(0).grid, (std::array<int, 3>{16, 64, 1}));
  EXPECT_EQ(naive.launches.at(0).called_code, "1032547698badcfe");
  EXPECT_EQ(naive.launches.at(0).constants, "2143658709badcfe");
  EXPECT_EQ(naive.launches.at(0).arguments, "3254769810abcdef");
  EXPECT_EQ(naive.launches.at(0).attributes, "cluster 2x1x1");
  EXPECT_EQ(naive.launches.at(0).other_nodes, "memset 4096 x 1 B to 0x0 in device memory");
  EXPECT_EQ(naive.launches.at(0).graph, "4365870921fedcba");
  EXPECT_EQ(naive.state->other_processes, 1);
  EXPECT_EQ(naive.state->processes, std::vector<std::string>{"pid 8123 (python)"});
  EXPECT_EQ(naive.state->faults, std::vector<std::string>{"2 uncorrected ECC errors"});
  EXPECT_EQ(naive.unfit, std::vector<std::string>{"busy: pid 8123 (python)"});
  EXPECT_EQ(naive.rounds->reference_clock_mhz, (std::vector<double>{1965, 1965, 1980}));
  EXPECT_EQ(naive.verification->checks.at(0).error_over_bound, 0.125);
  EXPECT_EQ(naive.injected_percent, 3);
  ASSERT_TRUE(naive.proof);
  EXPECT_EQ(naive.proof->replays, 6);
  EXPECT_EQ(naive.proof->compared, 3);
  EXPECT_EQ(naive.proof->outputs_compared, 72);
  EXPECT_EQ(naive.proof->clock_deviation, 0.0123456);
  EXPECT_EQ(run.kernels.at(0).executes, "i8");
  EXPECT_EQ(run.kernels.at(0).work_share, 0.875);
  EXPECT_EQ(session.device.peak_cache_gb_s, 5500);
  EXPECT_EQ(session.device.empty_launch_ns, 812.5);
  EXPECT_EQ(session.cases.at(7).status, CaseStatus::implausible);
  EXPECT_EQ(session.cases.at(8).status, CaseStatus::invalid);
  EXPECT_EQ(session.cases.at(2).verification->checks.at(1).detail, "4 bytes changed after the end of D");
  EXPECT_EQ(session.cases.at(6).skip_reason, SkipReason::architecture);
  EXPECT_FALSE(run.sessions.at(1).device.peak_gb_s);
  EXPECT_FALSE(run.sessions.at(1).environment.power_limit_w);
}

TEST(RunFile, KeepsTheOperationsOfItsWorkerAndTheAxesOfProblemsInTheirOrder) {
  model::Run const run = run_from_text(golden("run.json"), "f");
  EXPECT_EQ(run.worker.operations, (std::vector<std::string>{"gemm", "softmax"}));
  ASSERT_EQ(run.problems.size(), 2U);
  EXPECT_EQ(run.problems[0].text, "f32,nn,m512n512k512");
  EXPECT_EQ(run.problems[0].axes, (std::vector<Axis>{{"types", "f32"}, {"layout", "nn"}, {"m", 512}, {"alpha", 0.5}}));
  EXPECT_EQ(run.problems[1].axes, (std::vector<Axis>{{"rows", 4096}}));
}

// Files from before workers could hold several operations and problems had axes.
TEST(RunFile, OfVersionThreeReadsAndIsWrittenAsThisOne) {
  std::string const text = golden("run-3.json");
  EXPECT_EQ(nlohmann::json::parse(text).at("schema"), kEarlierRunSchemas[0]);
  model::Run const run = run_from_text(text, "f");
  EXPECT_EQ(operations_of(run.worker), std::vector<std::string>{"gemm"});
  EXPECT_TRUE(run.problems.empty());
  nlohmann::json written = to_json(run);
  EXPECT_EQ(written.at("schema"), kRunSchema);
  written["schema"] = kEarlierRunSchemas[0];
  EXPECT_EQ(json_to_text(written), text) << "and nothing else of it changes";
}

// Files from before launches recorded their arguments, the code that they call and their surroundings.
TEST(RunFile, OfVersionTwoReadsAndIsWrittenAsThisOne) {
  std::string const text = golden("run-2.json");
  EXPECT_EQ(nlohmann::json::parse(text).at("schema"), kEarlierRunSchemas[1]);
  model::Run const run = run_from_text(text, "f");
  LaunchAttributes const& launch = run.sessions.at(0).cases.at(0).launches.at(0);
  EXPECT_EQ(launch.machine_code, "0f1e2d3c4b5a6978");
  EXPECT_EQ(launch.constants + launch.arguments + launch.attributes + launch.graph, "");
  nlohmann::json written = to_json(run);
  EXPECT_EQ(written.at("schema"), kRunSchema);
  written["schema"] = kEarlierRunSchemas[1];
  EXPECT_EQ(json_to_text(written), text) << "and nothing else of it changes";
}

// Files from before results came with proof.
TEST(RunFile, OfTheFirstVersionReadsAndIsWrittenAsThisOne) {
  std::string const text = golden("run-1.json");
  EXPECT_EQ(nlohmann::json::parse(text).at("schema"), kEarlierRunSchemas.back());
  model::Run const run = run_from_text(text, "f");
  CaseResult const& naive = run.sessions.at(0).cases.at(0);
  EXPECT_EQ(naive.rounds->time_ns.size(), 3U);
  EXPECT_FALSE(naive.proof);
  EXPECT_FALSE(run.sessions.at(0).device.peak_cache_gb_s);
  EXPECT_EQ(run.kernels.at(0).executes, "");
  EXPECT_EQ(run.kernels.at(0).work_share, 0);
  nlohmann::json written = to_json(run);
  EXPECT_EQ(written.at("schema"), kRunSchema);
  written["schema"] = kEarlierRunSchemas.back();
  EXPECT_EQ(json_to_text(written), text) << "and nothing else of it changes";
}

TEST(RunFile, OfAnotherProgramReadsBackWithTimesOnly) {
  std::string const text = run_to_text(samples::imported_run());
  EXPECT_EQ(run_to_text(run_from_text(text, "f")), text);
  EXPECT_EQ(run_from_text(text, "f").imported_from, "Google Benchmark 1.9.1");
  nlohmann::json const plain = nlohmann::json::parse(text)["sessions"][0]["cases"][0];
  EXPECT_FALSE(plain.contains("verification"));
  EXPECT_FALSE(plain["rounds"].contains("reference_time_ns"));
  EXPECT_FALSE(plain["rounds"].contains("reference_launches"));
  CaseResult const read = run_from_text(text, "f").sessions.at(0).cases.at(0);
  EXPECT_FALSE(read.verification);
  EXPECT_EQ(read.rounds->time_ns, (std::vector<double>{91.5, 91.25}));
  EXPECT_TRUE(read.rounds->reference_time_ns.empty());
  EXPECT_EQ(read.rounds->reference_launches, 0);
}

TEST(BaselineFile, ReadsBack) {
  std::string const text = golden("baseline.json");
  EXPECT_EQ(baseline_to_text(baseline_from_text(text, "f")), text);
  Baseline const baseline = baseline_from_text(text, "f");
  BaselineCase const& naive = baseline.cases.at("gemm/simt/naive@f32,nn,m512n512k512");
  EXPECT_EQ(naive.ratio, (std::vector<double>{17.51235, 17.51}));
  EXPECT_EQ(naive.session, (std::vector<std::string>{"s01", "s02"}));
  ASSERT_EQ(naive.launched.size(), 2U);
  EXPECT_EQ(naive.launched[0].grid, (std::array<int, 3>{16, 64, 1}));
  EXPECT_EQ(naive.launched[0].occupancy, 0.75);
  EXPECT_EQ(naive.launched[1].function, "void reduce<float, 4>(float*)");
  EXPECT_EQ(naive.work, "1:99aabbccddeeff00");
  ASSERT_TRUE(naive.input_policy);
  EXPECT_EQ(naive.input_policy->arithmetic, "f32");
  EXPECT_EQ(naive.input_policy->work.bytes, 3145728);
  EXPECT_EQ(naive.input_policy->replay_launches, 11);
  EXPECT_EQ(naive.clock_mhz, (std::vector<double>{1980, 1979.75}));
  EXPECT_EQ(naive.power_w, (std::vector<double>{412.5, 397.125}));
  EXPECT_EQ(naive.tail, (std::vector<double>{1.00125, 1.5}));
  EXPECT_TRUE(baseline.has_digest);
  ASSERT_EQ(baseline.accepted.at(0).despite.size(), 1U);
  EXPECT_EQ(baseline.accepted.at(0).despite[0].why, "a process with another address of its inputs");
  EXPECT_EQ(baseline.sessions.at(0).run_session, "20261121T081502Z-3f2a/s1");
  EXPECT_EQ(baseline.accepted.at(0).sessions, (std::vector<std::string>{"s01", "s02"}));
}

// Files from before baselines had a digest, tails and a hash of all work.
TEST(BaselineFile, OfTheVersionBeforeReads) {
  std::string const text = golden("baseline-2.json");
  EXPECT_EQ(nlohmann::json::parse(text).at("schema"), kEarlierBaselineSchemas.front());
  Baseline const baseline = baseline_from_text(text, "f");
  EXPECT_FALSE(baseline.has_digest);
  EXPECT_EQ(baseline.cases.at("gemm/simt/naive@f32,nn,m512n512k512").launches, "1122334455667788");
  EXPECT_EQ(baseline.cases.at("gemm/simt/naive@f32,nn,m512n512k512").work, "");
  EXPECT_TRUE(baseline.cases.at("gemm/simt/naive@f32,nn,m512n512k512").tail.empty());
  auto written = to_json(baseline);
  EXPECT_EQ(written.at("schema"), kBaselineSchema) << "and is written as this one";
  written.erase("digest");
  written["schema"] = kEarlierBaselineSchemas.front();
  EXPECT_EQ(written, nlohmann::json::parse(text)) << "and nothing else of it changes";
}

// Files from before baselines held launches, input policy, clock and power.
TEST(BaselineFile, OfTheFirstVersionReads) {
  auto text = nlohmann::json::parse(golden("baseline-2.json"));
  text["schema"] = kEarlierBaselineSchemas.back();
  for (auto& entry : text["cases"]) {
    for (char const* key : {"launched", "input_policy", "clock_mhz", "power_w", "tail"}) {
      entry.erase(key);
    }
  }
  Baseline const baseline = baseline_from_text(text.dump(), "f");
  EXPECT_FALSE(baseline.has_digest);
  BaselineCase const& naive = baseline.cases.at("gemm/simt/naive@f32,nn,m512n512k512");
  EXPECT_EQ(naive.cycles, (std::vector<double>{180651, 180650}));
  EXPECT_TRUE(naive.launched.empty());
  EXPECT_FALSE(naive.input_policy);
  EXPECT_TRUE(naive.clock_mhz.empty());
  EXPECT_EQ(to_json(baseline).at("schema"), kBaselineSchema) << "and is written as this one";
}

TEST(BaselineFile, ThatIsShippedReads) {
  // Beside the shipped baselines there may be one that a check recorded on this machine.
  int large = 0;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(PERFCHECK_BASELINES_DIR)) {
    if (entry.path().extension() == ".json" && entry.path().stem().extension() != ".tuned") {
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      Baseline const baseline = baseline_from_text(text.str(), entry.path().string());
      EXPECT_FALSE(baseline.cases.empty()) << entry.path();
      large += baseline.cases.size() > 100 ? 1 : 0;
    }
  }
  EXPECT_GE(large, 2);
}

TEST(BaselineFile, TakesOneLineForALaunch) {
  Baseline const baseline = samples::complete_baseline();
  Baseline without = baseline;
  for (auto& [id, entry] : without.cases) {
    entry.launched.clear();
  }
  auto const lines = [](std::string const& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_EQ(lines(baseline_to_text(baseline)), lines(baseline_to_text(without)) + 2 + 2)
      << "two lines of values and two of brackets";
}

TEST(RunFile, AnyRunReadsBackUpToRounding) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    model::Run const run = samples::arbitrary_run(random);
    std::string const text = run_to_text(run);
    model::Run const again = run_from_text(text, "f");
    ASSERT_EQ(run_to_text(again), text) << "seed " << seed;
    ASSERT_EQ(to_json(again), to_json(run)) << "seed " << seed;
  }
}

TEST(BaselineFile, AnyBaselineReadsBackUpToRounding) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    Baseline const baseline = samples::arbitrary_baseline(random);
    std::string const text = baseline_to_text(baseline);
    Baseline const again = baseline_from_text(text, "f");
    ASSERT_EQ(baseline_to_text(again), text) << "seed " << seed;
    ASSERT_EQ(to_json(again), to_json(baseline)) << "seed " << seed;
  }
}

TEST(Rounding, MovesAMeasurementByLessThanItsLastDigit) {
  model::Run run = samples::small_run();
  run.sessions[0].cases[0].rounds->time_ns = {1234567.891, 0.123456789};
  model::Run const again = run_from_text(run_to_text(run), "f");
  EXPECT_EQ(again.sessions[0].cases[0].rounds->time_ns, (std::vector<double>{1234570, 0.123457}));
}

TEST(RunFile, LeavesOutAnErrorThatIsNoNumber) {
  // A kernel that returns NaN has an infinite error; that must reach the report as a failed check, not as a malformed
  // file.
  model::Run run = samples::complete_run();
  run.sessions[0].cases[2].verification->checks[1].error_over_bound = std::numeric_limits<double>::infinity();
  model::Run const again = run_from_text(run_to_text(run), "f");
  EXPECT_FALSE(again.sessions[0].cases[2].verification->checks[1].error_over_bound);
  EXPECT_FALSE(again.sessions[0].cases[2].verification->checks[1].passed);
}

TEST(RunFile, DoesNotWriteATimeThatIsNoNumber) {
  model::Run run = samples::small_run();
  run.sessions[0].cases[0].rounds->time_ns[1] = std::numeric_limits<double>::quiet_NaN();
  expect_holds(format_error_of([&] { (void)run_to_text(run); }), "sessions[0].cases[0].rounds.time_ns[1]");
}

TEST(Parts, ThatTheProtocolCarriesReadBack) {
  model::Run const run = samples::complete_run();
  auto const device = to_json(run.sessions[0].device);
  EXPECT_EQ(to_json(device_from_json(device, "f", "device")), device);
  auto const environment = to_json(run.sessions[0].environment);
  EXPECT_EQ(to_json(environment_from_json(environment, "f", "environment")), environment);
  EXPECT_EQ(to_json(worker_from_json(to_json(run.worker), "f", "worker")), to_json(run.worker));
  for (KernelEntry const& kernel : run.kernels) {
    EXPECT_EQ(to_json(kernel_from_json(to_json(kernel), "f", "kernels[0]")), to_json(kernel));
  }
  for (CaseResult const& result : run.sessions[0].cases) {
    EXPECT_EQ(to_json(case_result_from_json(to_json(result), "f", "result")), to_json(result));
  }
}

}  // namespace
}  // namespace perfcheck::model
