// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_replay.h"

#include "graph_copy.h"
#include "graph_inventory.h"
#include "graph_node.h"
#include "launch_attributes.h"
#include "perfcheck/model/defences.h"
#include "perfcheck/model/median.h"

#include <perfcheck/cuda_check.h>
#include <perfcheck/device/exclusive.cuh>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

namespace perfcheck::device {
namespace {

/// The global timer ticks in steps of up to a microsecond; over this length a step is 0.5 %.
constexpr std::uint64_t kShortestClockWindowNs = 200'000;

/// What the device writes during a replay, in memory that both sides see: a probe's samples before and after, and the
/// moments at which the gates had the device to themselves.
struct Marks {
  explicit Marks(int count) : multiprocessors(count) {
    void* data = nullptr;
    PERFCHECK_CUDA(
        cudaHostAlloc(&data, sizeof(ClockSample) * static_cast<std::size_t>(2 * multiprocessors), cudaHostAllocMapped));
    samples.reset(static_cast<ClockSample*>(data));
    PERFCHECK_CUDA(cudaHostAlloc(&data, sizeof(GateMoment) * 2, cudaHostAllocMapped));
    moments.reset(static_cast<GateMoment*>(data));
  }
  void clear() const {
    std::fill_n(samples.get(), 2 * multiprocessors, ClockSample{});
    std::fill_n(moments.get(), 2, GateMoment{});
  }

  int multiprocessors;
  std::unique_ptr<ClockSample, HostMemoryFreer> samples;
  std::unique_ptr<GateMoment, HostMemoryFreer> moments;
};

/// Moments by the device's global timer, in memory that both sides see.
class Moments {
 public:
  explicit Moments(int count) {
    void* data = nullptr;
    PERFCHECK_CUDA(cudaHostAlloc(&data, sizeof(std::uint64_t) * static_cast<std::size_t>(count), cudaHostAllocMapped));
    data_.reset(static_cast<std::uint64_t*>(data));
    std::fill_n(data_.get(), count, 0);
  }
  std::uint64_t* data() const { return data_.get(); }

 private:
  std::unique_ptr<std::uint64_t, HostMemoryFreer> data_;
};

/// Fills the part of the stack that the next call will use. Padding in a kernel's arguments keeps what was on the stack
/// before. The first launch finds zeros there and the second one something else, so the hash of the arguments can leave
/// padding out.
[[gnu::noinline]] void fill_stack(int byte) {
  constexpr std::size_t kDeepest = 64 * 1024;
  std::byte room[kDeepest];
  std::memset(room, byte, kDeepest);
  asm volatile("" : : "r"(room) : "memory");  // keeps the memset
}

class CudaReplay final : public Replay {
 public:
  CudaReplay(Recording const& recording, ReplayDevice const& device, ReplayOverheads const& overheads)
      : stream_(device.stream()),
        block_order_(device.block_order()),
        overheads_(overheads),
        marks_(device.multiprocessors()),
        start_(make_event()),
        stop_(make_event()) {
    RecordedParts parts;
    Graph const recorded = capture(stream_, [&] { parts = enqueue(recording, device.gate()); });
    keep_copy(recorded.get(), parts);
    if (model::applies(model::Defence::inventory)) inventory_ = take_inventory(graph_.get(), parts_);
  }

  Reading run(Surroundings const& around) override {
    if (!executable_) executable_ = executable(graph_.get());
    return replay(executable_.get(), around);
  }

  StepReadings run_steps(Steps const& steps, Surroundings const& around) override {
    if (inventory_.launches.empty()) return {};
    Moments const moments(2 * steps.count);
    Graph const graph = with_inserts(graph_.get(), inserts(steps, moments));
    GraphExec const alone = executable(graph.get());
    replay(alone.get(), around);
    StepReadings readings;
    for (int i = 0; i < steps.count; ++i) {
      auto const begun = moments.data()[2 * i], ended = moments.data()[2 * i + 1];
      readings.times_ns.push_back(static_cast<double>(ended) - static_cast<double>(begun) - overheads_.step_ns);
    }
    return readings;
  }

