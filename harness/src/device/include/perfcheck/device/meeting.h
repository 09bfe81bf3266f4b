// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Synchronises a judge with a batch of another process, through host memory that both processes and the device can
// access. The batch waits on the device until the judge reveals a secret, and in the end shows what its work has made
// of that secret. So the judge's time includes no message, no start of a recording and no switch between processes,
// which take some 0.5 ms and differ by 0.1 ms from process to process (docs/sealed.md).
#pragma once

#include "perfcheck/device/backend.h"

#include <cstdint>
#include <optional>
#include <string>

namespace perfcheck::device {

/// One cache line for each word, because both sides poll them.
struct MeetingPlace {
  alignas(64) std::uint64_t reached;   ///< not 0: the batch waits
  alignas(64) std::uint64_t secret;    ///< the batch begins with it
  alignas(64) std::uint64_t released;  ///< not 0: `secret` is there
  alignas(64) std::uint64_t last;      ///< the batch's result
  alignas(64) std::uint64_t ended;     ///< not 0: `last` is there
};

/// The judge's side. The other process may write what it likes at any time: nothing here is proof of anything.
class Meeting {
 public:
  /// Throws DeviceError.
  Meeting();
  std::string const& handle() const { return shared_.handle; }
  /// Prepares for the next batch.
  void reset();
  bool reached() const;
  void release(std::uint64_t secret);
  std::optional<std::uint64_t> last() const;

 private:
  MeetingPlace& place() const { return *static_cast<MeetingPlace*>(shared_.memory.data()); }

  SharedMemory shared_;
};

}  // namespace perfcheck::device
