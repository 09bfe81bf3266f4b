// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "fake_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace perfcheck::scripted {
namespace {

constexpr double kClockMhz = 1800;
constexpr double kReferenceFlopPerNs = 50;
constexpr int kRounds = 20;
/// All launches of a case take this long in total; if that is too short for one launch per replay, they take longer.
constexpr double kTimedNs = 4e6;

uint64_t hash_of(std::string_view text) {
  uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

/// Draws factors exp(share * z) with z standard normal; the same stream for the same text.
class Noise {
 public:
  explicit Noise(std::string const& stream) : engine_(hash_of(stream)) {}
  double factor(double share) { return std::exp(share * normal_(engine_)); }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

struct Shape {
  double m = 64, n = 64, k = 64;
};

/// The shape when the text has one as in f32,nn,m512n512k512; a small cube otherwise.
Shape shape_of(std::string const& problem) {
  Shape shape;
  for (std::size_t at = problem.find(",m"); at != std::string::npos; at = problem.find(",m", at + 1)) {
    if (std::sscanf(problem.c_str() + at, ",m%lfn%lfk%lf", &shape.m, &shape.n, &shape.k) == 3) break;
  }
  return shape;
}

model::Work work_of(std::string const& problem) {
  auto const [m, n, k] = shape_of(problem);
  return {.flop = 2 * m * n * k, .bytes = 4 * (m * k + k * n + m * n)};
}

std::vector<model::Axis> axes_of(std::string const& problem) {
  auto const [m, n, k] = shape_of(problem);
  return {{"m", m}, {"n", n}, {"k", k}};
}

std::string arithmetic_of(std::string const& problem) {
  std::string const types = problem.substr(0, problem.find_first_of(",."));
  return types == "tf32" || types == "f16" || types == "bf16" ? types : "f32";
}

std::vector<std::string> operations_of(Script const& script) {
  std::vector<std::string> operations{script.operation};
  operations.insert(operations.end(), script.also.begin(), script.also.end());
  return operations;
}

std::vector<std::string> kernels_of(Script const& script, std::string const& operation) {
  return operation == script.operation ? script.kernels
                                       : std::vector<std::string>{operation + "/reference", operation + "/a"};
}

std::vector<std::string> all_kernels(Script const& script) {
  std::vector<std::string> all;
  for (std::string const& operation : operations_of(script)) {
    for (std::string& kernel : kernels_of(script, operation)) all.push_back(std::move(kernel));
  }
  return all;
}

bool has_kernel(Script const& script, std::string const& kernel) {
  std::vector<std::string> const all = all_kernels(script);
  return std::find(all.begin(), all.end(), kernel) != all.end() && !rule_for(script.unavailable, kernel);
}

std::string reference_of(Script const& script, std::string const& case_id) {
  std::string const operation = model::operation_of(operations_of(script), case_id);
  std::string const reference = operation == script.operation ? script.reference : operation + "/reference";
  return has_kernel(script, reference) ? model::case_id(reference, model::split_case_id(case_id).problem) : case_id;
}

/// Time of one launch without noise: each kernel has its own share of the reference's rate, then the script's factor.
double base_time_ns(Script const& script, std::string const& case_id) {
  model::CaseName const name = model::split_case_id(case_id);
  std::string const kernel = rule_for(script.renamed, name.kernel).value_or(name.kernel);
  double const share =
      name.kernel == script.reference ? 1.0 : 0.4 + 0.5 * static_cast<double>(hash_of(kernel) % 1000) / 1000;
  std::optional<std::string> const slow = rule_for(script.slow, case_id);
  double const factor = slow ? std::stod(*slow) : 1.0;
  return std::max(1000.0, work_of(name.problem).flop / kReferenceFlopPerNs) / share * factor;
}

struct Side {
  double time_ns, noise_of_session;
};

Side side_of(Script const& script, std::string const& case_id, uint64_t seed) {
  Noise session(fmt::format("session {} {} {}", script.session, seed, case_id));
  return {.time_ns = base_time_ns(script, case_id), .noise_of_session = session.factor(script.session_noise)};
}

model::Rounds rounds_of(Script const& script, protocol::MeasureRequest const& request, std::string const& reference) {
  protocol::MeasureOptions const& options = request.options;
  Side const subject = side_of(script, request.case_id, options.seed);
  Side const other = side_of(script, reference, options.seed);
  double const injected = 1 + options.inject_percent / 100;
  // A slower clock, common to all cases of the process; cycles and ratios do not show it.
  double const drift = Noise(fmt::format("drift {} {}", script.session, options.seed)).factor(script.drift);
  Noise noise(fmt::format("rounds {} {} {}", script.session, options.seed, request.case_id));

  model::Rounds rounds;
  int const count = std::clamp(kRounds, options.min_rounds, options.max_rounds);
  double const replay_ns = std::min(options.replay_ms * 1e6, kTimedNs / (2 * count));
  rounds.launches = static_cast<int>(std::clamp(replay_ns / subject.time_ns, 1.0, 1000.0));
  rounds.reference_launches = static_cast<int>(std::clamp(replay_ns / other.time_ns, 1.0, 1000.0));
  for (int i = 0; i < count; ++i) {
    rounds.time_ns.push_back(subject.time_ns * subject.noise_of_session * injected * drift *
                             noise.factor(script.noise));
    rounds.reference_time_ns.push_back(other.time_ns * other.noise_of_session * drift * noise.factor(script.noise));
    if (script.clock) {
      rounds.clock_mhz.push_back(kClockMhz / drift);
      rounds.reference_clock_mhz.push_back(kClockMhz / drift);
    }
  }
  return rounds;
}

model::Proof proof_of(model::Rounds const& rounds) {
  int const replays = static_cast<int>(rounds.time_ns.size() + rounds.reference_time_ns.size());
  return {.replays = replays, .compared = replays, .outputs_compared = 24 * replays, .clock_deviation = 0.001};
}

model::Verification good_verification() {
  return {.passed = true,
          .checks = {{.name = "exact", .passed = true, .error_over_bound = 0.0, .detail = ""},
                     {.name = "signed", .passed = true, .error_over_bound = 0.125, .detail = ""},
                     {.name = "guard_bands", .passed = true, .error_over_bound = {}, .detail = ""}}};
}

}  // namespace

double told_seconds(model::Rounds const& rounds) {
  double sum_ns = 0;
  for (double const time : rounds.time_ns) sum_ns += time * rounds.launches;
  for (double const time : rounds.reference_time_ns) sum_ns += time * rounds.reference_launches;
  return sum_ns * 1e-9;
}

protocol::HelloAnswer hello_answer(Script const& script) {
  protocol::HelloAnswer answer;
  answer.worker = {.name = script.name,
                   .backend = script.backend,
                   .operation = script.operation,
                   .operations = script.also.empty() ? std::vector<std::string>{} : operations_of(script),
                   .build = {.version = "0.0.0",
                             .compiler = "none",
                             .cuda_toolkit = "",
                             .architectures = "",
                             .build_type = "Release",
                             .flags = ""}};
  answer.skips_verification = script.skips_verification;
  answer.tells_launches = script.tells_launches;
  answer.device.backend = script.backend;
  answer.device.index = script.device_index;
  answer.device.name = script.device_name;
  answer.device.slug = model::slug_of(script.device_name);
  answer.device.uuid = script.device_uuid;
  answer.device.multiprocessors = 4;
  answer.device.memory_bytes = int64_t{8} << 30;
  answer.device.cache_bytes = int64_t{8} << 20;
  answer.device.max_clock_mhz = kClockMhz;
  answer.device.peak_tflops = {{"f32", 0.1}, {"tf32", 0.1}, {"f16", 0.1}, {"bf16", 0.1}};
  answer.device.peak_gb_s = 100;
  answer.device.peak_cache_gb_s = 1000;
  answer.device.empty_launch_ns = 100;
  answer.environment.host = "scripted";
  answer.environment.driver = "1.0";
  for (std::string const& id : all_kernels(script)) {
    model::KernelEntry entry;
    entry.id = id;
    entry.summary = "a scripted kernel";
    entry.file = "scripted_worker.cpp";
    if (std::optional<std::string> const reason = rule_for(script.unavailable, id)) {
      entry.unavailable = model::SkipReason::architecture;
      entry.reason = *reason;
    }
    answer.kernels.push_back(std::move(entry));
  }
  return answer;
}

protocol::PlanAnswer plan_answer(Script const& script, protocol::PlanRequest const& request) {
  protocol::PlanAnswer answer;
  for (std::string const& problem : request.problems) {
    bool const rejected = std::any_of(script.reject.begin(), script.reject.end(),
                                      [&](std::string const& glob) { return glob_matches(glob, problem); });
    if (rejected) {
      answer.rejected.push_back({.problem = problem, .message = "\"" + problem + "\" is not a problem"});
      continue;
    }
    if (script.axes) answer.problems.push_back({.text = problem, .axes = axes_of(problem)});
    std::string const operation = model::operation_of(operations_of(script), model::case_id("any", problem));
    for (std::string const& kernel : kernels_of(script, operation)) {
      protocol::PlannedCase planned;
      planned.id = model::case_id(kernel, problem);
      planned.reference = reference_of(script, planned.id);
      planned.work = work_of(problem);
      planned.arithmetic = arithmetic_of(problem);
      if (std::optional<std::string> const unavailable = rule_for(script.unavailable, kernel)) {
        planned.skip_reason = model::SkipReason::architecture;
        planned.reason = *unavailable;
      } else if (std::optional<std::string> const refused = rule_for(script.refuse, planned.id)) {
        planned.skip_reason = model::SkipReason::refused;
        planned.reason = *refused;
      }
      answer.cases.push_back(std::move(planned));
    }
  }
  return answer;
}

std::optional<protocol::ResultAnswer> result_answer(Script const& script, protocol::MeasureRequest const& request) {
  if (!has_kernel(script, model::split_case_id(request.case_id).kernel)) return {};
  protocol::ResultAnswer answer;
  model::CaseResult& result = answer.result;
  result.id = request.case_id;
  result.reference = reference_of(script, request.case_id);
  result.work = work_of(model::split_case_id(request.case_id).problem);
  result.arithmetic = arithmetic_of(model::split_case_id(request.case_id).problem);
  result.verification = good_verification();
  if (request.options.verified) {
    auto& checks = result.verification->checks;
    checks.erase(checks.begin(), checks.end() - 1);
  }
  result.seconds = 0.25;
  if (request.options.verify_only) {
    result.status = model::CaseStatus::skipped;
    result.skip_reason = model::SkipReason::verify_only;
    result.message = "verified and not timed, as asked";
    return answer;
  }
  result.status = model::CaseStatus::measured;
  result.rounds = rounds_of(script, request, result.reference);
  result.proof = proof_of(*result.rounds);
  result.state = model::DeviceState{};
  result.stop_reason = "precise";
  result.injected_percent = request.options.inject_percent;
  return answer;
}

protocol::LaunchesAnswer launches_answer(Script const& script, protocol::LaunchesRequest const& request) {
  protocol::LaunchesAnswer answer{.case_id = request.case_id, .launches = {}, .message = "", .context_lost = false};
  std::optional<std::string> const code = rule_for(script.code, request.case_id);
  if (code == "none") return answer;
  model::LaunchAttributes launch;
  launch.function = "scripted_kernel";
  launch.grid = launch.block = {1, 1, 1};
  launch.machine_code = code.value_or("the same for all");
  answer.launches = {launch};
  return answer;
}

}  // namespace perfcheck::scripted
