// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "launches.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace perfcheck::energy {
namespace {

constexpr double kGraphSeconds = 0.010;
/// Three graphs of at least two launches each can be stopped within two seconds.
constexpr double kLongestLaunch = 0.3;

}  // namespace

Launches::Launches(GemmKernel const& kernel, RandomInputs const& inputs)
    : kernel_(kernel),
      inputs_(inputs),
      outputs_(static_cast<std::size_t>(inputs.sets()) * inputs.d_bytes()),
      workspace_(kernel.workspace_bytes == nullptr ? 0 : kernel.workspace_bytes(inputs.problem())) {
  PERFCHECK_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  try {
    double const seconds = seconds_of_launch();
    if (!(seconds <= kLongestLaunch)) {
      throw std::invalid_argument("a launch takes " + std::to_string(seconds) +
                                  " s: leave it out, or take a smaller problem");
    }
    int const cycles = static_cast<int>(std::ceil(kGraphSeconds / seconds / inputs.sets()));
    capture(std::max(1, cycles) * inputs.sets());
  } catch (...) {
    (void)cudaStreamDestroy(stream_);
    throw;
  }
}

Launches::~Launches() {
  (void)cudaStreamSynchronize(stream_);
  (void)cudaGraphExecDestroy(graph_);
  (void)cudaStreamDestroy(stream_);
}

void Launches::launch(int number) const {
  int const set = number % inputs_.sets();
  void* const d = static_cast<unsigned char*>(outputs_.data()) + static_cast<std::size_t>(set) * inputs_.d_bytes();
  GemmFullArgs args = inputs_.args(set, d);
  args.workspace = workspace_.data();
  args.workspace_bytes = workspace_.bytes();
  args.stream = stream_;
  launch_kernel(kernel_, args);
  PERFCHECK_CUDA(cudaGetLastError());
}

/// Of the second of two, as the first may load code.
double Launches::seconds_of_launch() {
  Event begin, end;
  for (int i = 0; i < 2; ++i) {
    PERFCHECK_CUDA(cudaEventRecord(begin.get(), stream_));
    launch(i);
    PERFCHECK_CUDA(cudaEventRecord(end.get(), stream_));
    PERFCHECK_CUDA(cudaStreamSynchronize(stream_));
  }
  float ms = 0;
  PERFCHECK_CUDA(cudaEventElapsedTime(&ms, begin.get(), end.get()));
  return std::max<double>(ms, 1e-3) / 1e3;
}

void Launches::capture(int count) {
  cudaGraph_t graph = nullptr;
  PERFCHECK_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  try {
    for (int i = 0; i < count; ++i) launch(i);
  } catch (...) {
    (void)cudaStreamEndCapture(stream_, &graph);
    (void)cudaGraphDestroy(graph);
    throw;
  }
  PERFCHECK_CUDA(cudaStreamEndCapture(stream_, &graph));
  cudaError_t const made = cudaGraphInstantiate(&graph_, graph, 0);
  (void)cudaGraphDestroy(graph);
  PERFCHECK_CUDA(made);
  in_graph_ = count;
}

void Launches::keep_full() {
  for (; ended_ < queued_; ++ended_) {
    cudaError_t const state = cudaEventQuery(ends_[static_cast<std::size_t>(ended_ % kDepth)].get());
    if (state == cudaErrorNotReady) {
      (void)cudaGetLastError();  // which would report it as a failed launch
      break;
    }
    PERFCHECK_CUDA(state);
  }
  if (ended_ == queued_ && queued_ > 0) ++ran_dry_;
  for (; queued_ - ended_ < kDepth; ++queued_) {
    PERFCHECK_CUDA(cudaGraphLaunch(graph_, stream_));
    PERFCHECK_CUDA(cudaEventRecord(ends_[static_cast<std::size_t>(queued_ % kDepth)].get(), stream_));
    launches_ += in_graph_;
  }
}

void Launches::drain() {
  PERFCHECK_CUDA(cudaStreamSynchronize(stream_));
  ended_ = queued_;
}

}  // namespace perfcheck::energy
