// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Looking at what timed launches wrote: the part of an operation's mathematics that timing needs.
#pragma once

#include "perfcheck/kit/definition.h"

#include "perfcheck/verify/engine.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace perfcheck::kit {

/// Outputs of timed launches: those of sets 0 to sets - 1, from inputs that `secret` made.
struct Outputs {
  std::span<verify::SecretMatrices const> inputs;
  verify::MatrixView first;  ///< of set 0
  std::int64_t set_bytes = 0;
  int sets = 0;
  std::uint64_t secret = 0;
  std::uint64_t draw = 0;  ///< decides what is left to chance; drawn when the outputs were written, or being written
};

struct ProofResult {
  /// Judgements that came out right, of so many that had to be made. Counting what is right fails closed: a kernel that
  /// clears the count accuses itself.
  std::uint64_t right = 0, judged = 0;
  int wrong_set = -1;  ///< the first set with something wrong, -1 for none
  /// When the outputs were taken, by the device's timer in nanoseconds; 0 where the proof did not take them.
  std::uint64_t seized_ns = 0;
};

/// One problem's, on one device.
class Proof {
 public:
  virtual ~Proof() = default;
  /// Whether enqueue() begins by taking from the outputs all that it looks at, as the only kernel on the device. If
  /// not, it is given copies.
  virtual bool takes_outputs() const { return false; }
  /// Whether enqueue() may find something wrong, with a probability that is next to nothing, where nothing is.
  virtual bool accuses_by_chance() const { return false; }
  /// Allocates what so many sets need, so that enqueue() does not, which must not lose time. Throws
  /// device::DeviceError.
  virtual void reserve(Outputs const& /*outputs*/) {}
  /// Enqueues on the backend's stream: every output, or as much of it as leaves a kernel no hope, is held against what
  /// its inputs ask for. Inputs are not read but made again. Throws device::DeviceError.
  virtual void enqueue(Outputs const& outputs) = 0;
  /// Waits for what was enqueued last.
  virtual ProofResult collect() = 0;
  /// Waits. What is wrong with one output, element by element, for a person, from inputs in memory that nobody changed;
  /// empty when nothing is.
  virtual std::string what_is_wrong(Inputs const& inputs, verify::MatrixView const& output) = 0;
};

/// A backend, with what the kit needs on it.
struct Device {
  device::Backend& backend;
  std::unique_ptr<verify::Engine> engine;
  std::int64_t cache_bytes = 0;  ///< last-level cache
  std::size_t reach_bytes = 0;   ///< of timed sets of buffers, so that each launch of a replay has one of its own
};
/// Makes what works on a backend when it is first needed, and keeps it for all problems of an operation.
template <class Made>
class Devices {
 public:
  using Make = std::function<std::unique_ptr<Made>(device::Backend&)>;
  explicit Devices(Make make) : make_(std::move(make)) {}

  Made& of(device::Backend& backend) {
    if (!device_ || &device_->backend != &backend) device_ = make_(backend);
    return *device_;
  }

 private:
  Make make_;
  std::unique_ptr<Made> device_;
};

/// With an engine for that backend.
Device make_device(device::Backend& backend, std::unique_ptr<verify::Engine> engine);

}  // namespace perfcheck::kit
