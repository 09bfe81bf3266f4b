// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a judge and the batch of another process meet, in host memory that both see and the device does, too: the batch
// waits on the device until the judge reveals a secret, and shows what all of its work has made of it. So the judge's
// clock holds no message, no start of a recording and no change between processes, which take some 0.5 ms and differ by
// 0.1 ms from process to process (docs/sealed.md).
#pragma once

#include "perfcheck/device/backend.h"

#include <cstdint>
#include <optional>
#include <string>

namespace perfcheck::device {

/// A cache line for each, since the two sides look at them again and again.
struct MeetingPlace {
  alignas(64) std::uint64_t reached;   ///< not 0: the batch waits
  alignas(64) std::uint64_t secret;    ///< to begin with
  alignas(64) std::uint64_t released;  ///< not 0: `secret` is there
  alignas(64) std::uint64_t last;      ///< what came out
  alignas(64) std::uint64_t ended;     ///< not 0: `last` is there
};

/// The judge's side. The other process may write what it likes at any time: nothing here is proof of anything.
class Meeting {
 public:
  /// Throws DeviceError.
  Meeting();
  std::string const& handle() const { return shared_.handle; }
  /// For the next batch.
  void reset();
  bool reached() const;
  void release(std::uint64_t secret);
  std::optional<std::uint64_t> last() const;

 private:
  MeetingPlace& place() const { return *static_cast<MeetingPlace*>(shared_.memory.data()); }

  SharedMemory shared_;
};

}  // namespace perfcheck::device
