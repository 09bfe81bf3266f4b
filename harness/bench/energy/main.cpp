// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "choice.h"
#include "file.h"
#include "launches.h"
#include "meter.h"

#include <perfcheck/clock/clock.h>
#include <perfcheck/session/interrupt.h>
#include <perfcheck/store/store.h>

#include <cuda_info.h>
#include <fmt/format.h>
#include <nvml_state.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>

namespace perfcheck::energy {
namespace {

constexpr char const* kHelp = R"(perfcheck_energy: joules per launch of GEMM kernels, beside those of their references

usage: perfcheck_energy [options] KERNELS PROBLEM...

  perfcheck_energy gemm/wgmma/ f16.f32,nt,m8192n8192k8192
  perfcheck_energy --out energy.json gemm/wgmma/ping_pong_f16,gemm/mma/combined_f16 f16.f32,nt,m4096n4096k4096

KERNELS are ids, or beginnings of ids, separated by commas. Each of these kernels whose types a problem has is launched
back to back for a block of seconds, in turns with blocks of the reference of its types. For each it says the median of
joules per launch, and of the ratio of each pair of blocks; in brackets stands what the reference took.

  --seconds S       of a block, at least 2 (5)
  --pairs N         of blocks, for each kernel (3)
  --time-budget S   leave out kernels that would end later than after S seconds, and say which
  --out FILE        write all blocks as JSON (perfcheck.energy/1, docs/file-formats.md), after each kernel

The energy is that of the whole board, from NVML's counter. It depends on the data: inputs here are random numbers from
-1 to 1 (random bits for INT8), over 1 GiB of inputs and results, in a cycle. Nothing is verified.

Built as perfcheck_energy_tuning it has every point of each space, such as gemm/mma/persistent_f16:128x256-64x64-4.

Exit codes: 0 measured, 2 a kernel or a block failed, or nothing was named or had time, 3 this device has no such counter,
64 usage, 128 + a signal that ended it.
)";

/// Bytes of inputs and results that launches cycle over: more than any cache holds. A problem has two sets at least.
constexpr std::size_t kCycledBytes = std::size_t{1} << 30;
constexpr std::size_t kMostSets = 64;
constexpr int kUsage = 64, kFailed = 2, kNoCounter = 3, kSignalled = 128;

class NoCounter : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Kernels = std::map<std::string, GemmKernel const*>;

/// By their ids.
Kernels registered_kernels() {
  Kernels kernels;
  for (KernelRegistration const* one = KernelRegistration::first(); one != nullptr; one = one->next()) {
    kernels[one->info().id()] = static_cast<GemmKernel const*>(one->info().typed);
  }
  return kernels;
}

Kernels::value_type const& reference_of(GemmProblem const& problem, Kernels const& kernels) {
  for (auto const& one : kernels) {
    if (one.second->reference && takes(*one.second, problem)) return one;
  }
  throw std::invalid_argument("no reference takes " + to_text(problem));
}

/// Measures and keeps everything that one call asks for.
class Measurement {
 public:
  Measurement(Options options, session::Interrupt const& interrupt)
      : options_(std::move(options)), nvml_(device::pci_bus_id(0)), interrupt_(interrupt) {
    model::Environment environment;
    nvml_.describe(environment);
    if (environment.mig == "on") {
      throw NoCounter("MIG is on: the counter is of the whole board, of which this is a part");
    }
    try {
      (void)nvml_.energy_mj();
    } catch (std::runtime_error const& error) {
      throw NoCounter(error.what());
    }
    session_.started = clock::utc_now();
    session_.device = device::cuda_device_info(0).name;
    session_.driver = environment.driver;
    session_.power_limit_w = environment.power_limit_w.value_or(0);
    session_.block_seconds = options_.seconds;
  }

  /// Returns the exit code.
  int run() {
    Kernels const all = registered_kernels();
    std::vector<std::string> ids;
    for (auto const& one : all) ids.push_back(one.first);
    std::vector<std::string> const wanted = chosen(ids, options_.kernels);
    for (std::string const& text : options_.problems) {
      GemmProblem const problem = parse_gemm_problem(text);
      auto const& [reference_id, reference] = reference_of(problem, all);
      bool any = false;
      for (std::string const& id : wanted) {
        GemmKernel const& kernel = *all.at(id);
        if (&kernel == reference || !takes(kernel, problem)) continue;
        any = true;
        if (!has_time(id, text)) continue;
        measure({.kernel = id, .reference = reference_id, .problem = text, .pairs = {}}, kernel, *reference, problem);
      }
      if (!any) throw std::invalid_argument("none of the kernels takes " + text + " on this device");
    }
    return session_.cases.empty() ? kFailed : 0;
  }

 private:
  bool has_time(std::string const& id, std::string const& problem) const {
    if (options_.time_budget <= 0 ||
        clock::seconds_since(start_) + seconds_of_kernel(options_) <= options_.time_budget) {
      return true;
    }
    fmt::print("{}@{}: left out: the time budget of {} s is used up\n", id, problem, options_.time_budget);
    return false;
  }

  void measure(Measured one, GemmKernel const& kernel, GemmKernel const& reference, GemmProblem const& problem) {
    auto const sets = std::clamp<std::size_t>(kCycledBytes / RandomInputs::set_bytes(problem), 2, kMostSets);
    RandomInputs const inputs(problem, static_cast<int>(sets));
    PERFCHECK_CUDA(cudaDeviceSynchronize());
    Launches of_kernel(kernel, inputs), of_reference(reference, inputs);
    Meter const meter(nvml_, interrupt_, options_.seconds);
    for (int i = 0; i < options_.pairs; ++i) {
      Pair pair;
      if (reference_first(i)) pair.reference = meter.measure(of_reference);
      pair.kernel = meter.measure(of_kernel);
      if (!reference_first(i)) pair.reference = meter.measure(of_reference);
      one.pairs.push_back(pair);
    }
    fmt::print("{}\n", line_of(one));
    (void)std::fflush(stdout);
    session_.cases.push_back(std::move(one));
    if (!options_.out.empty()) store::write_file_atomically(options_.out, file_text(session_));
  }

  Options options_;
  device::Nvml nvml_;
  session::Interrupt const& interrupt_;
  Session session_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int run(Options options) {
  session::Interrupt const interrupt;
  try {
    present_device() = slug_of_device();
    return Measurement(std::move(options), interrupt).run();
  } catch (session::Interrupted const& interrupted) {
    fmt::print(stderr, "perfcheck_energy: interrupted; kernels that were not yet measured have no joules\n");
    return kSignalled + interrupted.signal;
  } catch (NoCounter const& error) {
    fmt::print(stderr, "perfcheck_energy: no joules: {}\n", error.what());
    return kNoCounter;
  } catch (std::exception const& error) {
    fmt::print(stderr, "perfcheck_energy: {}\n", error.what());
    return kFailed;
  }
}

}  // namespace
}  // namespace perfcheck::energy

int main(int argc, char** argv) {
  using namespace perfcheck::energy;
  Options options;
  try {
    options = parse_options({argv + 1, argv + argc});
  } catch (std::invalid_argument const& error) {
    fmt::print(stderr, "perfcheck_energy: {}; see --help\n", error.what());
    return kUsage;
  }
  if (options.help) {
    fmt::print("{}", kHelp);
    return 0;
  }
  return run(std::move(options));
}
