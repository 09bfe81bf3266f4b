// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Earlier work must not affect the next replay.
#include "block_places.h"
#include "cuda_replay.h"
#include "gpu_test.h"
#include "perfcheck/device/backend.h"
#include "perfcheck/device/meeting.h"
#include "perfcheck/stats/stats.h"
#include "probes.h"

#include <perfcheck/cuda_check.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <span>
#include <thread>
#include <vector>

namespace perfcheck::device {
namespace {

/// The block placements seen in replays, each of which follows a grid of many waves.
std::set<std::vector<unsigned>> places_behind_crowds(Backend& backend, int replays) {
  int const blocks = backend.info().multiprocessors;
  auto const places = backend.allocate(static_cast<std::size_t>(blocks) * sizeof(unsigned));
  auto const replay =
      backend.record({.launches = 1, .launch = [&](int) {
                        PERFCHECK_CUDA(enqueue_places(static_cast<unsigned*>(places.data()), blocks, backend.stream()));
                      }});
  std::set<std::vector<unsigned>> seen;
  for (int i = 0; i < replays; ++i) {
    PERFCHECK_CUDA(enqueue_crowd(backend.stream()));
    replay->run({});
    std::vector<unsigned> now(static_cast<std::size_t>(blocks));
    backend.copy_to_host(now.data(), places.data(), places.size());
    seen.insert(now);
  }
  return seen;
}

TEST(CudaReplay, BlocksGoWhereTheyWentInTheLastReplayWhateverRanInBetween) {
  PERFCHECK_NEEDS_GPU();
  auto const backend = make_cuda_backend(0);
  // Two, since two groups of multiprocessors swap places with each launch. Without the harness's measures, 32 replays
  // would show about 14 of the 16 orders that an H100 has.
  EXPECT_LE(places_behind_crowds(*backend, 32).size(), 2U);
}

TEST(CudaBackend, ChangesTheOrderOfBlocksAsEveryLaunchDoes) {
  PERFCHECK_NEEDS_GPU();
  auto const backend = make_cuda_backend(0);
  int const blocks = backend->info().multiprocessors;
  auto const count = static_cast<std::size_t>(blocks);
  auto const places = backend->allocate(3 * count * sizeof(unsigned));
  auto const replay = backend->record({.launches = 3,
                                       .launch =
                                           [&](int index) {
                                             auto* const of_launch =
                                                 static_cast<unsigned*>(places.data()) + index * blocks;
                                             PERFCHECK_CUDA(enqueue_places(of_launch, blocks, backend->stream()));
                                           },
                                       .prepare =
                                           [&](int index) {
                                             if (index == 2) backend->change_block_order();
                                           }});
  replay->run({});
  std::vector<unsigned> seen(3 * count);
  backend->copy_to_host(seen.data(), places.data(), places.size());
  std::span const all(seen);
  auto const first = all.first(count), second = all.subspan(count, count), third = all.last(count);
  EXPECT_FALSE(std::ranges::equal(first, second)) << "on this device the order does not change from launch to launch";
  EXPECT_TRUE(std::ranges::equal(second, third));
}

/// A graph of launches between two events, made without the harness.
class PlainGraph {
 public:
  explicit PlainGraph(cudaStream_t stream) : stream_(stream), start_(make_event()), stop_(make_event()) {
    Graph const graph = capture(stream_, [&] {
      PERFCHECK_CUDA(cudaEventRecordWithFlags(start_.get(), stream_, cudaEventRecordExternal));
      for (int i = 0; i < kLaunches; ++i) PERFCHECK_CUDA(enqueue_work(4'000, stream_));
      PERFCHECK_CUDA(cudaEventRecordWithFlags(stop_.get(), stream_, cudaEventRecordExternal));
    });
    cudaGraphExec_t executable = nullptr;
    PERFCHECK_CUDA(cudaGraphInstantiate(&executable, graph.get(), 0));
    executable_.reset(executable);
  }
  double launch_ns() {
    std::vector<double> times;
    for (int i = 0; i < 25; ++i) {
      PERFCHECK_CUDA(cudaGraphLaunch(executable_.get(), stream_));
      PERFCHECK_CUDA(cudaStreamSynchronize(stream_));
      float milliseconds = 0;
      PERFCHECK_CUDA(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
      times.push_back(static_cast<double>(milliseconds) * 1e6 / kLaunches);
    }
    return *stats::median(times);
  }

 private:
  static constexpr int kLaunches = 200;
  cudaStream_t stream_;
  Event start_, stop_;
  GraphExec executable_;
};

TEST(CudaReplay, ABackendAndRecordingsThatWereNeverReplayedDelayNoLaunch) {
  PERFCHECK_NEEDS_GPU();
  cudaStream_t stream = nullptr;
  PERFCHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OwnedStream const owned(stream);
  PlainGraph graph(stream);
  (void)graph.launch_ns();  // clocks rise
  double const before = graph.launch_ns();
  auto const backend = make_cuda_backend(0);
  std::vector<std::unique_ptr<Replay>> recordings;
  for (int i = 0; i < 20; ++i) {
    recordings.push_back(backend->record(
        {.launches = 200, .launch = [&](int) { PERFCHECK_CUDA(enqueue_work(4'000, backend->stream())); }}));
  }
  EXPECT_NEAR(graph.launch_ns(), before, 80);  // uploaded graphs delay each launch by 180 to 360 ns
}

TEST(CudaMeeting, HoldsABatchUntilASecretIsToldAndShowsWhatCameOfIt) {
  PERFCHECK_NEEDS_GPU();
  auto const backend = make_cuda_backend(0);
  Meeting meeting;
  auto const end = backend->join_meeting(meeting.handle());
  auto const secret = backend->allocate(sizeof(std::uint64_t));
  auto* const word = static_cast<std::uint64_t*>(secret.data());
  auto const batch = backend->record({.launches = 1,
                                      .launch = [&](int) { PERFCHECK_CUDA(enqueue_nothing(backend->stream())); },
                                      .prepare = [&](int) { end->enqueue_await(word); },
                                      .finish = [&] { end->enqueue_tell(word); }});
  for (std::uint64_t const told : {0xfedcba9876543210U, 0x0123456789abcdefU}) {
    meeting.reset();
    std::thread running([&] { batch->run({}); });
    while (!meeting.reached()) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a batch that does not wait would have ended by now
    EXPECT_FALSE(meeting.last().has_value());
    meeting.release(told);
    running.join();
    EXPECT_EQ(meeting.last(), told);
  }
}

}  // namespace
}  // namespace perfcheck::device
