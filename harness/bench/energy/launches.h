// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Launches of one kernel, one right after the other, for as long as one likes.
#pragma once

#include "plain_device.h"
#include "random_inputs.h"

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>
#include <memory>

namespace perfcheck::energy {

/// A moment of a stream.
class Event {
 public:
  Event() { PERFCHECK_CUDA(cudaEventCreate(&event_)); }
  ~Event() { (void)cudaEventDestroy(event_); }
  Event(Event const&) = delete;
  Event& operator=(Event const&) = delete;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Some ten milliseconds of launches, over all inputs in a cycle, are a graph; as few graphs are queued as keep the
/// device busy, so that stopping takes little time. Waits for what is queued when it is destroyed.
class Launches {
 public:
  /// Throws what the kernel and PERFCHECK_CUDA throw, and std::invalid_argument where a launch is so long that a queue
  /// of them could not be stopped soon.
  Launches(GemmKernel const& kernel, RandomInputs const& inputs);
  ~Launches();
  Launches(Launches const&) = delete;
  Launches& operator=(Launches const&) = delete;

  /// Queues as much as has ended. To be called every few milliseconds; does not wait.
  void keep_full();
  /// Waits until nothing is queued.
  void drain();
  /// Marks the end of what is queued so far.
  void record(Event const& event) { PERFCHECK_CUDA(cudaEventRecord(event.get(), stream_)); }

  std::int64_t launches() const { return launches_; }  ///< queued since the beginning
  int queued() const { return queued_; }               ///< graphs queued since the beginning
  int ran_dry() const { return ran_dry_; }             ///< how often nothing was left when a graph was queued

 private:
  static constexpr int kDepth = 3;

  void launch(int number) const;
  double seconds_of_launch();
  void capture(int count);

  GemmKernel const& kernel_;
  RandomInputs const& inputs_;
  Buffer outputs_, workspace_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
  int in_graph_ = 0;
  std::array<Event, kDepth> ends_;
  int queued_ = 0, ended_ = 0, ran_dry_ = 0;
  std::int64_t launches_ = 0;
};

}  // namespace perfcheck::energy
