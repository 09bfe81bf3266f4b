// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Benchmarks whose names and results show what Google Benchmark's JSON can hold. The environment variable
// PERFCHECK_EXAMPLE_FACTOR multiplies reported and waited times, PERFCHECK_EXAMPLE_LEAVE_OUT leaves a benchmark out,
// and PERFCHECK_EXAMPLE_REFUSE adds one that reports an error.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

double factor() {
  char const* const text = std::getenv("PERFCHECK_EXAMPLE_FACTOR");
  return text == nullptr ? 1.0 : std::atof(text);
}

/// Reports a fixed time instead of measuring, so that it is the same on every machine.
void told(benchmark::State& state) {
  double const seconds = 1e-6 * static_cast<double>(state.range(0)) * factor();
  for (auto _ : state) {
    state.SetIterationTime(seconds);
  }
}

/// Waits for a number of microseconds of wall-clock time.
void waits(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  auto const wait = std::chrono::duration<double, std::micro>(static_cast<double>(state.range(0)) * factor());
  for (auto _ : state) {
    Clock::time_point const start = Clock::now();
    while (Clock::now() - start < wait) {
    }
  }
}

template <typename T>
void sums(benchmark::State& state) {
  std::vector<T> const values(static_cast<std::size_t>(state.range(0)), T(1));
  for (auto _ : state) {
    T sum = std::accumulate(values.begin(), values.end(), T(0));
    benchmark::DoNotOptimize(sum);
  }
  // A counter that is 0 has no relative spread, so the library writes NaN.
  state.counters["misses"] = 0;
}

void refuses(benchmark::State& state) {
  state.SkipWithError("there is no such device");
  for (auto _ : state) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool const complete = std::getenv("PERFCHECK_EXAMPLE_LEAVE_OUT") == nullptr;
  benchmark::RegisterBenchmark("told", told)->Arg(10)->Arg(2000)->UseManualTime()->Iterations(10);
  if (complete) {
    benchmark::RegisterBenchmark("told/more", told)
        ->ArgName("us")
        ->Arg(300)
        ->UseManualTime()
        ->Iterations(10)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("waits", waits)->Arg(100)->UseRealTime()->Iterations(20)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("sums<float>@stack", sums<float>)->Arg(256)->Iterations(1000);
  benchmark::RegisterBenchmark("sums<double>", sums<double>)->Arg(256)->MeasureProcessCPUTime()->Iterations(1000);
  if (std::getenv("PERFCHECK_EXAMPLE_REFUSE") != nullptr) {
    benchmark::RegisterBenchmark("refuses", refuses);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
