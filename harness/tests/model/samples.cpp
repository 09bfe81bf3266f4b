// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "samples.h"

namespace perfcheck::model::samples {
namespace {

constexpr char const* kNaive = "gemm/simt/naive@f32,nn,m512n512k512";
constexpr char const* kCublas = "gemm/library/cublas_f32@f32,nn,m512n512k512";

DeviceInfo h100() {
  return {.backend = "cuda",
          .index = 1,
          .name = "NVIDIA H100 80GB HBM3",
          .slug = "nvidia-h100-80gb-hbm3",
          .uuid = "GPU-00112233-4455-6677-8899-aabbccddeeff",
          .compute_capability = "9.0",
          .multiprocessors = 132,
          .memory_bytes = 85029158912,
          .cache_bytes = 52428800,
          .max_clock_mhz = 1980,
          .peak_tflops = {{"f32", 66.9082}, {"tf32", 494.7}},
          .peak_gb_s = 3352.32,
          .peak_cache_gb_s = 5500,
          .empty_launch_ns = 812.5};
}

DeviceInfo processor() {
  return {.backend = "cpu",
          .index = 0,
          .name = "Example CPU",
          .slug = "example-cpu",
          .uuid = "",
          .compute_capability = "",
          .multiprocessors = 2,
          .memory_bytes = 8589934592,
          .cache_bytes = 33554432,
          .max_clock_mhz = 0,
          .peak_tflops = {},
          .peak_gb_s = std::nullopt,
          .peak_cache_gb_s = std::nullopt,
          .empty_launch_ns = std::nullopt};
}

Environment environment() {
  return {.driver = "580.65.06",
          .cuda_driver = "13.0",
          .cuda_runtime = "13.0",
          .libraries = {{"cublas", "13.1.0"}, {"nvml", "13.580"}},
          .power_limit_w = 700,
          .persistence_mode = "on",
          .ecc = "on",
          .mig = "off",
          .compute_mode = "default",
          .host = "runner-7",
          .os = "Debian GNU/Linux 12",
          .cpu = "Example CPU",
          .timing = 2,
          .warnings = {"clocks are not locked; lock them with: nvidia-smi -lgc 1500"}};
}

LaunchAttributes launch() {
  return {.function = "void naive<float>(GemmArgs)",
          .grid = {16, 64, 1},
          .block = {32, 8, 1},
          .registers = 40,
          .shared_bytes = 4096,
          .local_bytes = 16,
          .blocks_per_sm = 6,
          .occupancy = 0.75,
          .machine_code = "0f1e2d3c4b5a6978",
          .called_code = "1032547698badcfe",
          .constants = "2143658709badcfe",
          .arguments = "3254769810abcdef",
          .attributes = "cluster 2x1x1",
          .other_nodes = "memset 4096 x 1 B to 0x0 in device memory",
          .graph = "4365870921fedcba"};
}

Verification failed_verification() {
  return {.passed = false,
          .checks = {{.name = "exact", .passed = true, .error_over_bound = 0.0, .detail = ""},
                     {.name = "guard_bands",
                      .passed = false,
                      .error_over_bound = std::nullopt,
                      .detail = "4 bytes changed after the end of D"}}};
}

std::vector<CaseResult> cases_of_every_status() {
  std::vector<CaseResult> cases;
  CaseResult naive =
      measured_case(kNaive, kCublas, {91234.5, 91240.25, 91238}, {5210, 5211.5, 5209.75}, {1980, 1979.5, 1980});
  naive.rounds->reference_clock_mhz = {1965, 1965, 1980};
  naive.rounds->launches = 11;
  naive.rounds->reference_launches = 192;
  naive.launches = {launch()};
  naive.arithmetic = "f32";
  naive.state = DeviceState{.sm_clock_mhz = 1980,
                            .memory_clock_mhz = 2619,
                            .power_w = 412.5,
                            .temperature_c = 51,
                            .throttle_reasons = {"sw_power_cap"},
                            .other_processes = 1,
                            .processes = {"pid 8123 (python)"},
                            .faults = {"2 uncorrected ECC errors"}};
  naive.proof = Proof{.replays = 6, .compared = 3, .outputs_compared = 72, .clock_deviation = 0.0123456};
  naive.stop_reason = "precise";
  naive.injected_percent = 3;
  naive.unfit = {"busy: pid 8123 (python)"};
  naive.seconds = 0.41;
  naive.device_seconds = 0.13;
  cases.push_back(naive);
  CaseResult control = measured_case(kCublas, "", {5210, 5212}, {5211, 5210});
  control.state = DeviceState{};
  cases.push_back(control);
  CaseResult wrong = unmeasured_case("gemm/simt/wrong@f32,nn,m512n512k512", CaseStatus::incorrect);
  wrong.verification = failed_verification();
  cases.push_back(wrong);
  cases.push_back(unmeasured_case("gemm/simt/traps@f32,nn,m512n512k512", CaseStatus::crashed));
  cases.push_back(unmeasured_case("gemm/simt/hangs@f32,nn,m512n512k512", CaseStatus::timed_out));
  cases.push_back(unmeasured_case("gemm/simt/throws@f32,nn,m512n512k512", CaseStatus::failed));
  cases.push_back(unmeasured_case("gemm/wgmma/pipeline@f16.f32,nn,m512n512k512", CaseStatus::skipped));
  cases.push_back(unmeasured_case("gemm/simt/skips_replays@f32,nn,m512n512k512", CaseStatus::implausible));
  cases.push_back(unmeasured_case("gemm/simt/hidden_stream@f32,nn,m512n512k512", CaseStatus::invalid));
  return cases;
}

}  // namespace

CaseResult measured_case(std::string const& id, std::string const& reference, std::vector<double> time_ns,
                         std::vector<double> reference_time_ns, std::vector<double> clock_mhz) {
  CaseResult result;
  result.id = id;
  result.reference = reference.empty() ? id : reference;
  result.status = CaseStatus::measured;
  result.verification = Verification{
      .passed = true, .checks = {{.name = "signed", .passed = true, .error_over_bound = 0.125, .detail = ""}}};
  result.work = {.flop = 268435456, .bytes = 3145728};
  result.rounds = Rounds{.launches = 1,
                         .reference_launches = 1,
                         .time_ns = std::move(time_ns),
                         .reference_time_ns = std::move(reference_time_ns),
                         .clock_mhz = std::move(clock_mhz),
                         .reference_clock_mhz = {}};
  return result;
}

CaseResult unmeasured_case(std::string const& id, CaseStatus status) {
  CaseResult result;
  result.id = id;
  result.reference = kCublas;
  result.status = status;
  result.message = "what happened";
  if (status == CaseStatus::skipped) {
    result.skip_reason = SkipReason::architecture;
  }
  return result;
}

Run complete_run() {
  Run run;
  run.id = "20261121T081502Z-3f2a";
  run.started = "2026-11-21T08:15:02Z";
  run.seconds = 12.3456789;
  run.tool_version = "0.1.0";
  run.source = {.commit = "0123456789abcdef0123456789abcdef01234567",
                .branch = "main",
                .subject = "gemm: \"wider\" tiles, 2\xC3\x97",
                .author = "A. Developer",
                .committed = "2026-11-21T08:01:00Z",
                .repository = "https://example.org/team/kernels",
                .dirty = true};
  run.worker = {.name = "perfcheck-gemm",
                .backend = "cuda",
                .operation = "gemm",
                .operations = {"gemm", "softmax"},
                .build = {.version = "0.1.0",
                          .compiler = "GNU 12.2.0",
                          .cuda_toolkit = "13.0.88",
                          .architectures = "90a-real;80-virtual",
                          .build_type = "Release",
                          .flags = "-O3"}};
  run.problems = {
      {.text = "f32,nn,m512n512k512", .axes = {{"types", "f32"}, {"layout", "nn"}, {"m", 512}, {"alpha", 0.5}}},
      {.text = "softmax:r4096", .axes = {{"rows", 4096}}}};
  run.suite = "smoke";
  run.filters = {"*m512*"};
  run.injected = {"gemm/simt/naive*=3"};
  run.shard = Shard{.index = 2, .count = 3, .fan_out = "slurm-4711"};
  run.kernels = {{.id = "gemm/simt/naive",
                  .summary = "one thread per output",
                  .file = "kernels/gemm/simt/naive.cu",
                  .arch = "",
                  .line = 42,
                  .executes = "i8",
                  .work_share = 0.875,
                  .unavailable = std::nullopt,
                  .reason = ""},
                 {.id = "gemm/wgmma/pipeline",
                  .summary = "warp-group tensor cores",
                  .file = "kernels/gemm/wgmma/pipeline.cu",
                  .arch = "exactly 9.0",
                  .library = "cublas",
                  .line = 80,
                  .unavailable = SkipReason::not_built,
                  .reason = "this build has no sm_90a code"}};
  run.sessions.push_back({.id = "s1",
                          .started = "2026-11-21T08:15:03Z",
                          .purpose = SessionPurpose::screen,
                          .device = h100(),
                          .environment = environment(),
                          .seed = 18446744073709551615ULL,
                          .restarts = 2,
                          .cases = cases_of_every_status()});
  run.sessions.push_back({.id = "s2",
                          .started = "2026-11-21T08:15:09Z",
                          .purpose = SessionPurpose::confirm,
                          .device = processor(),
                          .environment = {},
                          .seed = 7,
                          .restarts = 0,
                          .cases = {}});
  return run;
}

Baseline complete_baseline() {
  Baseline baseline;
  baseline.operation = "gemm";
  baseline.device_slug = "nvidia-h100-80gb-hbm3";
  baseline.device_name = "NVIDIA H100 80GB HBM3";
  baseline.accepted = {{.who = "Ada <ada@example.org>",
                        .when = "2026-11-21T09:00:00Z",
                        .commit = "0123456789abcdef",
                        .why = "first sessions on two machines",
                        .sessions = {"s01", "s02"},
                        .cases = 2,
                        .despite = {{.finding = std::string("outlier:20261121T081502Z-3f2a/s1:") + kNaive,
                                     .text = "12 % slower than in the other sessions",
                                     .why = "a process with another address of its inputs"}}}};
  baseline.sessions = {{.id = "s01",
                        .started = "2026-11-21T08:15:03Z",
                        .device_uuid = "GPU-00112233-4455-6677-8899-aabbccddeeff",
                        .driver = "580.65.06",
                        .cuda_runtime = "13.0",
                        .libraries = {{"cublas", "13.1.0"}},
                        .power_limit_w = 700,
                        .commit = "0123456789abcdef",
                        .suite = "default",
                        .run_session = "20261121T081502Z-3f2a/s1"},
                       {.id = "s02",
                        .started = "2026-11-21T08:45:00Z",
                        .device_uuid = "",
                        .driver = "",
                        .cuda_runtime = "",
                        .libraries = {},
                        .power_limit_w = std::nullopt,
                        .commit = "",
                        .suite = "",
                        .run_session = ""}};
  baseline.cases[kNaive] = {
      .reference = kCublas,
      .machine_code = "0f1e2d3c4b5a6978",
      .launches = "1122334455667788",
      .work = "1:99aabbccddeeff00",
      .session = {"s01", "s02"},
      .time_ns = {91238.0, 91251.75},
      .ratio = {17.5123456, 17.51},
      .cycles = {180651.0, 180650.0},
      .launched = {launch(), launch()},
      .input_policy =
          InputPolicy{.arithmetic = "f32", .work = {.flop = 268435456, .bytes = 3145728}, .replay_launches = 11},
      .clock_mhz = {1980, 1979.75},
      .power_w = {412.5, 397.125},
      .tail = {1.00125, 1.5}};
  LaunchAttributes& second = baseline.cases[kNaive].launched[1];
  second.function = "void reduce<float, 4>(float*)";
  for (auto const text : {&LaunchAttributes::machine_code, &LaunchAttributes::called_code, &LaunchAttributes::constants,
                          &LaunchAttributes::arguments, &LaunchAttributes::attributes, &LaunchAttributes::other_nodes,
                          &LaunchAttributes::graph}) {
    (second.*text).clear();
  }
  baseline.cases[kCublas] = {.reference = kCublas,
                             .machine_code = "",
                             .launches = "",
                             .work = "",
                             .session = {"s02"},
                             .time_ns = {5211.0},
                             .ratio = {1.0},
                             .cycles = {},
                             .launched = {},
                             .input_policy = InputPolicy{.arithmetic = "", .work = {}, .replay_launches = 1},
                             .clock_mhz = {},
                             .power_w = {},
                             .tail = {}};
  return baseline;
}

Run imported_run() {
  Run run = small_run();
  run.imported_from = "Google Benchmark 1.9.1";
  CaseResult plain = measured_case("bench/BM_Copy@512", "", {91.5, 91.25}, {});
  plain.verification.reset();
  plain.rounds->reference_launches = 0;
  CaseResult clocked = measured_case("bench/copy@n=512", "", {91.5}, {}, {1980});
  clocked.verification.reset();
  clocked.rounds->reference_launches = 0;
  // Another program may verify and time a reference nevertheless.
  CaseResult complete = measured_case("bench/BM_Sum@512", "bench/BM_Copy@512", {30}, {10});
  CaseResult failed = unmeasured_case("bench/BM_Throws@512", CaseStatus::failed);
  CaseResult skipped = unmeasured_case("bench/BM_Skips@512", CaseStatus::skipped);
  run.sessions[0].cases = {plain, clocked, complete, failed, skipped};
  return run;
}

Tuning complete_tuning() {
  TuningSession const session{.id = "s1",
                              .started = "2026-11-23T08:25:20Z",
                              .device_uuid = "GPU-1",
                              .driver = "580",
                              .cuda_runtime = "13.0",
                              .libraries = {{"cuBLAS", "13.1.0"}},
                              .commit = "abc",
                              .worker = "0123456789abcdef",
                              .command = "123456789abcdef0",
                              .timing = 2};
  std::vector<TunedPoint> const points = {{.kernel = "set/a:1",
                                           .session = "s1",
                                           .time_ns = 200,
                                           .ratio = 1.5,
                                           .brief = true,
                                           .code = "1:23456789abcdef01",
                                           .reference_code = "3456789abcdef012"},
                                          {.kernel = "set/a:2", .session = "s1", .time_ns = 150, .ratio = 1.25},
                                          {.kernel = "set/b", .session = "s1", .time_ns = 250, .ratio = 2}};
  return {.operation = "gemm",
          .device_slug = "nvidia-h200",
          .device_name = "NVIDIA H200",
          .sessions = {session},
          .problems = {{"f32,nn,m64n64k64", points}}};
}

SealedResult sealed_result() {
  return {.id = "set/a@f32,nn,m64n64k64",
          .reference = "set/reference@f32,nn,m64n64k64",
          .status = SealedStatus::timed,
          .message = "",
          .launches = 16,
          .reference_launches = 8,
          .verified = 4096,
          .time_ns = {20100, 20300, 20200},
          .reference_time_ns = {40100, 40300, 40200},
          .around_ns = 850,
          .confinement = {.applied = {"another user (65534)", "its own mounts"},
                          .missing = {"its own processes: unshare: Operation not permitted"}}};
}

SealedResult sealed_refusal() {
  SealedResult result;
  result.id = "set/a@f32,nn,m64n64k64";
  result.status = SealedStatus::refused;
  result.message = "there is no device 3";
  return result;
}

Run small_run() {
  Run run = complete_run();
  run.source.dirty = false;
  run.filters.clear();
  run.injected.clear();
  run.kernels.clear();
  run.sessions.pop_back();
  run.sessions[0].cases = {measured_case(kNaive, kCublas, {91234.5, 91240.25}, {5210, 5211.5}, {1980, 1979.5})};
  return run;
}

}  // namespace perfcheck::model::samples