  std::vector<model::LaunchAttributes> attributes() const override {
    auto const& launches = inventory_.launches;
    if (launches.empty()) return {};
    return launch_attributes({.graph = graph_.get(),
                              .nodes = launches.front(),
                              .again = launches.size() > 1 ? launches[1] : std::vector<cudaGraphNode_t>(),
                              .plain = probe_in_front(),
                              .stream = stream_});
  }
  std::string launch_text() const override { return inventory_.launch; }
  bool overlaps() const override { return inventory_.overlaps; }

 private:
  /// Copies the graph, because launches could ask for the graph that they are recorded into and change it later.
  void keep_copy(cudaGraph_t recorded, RecordedParts const& parts) {
    try {
      graph_ = copy_of(recorded);
    } catch (CudaError const&) {
      (void)take_inventory(recorded, parts);  // names what cannot be copied
      throw;
    }
    parts_ = in_copy(parts, graph_.get());
  }

  /// The clock probe before the event that starts the clock: a kernel that is launched plainly.
  cudaGraphNode_t probe_in_front() const {
    for (GraphEdge const& edge : edges_of(graph_.get())) {
      if (std::find(parts_.started.begin(), parts_.started.end(), edge.to) != parts_.started.end()) return edge.from;
    }
    throw DeviceError("a recording holds no clock probe in front of its launches", false);
  }

  /// The graph, instantiated and uploaded. It must be launched at once: graphs that were uploaded and never launched
  /// make a process start the kernels of all its graphs later, by 0.2 us, or 0.4 when the cache was emptied
  /// (docs/design.md, "Every replay begins alike").
  GraphExec executable(cudaGraph_t graph) const {
    cudaGraphExec_t executable = nullptr;
    PERFCHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
    GraphExec owned(executable);
    PERFCHECK_CUDA(cudaGraphUpload(executable, stream_));
    return owned;
  }

