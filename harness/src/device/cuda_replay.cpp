// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_replay.h"

#include "launch_attributes.h"

#include <perfcheck/cuda_check.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace perfcheck::device {
namespace {

/// The global timer ticks in steps of up to a microsecond; over this length a step is 0.5 %.
constexpr std::uint64_t kShortestClockWindowNs = 200'000;

ClockSample* allocate_samples(int count) {
  void* data = nullptr;
  PERFCHECK_CUDA(cudaHostAlloc(&data, sizeof(ClockSample) * static_cast<std::size_t>(count), cudaHostAllocMapped));
  return static_cast<ClockSample*>(data);
}

class CudaReplay final : public Replay {
 public:
  CudaReplay(Recording const& recording, cudaStream_t stream, int multiprocessors, double wait_overhead_ns)
      : stream_(stream),
        multiprocessors_(multiprocessors),
        samples_(allocate_samples(2 * multiprocessors)),
        start_(make_event()),
        stop_(make_event()) {
    attributes_ = launch_attributes(capture(stream, [&] { recording.launch(0); }).get());
    Graph const graph = capture(stream, [&] {
      PERFCHECK_CUDA(enqueue_clock_probe(samples_.get(), multiprocessors_, stream_));
      PERFCHECK_CUDA(cudaEventRecordWithFlags(start_.get(), stream_, cudaEventRecordExternal));
      for (int i = 0; i < recording.launches; ++i) {
        recording.launch(i);
      }
      if (recording.extra_ns > 0) {
        auto const wait = std::llround(std::max(0.0, recording.extra_ns - wait_overhead_ns));
        PERFCHECK_CUDA(enqueue_wait(static_cast<std::uint64_t>(wait), stream_));
      }
      PERFCHECK_CUDA(cudaEventRecordWithFlags(stop_.get(), stream_, cudaEventRecordExternal));
      PERFCHECK_CUDA(enqueue_clock_probe(samples_.get() + multiprocessors_, multiprocessors_, stream_));
    });
    cudaGraphExec_t executable = nullptr;
    PERFCHECK_CUDA(cudaGraphInstantiate(&executable, graph.get(), 0));
    executable_.reset(executable);
    PERFCHECK_CUDA(cudaGraphUpload(executable, stream_));
  }

  Reading run() override {
    std::fill_n(samples_.get(), 2 * multiprocessors_, ClockSample{});
    PERFCHECK_CUDA(cudaGraphLaunch(executable_.get(), stream_));
    PERFCHECK_CUDA(cudaStreamSynchronize(stream_));
    float milliseconds = 0;
    PERFCHECK_CUDA(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
    return {.time_ns = static_cast<double>(milliseconds) * 1e6,
            .clock_mhz = clock_between(samples_.get(), samples_.get() + multiprocessors_, multiprocessors_)};
  }

  std::vector<model::LaunchAttributes> attributes() const override { return attributes_; }

 private:
  cudaStream_t stream_;
  int multiprocessors_;
  std::unique_ptr<ClockSample, HostMemoryFreer> samples_;
  Event start_, stop_;
  GraphExec executable_;
  std::vector<model::LaunchAttributes> attributes_;
};

}  // namespace

Event make_event() {
  cudaEvent_t event = nullptr;
  PERFCHECK_CUDA(cudaEventCreate(&event));
  return Event(event);
}

Graph capture(cudaStream_t stream, std::function<void()> const& enqueue) {
  PERFCHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  cudaGraph_t graph = nullptr;
  try {
    enqueue();
  } catch (...) {
    // The stream must leave capture mode whatever happened; an invalid capture yields no graph.
    (void)cudaStreamEndCapture(stream, &graph);
    Graph const discarded(graph);
    (void)cudaGetLastError();
    throw;
  }
  PERFCHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  return Graph(graph);
}

std::unique_ptr<Replay> record_cuda(Recording const& recording, cudaStream_t stream, int multiprocessors,
                                    double wait_overhead_ns) {
  return std::make_unique<CudaReplay>(recording, stream, multiprocessors, wait_overhead_ns);
}

double measure_wait_overhead(cudaStream_t stream, int multiprocessors) {
  constexpr int kFew = 8, kMany = 72, kRepeats = 9;
  auto const time_of = [&](int launches) {
    Recording const recording{.launches = launches, .launch = [&](int) { PERFCHECK_CUDA(enqueue_wait(0, stream)); }};
    auto const replay = record_cuda(recording, stream, multiprocessors, 0);
    std::vector<double> times;
    for (int i = 0; i < kRepeats; ++i) {
      times.push_back(replay->run().time_ns);
    }
    std::nth_element(times.begin(), times.begin() + kRepeats / 2, times.end());
    return times[kRepeats / 2];
  };
  return std::max(0.0, (time_of(kMany) - time_of(kFew)) / (kMany - kFew));
}

std::optional<double> clock_between(ClockSample const* before, ClockSample const* after, int multiprocessors) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < multiprocessors; ++i) {
    if (before[i].cycles == 0 || after[i].cycles <= before[i].cycles ||
        after[i].nanoseconds < before[i].nanoseconds + kShortestClockWindowNs) {
      continue;
    }
    sum += static_cast<double>(after[i].cycles - before[i].cycles) /
           static_cast<double>(after[i].nanoseconds - before[i].nanoseconds) * 1e3;
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

}  // namespace perfcheck::device
