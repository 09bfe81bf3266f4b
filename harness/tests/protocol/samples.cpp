// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "samples.h"

namespace perfcheck::protocol::samples {

MeasureRequest measure_request() {
  return {.case_id = "gemm/simt/naive@f32,nn,m8n8k8",
          .options = {.seed = kMaxSeed,
                      .verify_only = false,
                      .replay_ms = 0.5,
                      .max_seconds = 0.25,
                      .idle_share = 1.5,
                      .min_rounds = 3,
                      .max_rounds = 7,
                      .precision = 0.0125,
                      .inject_percent = 3.5}};
}

model::CaseResult measured_result() {
  model::CaseResult result;
  result.id = measure_request().case_id;
  result.reference = "gemm/library/cublas@f32,nn,m8n8k8";
  result.status = model::CaseStatus::measured;
  result.verification = {.passed = true,
                         .checks = {{.name = "exact", .passed = true, .error_over_bound = {}, .detail = ""}}};
  result.work = {.flop = 1024, .bytes = 768};
  result.arithmetic = "f32";
  result.rounds = {.launches = 4,
                   .reference_launches = 8,
                   .time_ns = {100, 101, 102},
                   .reference_time_ns = {50, 51, 52},
                   .clock_mhz = {},
                   .reference_clock_mhz = {}};
  result.proof = model::Proof{.replays = 6, .compared = 6, .outputs_compared = 36, .clock_deviation = 0.001};
  result.stop_reason = "precise";
  result.injected_percent = 3.5;
  result.seconds = 0.125;
  return result;
}

model::CaseResult incorrect_result() {
  model::CaseResult result = measured_result();
  result.status = model::CaseStatus::incorrect;
  result.rounds.reset();
  result.proof.reset();
  result.message = "exact: element (0, 1) is 7, not 8";
  result.verification->passed = false;
  result.verification->checks[0].passed = false;
  result.verification->checks[0].detail = "element (0, 1) is 7, not 8";
  return result;
}

HelloAnswer hello_answer() {
  HelloAnswer answer;
  answer.worker = {.name = "perfcheck-gemm",
                   .backend = "cuda",
                   .operation = "gemm",
                   .operations = {"gemm", "softmax"},
                   .build = {.version = "0.1.0",
                             .compiler = "GCC 12.2.0",
                             .cuda_toolkit = "13.0",
                             .architectures = "90a",
                             .build_type = "Release",
                             .flags = "-O3"}};
  answer.device.backend = "cuda";
  answer.device.index = 1;
  answer.device.name = "NVIDIA H100 80GB HBM3";
  answer.device.slug = "nvidia-h100-80gb-hbm3";
  answer.device.uuid = "GPU-1";
  answer.device.multiprocessors = 132;
  answer.device.max_clock_mhz = 1980;
  answer.device.peak_tflops = {{"f32", 66.9}, {"i8", 1979}};
  answer.device.peak_cache_gb_s = 5500;
  answer.device.empty_launch_ns = 812.5;
  answer.environment.driver = "580.65";
  answer.environment.libraries = {{"cublas", "13.0"}};
  answer.environment.warnings = {"persistence mode is off; turn it on"};
  model::KernelEntry kernel;
  kernel.id = "gemm/simt/naive";
  kernel.summary = "one thread per output";
  kernel.executes = "i8";
  kernel.work_share = 0.875;
  answer.kernels = {kernel};
  kernel.id = "gemm/wgmma/*";
  kernel.unavailable = model::SkipReason::not_built;
  kernel.reason = "left out";
  answer.kernels.push_back(kernel);
  return answer;
}

PlanAnswer plan_answer() {
  PlannedCase planned;
  planned.id = measure_request().case_id;
  planned.reference = "gemm/library/cublas@f32,nn,m8n8k8";
  planned.work = {.flop = 1024, .bytes = 768};
  planned.arithmetic = "f32";
  PlannedCase skipped = planned;
  skipped.id = "gemm/simt/vectorized@f32,nn,m8n8k8";
  skipped.skip_reason = model::SkipReason::refused;
  skipped.reason = "k must be a multiple of 16";
  return {.cases = {skipped, planned},
          .rejected = {{.problem = "f99", .message = "is not a data type"}},
          .problems = {{.text = "f32,nn,m8n8k8", .axes = {{"types", "f32"}, {"m", 8}}}}};
}

std::vector<Request> requests() {
  return {HelloRequest{.client = "test", .device = 1}, PlanRequest{.problems = {"f32,nn,m8n8k8", "f99"}},
          measure_request(), ByeRequest{}, LaunchesRequest{.case_id = measure_request().case_id}};
}

std::vector<Answer> answers() {
  return {
      hello_answer(),
      plan_answer(),
      ProgressAnswer{.case_id = measure_request().case_id, .phase = "verify"},
      ResultAnswer{.result = measured_result(), .context_lost = false},
      ErrorAnswer{.code = "no_device", .message = "there is none"},
      launches_answer(),
      LaunchesAnswer{.case_id = launches_answer().case_id, .launches = {}, .message = "lost", .context_lost = true}};
}

LaunchesAnswer launches_answer() {
  model::LaunchAttributes launch;
  launch.function = "naive";
  launch.grid = launch.block = {8, 8, 1};
  launch.machine_code = "0123456789abcdef";
  return {.case_id = measure_request().case_id, .launches = {launch}, .message = "", .context_lost = false};
}

}  // namespace perfcheck::protocol::samples
