// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/doctor.h"

#include "perfcheck/measuring/fit_machine.h"
#include "perfcheck/measuring/workbench.h"
#include "perfcheck/measuring/worker_choice.h"
#include "perfcheck/model/json.h"
#include "perfcheck/report/format.h"
#include "perfcheck/session/worker_client.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace perfcheck::measuring {
namespace {

void add(Examination& findings, char const* name, std::string const& value) {
  if (!value.empty()) {
    findings.facts.push_back({name, value});
  }
}

void add_device(Examination& findings, model::DeviceInfo const& device) {
  add(findings, "device", fmt::format("{} (index {}, {})", device.name, device.index, device.slug));
  add(findings, "uuid", device.uuid);
  add(findings, "compute capability", device.compute_capability);
  add(findings, device.backend == "cuda" ? "multiprocessors" : "hardware threads",
      std::to_string(device.multiprocessors));
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  add(findings, "memory",
      fmt::format("{} GiB, last-level cache {} MiB",
                  report::format_number(static_cast<double>(device.memory_bytes) / kGiB),
                  report::format_number(static_cast<double>(device.cache_bytes) / (kGiB / 1024))));
  if (device.max_clock_mhz > 0) {
    add(findings, "highest clock", fmt::format("{:.0f} MHz", device.max_clock_mhz));
  }
  std::vector<std::string> peaks;
  for (auto const& [arithmetic, tflops] : device.peak_tflops) {
    peaks.push_back(fmt::format("{} {}", arithmetic, report::format_number(tflops)));
  }
  add(findings, "peak TFLOP/s", fmt::format("{}", fmt::join(peaks, ", ")));
}

void add_environment(Examination& findings, model::Environment const& environment) {
  add(findings, "driver", environment.driver);
  add(findings, "CUDA of the driver", environment.cuda_driver);
  add(findings, "CUDA runtime", environment.cuda_runtime);
  for (auto const& [name, version] : environment.libraries) {
    add(findings, name.c_str(), version);
  }
  if (environment.power_limit_w) {
    add(findings, "power limit", fmt::format("{:.0f} W", *environment.power_limit_w));
  }
  add(findings, "persistence mode", environment.persistence_mode);
  add(findings, "ECC", environment.ecc);
  add(findings, "MIG", environment.mig);
  add(findings, "compute mode", environment.compute_mode);
  add(findings, "host", environment.host);
  add(findings, "operating system", environment.os);
  add(findings, "processor", environment.cpu);
  findings.warnings.insert(findings.warnings.end(), environment.warnings.begin(), environment.warnings.end());
}

void add_build(Examination& findings, model::WorkerInfo const& worker, std::string const& why) {
  model::BuildInfo const& build = worker.build;
  add(findings, "worker", fmt::format("{} {} ({})", worker.name, build.version, why));
  add(findings, "built with",
      build.compiler + (build.cuda_toolkit.empty() ? "" : ", CUDA toolkit " + build.cuda_toolkit));
  add(findings, "architectures", build.architectures);
  add(findings, "build type", build.build_type);
  if (build.build_type != "Release" && build.build_type != "RelWithDebInfo") {
    findings.warnings.push_back(
        fmt::format("the worker was built as \"{}\": its times mean nothing; build with "
                    "-DCMAKE_BUILD_TYPE=Release",
                    build.build_type));
  }
}

void add_kernels(Examination& findings, std::vector<model::KernelEntry> const& kernels) {
  std::size_t available = 0;
  std::vector<std::string> absent;
  for (model::KernelEntry const& kernel : kernels) {
    if (!kernel.unavailable) {
      ++available;
    } else {
      absent.push_back(fmt::format("{} ({})", kernel.id, kernel.reason));
    }
  }
  add(findings, "kernels", fmt::format("{} of {} can run here", available, kernels.size()));
  for (std::string const& one : absent) {
    add(findings, "not here", one);
  }
}

void add_baseline(Examination& findings, std::filesystem::path const& root, protocol::HelloAnswer const& hello) {
  for (std::string const& operation : model::operations_of(hello.worker)) {
    auto const baseline = store::read_baseline(root, hello.device.slug, operation);
    std::string const file = store::baseline_path(root, hello.device.slug, operation).string();
    add(findings, "baseline",
        baseline ? fmt::format("{} cases, {} sessions in {}", baseline->cases.size(), baseline->sessions.size(), file)
                 : fmt::format("none at {}; record one with perfcheck check --record-missing-baseline", file));
  }
}

void add_optional_parts(Examination& findings, config::Config const& config, std::string const& backend) {
  for (auto const& [of, command] : config.workers) {
    std::filesystem::path const program = configured_worker(config, of, program_folder()).front();
    std::error_code ignored;
    add(findings, ("worker for " + of).c_str(),
        fmt::format("{}: {}", program.string(), std::filesystem::exists(program, ignored) ? "found" : "not built"));
  }
  double load[1] = {};
  unsigned const threads = std::thread::hardware_concurrency();
  if (backend == "cpu" && getloadavg(load, 1) == 1 && threads > 0 && load[0] > 0.5 * threads) {
    findings.warnings.push_back(
        fmt::format("the load of this machine is {:.1f} on {} hardware threads: other work shares "
                    "them; stop it while measuring",
                    load[0], threads));
  }
}

std::vector<std::string> unfit_after_waiting(config::Config const& config, session::WorkerCommand const& command,
                                             protocol::HelloAnswer const& hello, double wait_s, Context& context) {
  gate::FitnessPolicy const& policy = config.backend(hello.worker.backend).fitness;
  RetryBudget budget(wait_s);
  return FitMachine(policy, command, budget, context).wait(unfit_at_hello(policy, hello));
}

}  // namespace

