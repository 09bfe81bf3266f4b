// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The judge's clock: it runs from when the judge gives a batch its first secret to when the batch shows its last.
#pragma once

#include "batch_proof.h"
#include "bench_client.h"
#include "perfcheck/device/meeting.h"

#include <cstdint>
#include <optional>
#include <string>

namespace perfcheck::sealed {

/// Time limits in seconds: for first-time work, such as loading device code, and for a batch.
inline constexpr double kOpenPatienceS = 120, kBatchPatienceS = 60;

/// Batches of one length, of one process.
struct Series {
  BenchClient& bench;
  int launches = 0;
  double rest_ns = 0;  ///< before each batch
};

struct Batch {
  std::uint64_t first = 0;            ///< secret that it began with
  std::optional<std::uint64_t> last;  ///< the one that it said it ended with when the clock stopped; always there
  double time_ns = 0;
};

class BatchClock {
 public:
  /// `proof` must outlive this object. Throws device::DeviceError.
  explicit BatchClock(BatchProof& proof) : proof_(proof) {}

  /// The handle that processes need to take part.
  std::string const& handle() const { return meeting_.handle(); }
  /// Runs what the process has recorded. Throws BenchLost, BenchFailed.
  Batch run(Series const& series);

 private:
  BatchProof& proof_;
  device::Meeting meeting_;
};

}  // namespace perfcheck::sealed
