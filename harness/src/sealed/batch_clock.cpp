// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "batch_clock.h"

#include "perfcheck/verify/draw_secret.h"

#include <chrono>
#include <thread>

namespace perfcheck::sealed {

Batch BatchClock::run(Series const& series) {
  using Clock = std::chrono::steady_clock;
  using Nanoseconds = std::chrono::duration<double, std::nano>;
  proof_.poison(series.launches);
  meeting_.reset();
  series.bench.send(protocol::GoRequest{});
  series.bench.watch([&] { return meeting_.reached(); }, kOpenPatienceS);
  std::this_thread::sleep_for(Nanoseconds(series.rest_ns));
  Batch batch{.first = verify::draw_secret()};
  auto const start = Clock::now();
  meeting_.release(batch.first);
  // Read only once: the process may write there again.
  series.bench.watch([&] { return (batch.last = meeting_.last()).has_value(); }, kBatchPatienceS);
  batch.time_ns = Nanoseconds(Clock::now() - start).count();
  series.bench.await(kBatchPatienceS);
  return batch;
}

}  // namespace perfcheck::sealed
