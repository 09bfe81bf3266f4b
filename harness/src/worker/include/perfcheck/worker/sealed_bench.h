// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel's side of sealed timing (docs/sealed.md). Nothing here is trusted: it shares a process with the kernel.
#pragma once

#include "perfcheck/device/backend.h"
#include "perfcheck/protocol/sealed_messages.h"
#include "perfcheck/worker/worker.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::worker {

/// The argument that makes a worker, or a judge, speak the messages of sealed timing and nothing else.
inline constexpr char const* kSealedBenchArgument = "--sealed-bench";

/// Speaks them on standard input and output until the input ends, then ends the process. Returns only by exceptions.
[[nodiscard]] int sealed_bench_main(WorkerSetup& setup);

class SealedBench {
 public:
  explicit SealedBench(WorkerSetup& setup) : setup_(setup) {}

  /// Answers one line.
  std::string handle(std::string const& line);

 private:
  void take_device(int index);
  void open(protocol::OpenRequest const& request);
  void record(protocol::RecordRequest const& request);
  device::Recording recording_of(protocol::RecordRequest const& request);
  void go();
  void* output(int index) const;
  std::uint64_t* secret(int index) const { return static_cast<std::uint64_t*>(secrets_.data()) + index; }
  void enqueue_inputs(int index, bool cold);
  void enqueue_secret(int index);
  void enqueue_launch(int index, protocol::BatchPart part);

  WorkerSetup& setup_;
  std::unique_ptr<device::Backend> backend_;
  std::optional<NamedProblem> problem_;
  device::Memory outputs_;
  std::string handle_;
  std::unique_ptr<SealedCase> case_;
  bool has_kernel_ = false;
  device::Memory secrets_;                 ///< one per launch, and the one that the last launch leads to
  std::vector<std::uint64_t> no_secrets_;  ///< as many zeros, to which secrets are added
  std::unique_ptr<device::MeetingEnd> meeting_;
  std::unique_ptr<device::Replay> batch_;
};

}  // namespace perfcheck::worker