  Reading replay(cudaGraphExec_t executable, Surroundings const& around) {
    marks_.clear();
    // Before the inputs are renewed: the renewal and the gates are single waves, which leave the order alone.
    block_order_.enqueue_fix(stream_);
    around.before();
    if (around.watch_host_clock) PERFCHECK_CUDA(cudaStreamSynchronize(stream_));
    auto const start = std::chrono::steady_clock::now();
    PERFCHECK_CUDA(cudaGraphLaunch(executable, stream_));
    around.behind();
    if (around.watch_host_clock) await_last_gate();
    std::chrono::duration<double, std::nano> const host = std::chrono::steady_clock::now() - start;
    PERFCHECK_CUDA(cudaStreamSynchronize(stream_));
    float milliseconds = 0;
    PERFCHECK_CUDA(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
    Reading reading;
    reading.time_ns = static_cast<double>(milliseconds) * 1e6;
    reading.clock_mhz =
        clock_between(marks_.samples.get(), marks_.samples.get() + marks_.multiprocessors, marks_.multiprocessors);
    reading.device_ns = between_gates() - overheads_.gates_ns;
    reading.first_gate_ns = marks_.moments.get()[0].closed_ns;
    reading.last_gate_ns = marks_.moments.get()[1].nanoseconds;
    if (around.watch_host_clock) reading.host_ns = host.count() - overheads_.host_ns;
    return reading;
  }

  /// Waits until the host sees that the last gate has opened, whatever runs behind it, or that nothing runs any more.
  void await_last_gate() const {
    GateMoment const volatile& last = marks_.moments.get()[1];
    while (last.nanoseconds == 0 && cudaStreamQuery(stream_) == cudaErrorNotReady) {
    }
  }

  /// What is inserted around steps: each one's preparation and a time stamp before it, another time stamp behind it.
  std::vector<Insert> inserts(Steps const& steps, Moments const& moments) const {
    std::vector<Insert> inserts;
    for (int i = 0; i <= steps.count; ++i) {
      std::size_t const launch = static_cast<std::size_t>(steps.first) + static_cast<std::size_t>(i);
      bool const is_last = launch == inventory_.launches.size();
      Graph what = capture(stream_, [&] {
        if (i > 0) PERFCHECK_CUDA(enqueue_moment(moments.data() + 2 * i - 1, stream_));
        if (i == steps.count) return;
        steps.prepare(steps.first + i);
        PERFCHECK_CUDA(enqueue_moment(moments.data() + 2 * i, stream_));
      });
      inserts.push_back({.behind = launch == 0 ? parts_.started : parts_.launches[launch - 1].launched,
                         .in_front_of = is_last ? inventory_.behind_launches : inventory_.launches[launch],
                         .what = std::move(what)});
    }
    return inserts;
  }

  RecordedParts enqueue(Recording const& recording, Gate const& gate) {
    RecordedParts parts;
    bool const empty_cache = recording.cold && model::applies(model::Defence::cold_cache);
    PERFCHECK_CUDA(enqueue_gate(gate, marks_.moments.get(), empty_cache, stream_));
    PERFCHECK_CUDA(enqueue_clock_probe(marks_.samples.get(), marks_.multiprocessors, stream_));
    PERFCHECK_CUDA(cudaEventRecordWithFlags(start_.get(), stream_, cudaEventRecordExternal));
    parts.started = capture_frontier(stream_);
    for (int i = 0; i < recording.launches; ++i) {
      if (recording.prepare) recording.prepare(i);
      Frontier const prepared = capture_frontier(stream_);
      if (i < 2) fill_stack(i == 0 ? 0 : 0xa5);
      recording.launch(i);
      parts.launches.push_back({prepared, capture_frontier(stream_)});
    }
    if (recording.finish) recording.finish();
    if (recording.extra_ns > 0) {
      auto const wait = std::llround(std::max(0.0, recording.extra_ns - overheads_.wait_ns));
      PERFCHECK_CUDA(enqueue_wait(static_cast<std::uint64_t>(wait), stream_));
    }
    parts.waited = capture_frontier(stream_);
    PERFCHECK_CUDA(cudaEventRecordWithFlags(stop_.get(), stream_, cudaEventRecordExternal));
    parts.stopped = capture_frontier(stream_);
    PERFCHECK_CUDA(enqueue_clock_probe(marks_.samples.get() + marks_.multiprocessors, marks_.multiprocessors, stream_));
    PERFCHECK_CUDA(enqueue_gate(gate, marks_.moments.get() + 1, false, stream_));
    parts.ended = capture_frontier(stream_);
    return parts;
  }

  /// Time from gate to gate. Something that keeps a gate waiting for longer than its patience does not end by itself,
  /// so nothing can run in this process any more.
  double between_gates() const {
    GateMoment const before = marks_.moments.get()[0], after = marks_.moments.get()[1];
    if (before.timed_out != 0 || after.timed_out != 0) {
      throw Interference(
          "something else was resident on the device when the clock started or stopped: a kernel that a "
          "launch left behind, or put on another stream, and that does not end",
          true);
    }
    if (before.nanoseconds == 0 || after.closed_ns < before.nanoseconds) {
      throw Interference("the device's timer was not read before and after the launches: something overwrote it");
    }
    return static_cast<double>(after.closed_ns - before.nanoseconds);
  }

  cudaStream_t stream_;
  BlockOrder const& block_order_;
  ReplayOverheads overheads_;
  Marks marks_;
  Event start_, stop_;
  Graph graph_;
  RecordedParts parts_;
  Inventory inventory_;
  GraphExec executable_;
};

/// Medians over a few replays of `launches` launches.
struct MedianReading {
  double time_ns, device_ns, host_ns;
};
MedianReading median_reading(int launches, std::function<void()> const& launch, ReplayDevice const& device) {
  constexpr int kRepeats = 9;
  Recording const recording{.launches = launches, .launch = [&](int) { launch(); }, .cold = true};
  auto const replay = record_cuda(recording, device, {});
  std::vector<double> times, by_device, by_host;
  for (int i = 0; i <= kRepeats; ++i) {
    auto const reading = replay->run({.watch_host_clock = true});
    if (i == 0) continue;  // warms up
    times.push_back(reading.time_ns);
    by_device.push_back(*reading.device_ns - reading.time_ns);
    by_host.push_back(*reading.host_ns - reading.time_ns);
  }
  auto const middle = [](std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + kRepeats / 2, values.end());
    return values[kRepeats / 2];
  };
  return {middle(times), middle(by_device), middle(by_host)};
}

/// Time of a launch on its own, including the time stamps around it.
double step_ns(std::function<void()> const& launch, ReplayDevice const& device) {
  constexpr int kSteps = 64;
  auto const replay = record_cuda({.launches = kSteps, .launch = [&](int) { launch(); }, .cold = false}, device, {});
  auto const times = replay->run_steps({.first = 0, .count = kSteps, .prepare = [](int) {}}, {}).times_ns;
  return model::middle_mean(times).value_or(0);
}

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

ReplayDevice::ReplayDevice(cudaStream_t stream, int multiprocessors, std::int64_t cache_bytes)
    : stream_(stream), multiprocessors_(multiprocessors) {
  void* data = nullptr;
  PERFCHECK_CUDA(cudaMalloc(&data, sizeof(ExclusiveState)));
  state_.reset(data);
  PERFCHECK_CUDA(cudaMemset(data, 0, sizeof(ExclusiveState)));
  gate_.scratch_bytes = static_cast<std::size_t>(std::max<std::int64_t>(cache_bytes, 0)) * 2;
  if (gate_.scratch_bytes != 0) {
    PERFCHECK_CUDA(cudaMalloc(&data, gate_.scratch_bytes));
    scratch_.reset(data);
    PERFCHECK_CUDA(cudaMemset(data, 0, gate_.scratch_bytes));
  }
  gate_.state = static_cast<ExclusiveState*>(state_.get());
  gate_.scratch = scratch_.get();
  gate_.blocks = gate_blocks();
  if (gate_.blocks == 0) {
    throw DeviceError("the gates around timed launches cannot take all thread slots of this device", false);
  }
}

ReplayOverheads const& ReplayDevice::overheads() {
  if (overheads_) return *overheads_;
  constexpr int kFew = 8, kMany = 72;
  // A few microseconds: long enough that the next launch is ready when one ends, as it is behind a real kernel.
  constexpr long long kWorkCycles = 5000;
  ReplayOverheads overheads;
  auto const nothing = [this] { PERFCHECK_CUDA(enqueue_nothing(stream_)); };
  auto const waiting = [this] { PERFCHECK_CUDA(enqueue_wait(0, stream_)); };
  auto const working = [this] { PERFCHECK_CUDA(enqueue_work(kWorkCycles, stream_)); };
  auto const among_many = [&](auto const& launch) {
    return (median_reading(kMany, launch, *this).time_ns - median_reading(kFew, launch, *this).time_ns) /
           (kMany - kFew);
  };
  auto const few = median_reading(kFew, nothing, *this);
  overheads.empty_launch_ns = std::max(0.0, among_many(nothing));
  overheads.wait_ns = std::max(0.0, among_many(waiting));
  overheads.step_ns = step_ns(working, *this) - among_many(working);
  overheads.gates_ns = few.device_ns;
  overheads.host_ns = few.host_ns;
  overheads_ = overheads;
  return *overheads_;
}

std::unique_ptr<Replay> record_cuda(Recording const& recording, ReplayDevice const& device,
                                    ReplayOverheads const& overheads) {
  return std::make_unique<CudaReplay>(recording, device, overheads);
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