Examination examine(Options const& options, Context& context) {
  config::Config const config = config::load_config(context.config);
  std::string why;
  session::WorkerCommand const command = worker_command(options, config, why);
  session::WorkerClient worker(command, &context.interrupt);
  Examination findings{.hello = worker.hello(), .facts = {}, .warnings = {}, .unfit = {}};
  worker.close();

  protocol::HelloAnswer const& hello = findings.hello;
  findings.unfit = unfit_after_waiting(config, command, hello, options.retry_budget_s.value_or(0), context);
  add(findings, "perfcheck", PERFCHECK_VERSION);
  add_build(findings, hello.worker, why);
  add_device(findings, hello.device);
  add_environment(findings, hello.environment);
  add_kernels(findings, hello.kernels);
  add_baseline(findings, config::baselines_folder(options.baselines, config), hello);
  add_optional_parts(findings, config, hello.device.backend);
  return findings;
}

std::string examination_text(Examination const& findings) {
  std::size_t width = 0;
  for (Examination::Fact const& fact : findings.facts) {
    width = std::max(width, fact.name.size());
  }
  std::string text;
  for (Examination::Fact const& fact : findings.facts) {
    text += fmt::format("{:<{}}  {}\n", fact.name, width, fact.value);
  }
  text += '\n';
  for (std::string const& reason : findings.unfit) {
    text += "unfit: " + reason + "\n";
  }
  for (std::string const& warning : findings.warnings) {
    text += "warning: " + warning + "\n";
  }
  return text + (findings.warnings.empty() ? (findings.unfit.empty() ? "nothing found that hurts measurements\n" : "")
                                           : fmt::format("{} warning{}\n", findings.warnings.size(),
                                                         findings.warnings.size() == 1 ? "" : "s"));
}

nlohmann::json examination_json(Examination const& findings) {
  nlohmann::json facts = nlohmann::json::array();
  for (Examination::Fact const& fact : findings.facts) {
    facts.push_back({{"name", fact.name}, {"value", fact.value}});
  }
  return {{"schema", "perfcheck.doctor/1"},
          {"worker", model::to_json(findings.hello.worker)},
          {"device", model::to_json(findings.hello.device)},
          {"environment", model::to_json(findings.hello.environment)},
          {"facts", facts},
          {"unfit", findings.unfit},
          {"warnings", findings.warnings}};
}

}  // namespace perfcheck::measuring
