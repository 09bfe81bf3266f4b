// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks what timed launches wrote: the part of an operation's mathematics that timing needs.
#pragma once

#include "perfcheck/kit/definition.h"

#include "perfcheck/verify/engine.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace perfcheck::kit {

/// Outputs of timed launches, of sets 0 to sets - 1, from inputs that were made from `secret`.
struct Outputs {
  std::span<verify::SecretMatrices const> inputs;
  verify::MatrixView first;  ///< of set 0
  std::int64_t set_bytes = 0;
  int sets = 0;
  std::uint64_t secret = 0;
  std::uint64_t draw = 0;  ///< random seed of the proof; drawn while the outputs were written, or afterwards
};

struct ProofResult {
  /// Number of results judged right, and of all that had to be judged. Counting the right ones fails closed: a kernel
  /// that clears the count incriminates itself.
  std::uint64_t right = 0, judged = 0;
  int wrong_set = -1;  ///< the first set with something wrong, -1 for none
  /// When the outputs were taken, by the device's timer in nanoseconds; 0 where the proof did not take them.
  std::uint64_t seized_ns = 0;
};

/// The proof of one problem's outputs on one device.
class Proof {
 public:
  virtual ~Proof() = default;
  /// Whether enqueue() begins by copying everything that it checks out of the outputs, as the only kernel on the
  /// device. If not, it is given copies.
  virtual bool takes_outputs() const { return false; }
  /// Whether enqueue() may report an error, with negligible probability, although nothing is wrong.
  virtual bool accuses_by_chance() const { return false; }
  /// Allocates what these outputs need, so that enqueue(), which must not lose time, need not allocate. Throws
  /// device::DeviceError.
  virtual void reserve(Outputs const& /*outputs*/) {}
  /// Enqueues on the backend's stream: compares every output, or enough of it that a kernel cannot hope to cheat, with
  /// the result for its inputs. Inputs are not read but regenerated. Throws device::DeviceError.
  virtual void enqueue(Outputs const& outputs) = 0;
  /// Waits for the last enqueue() and returns its result.
  virtual ProofResult collect() = 0;
  /// Waits. What is wrong with one output, element by element, as text for a person; empty when nothing is. `inputs`
  /// are in memory and unchanged.
  virtual std::string what_is_wrong(Inputs const& inputs, verify::MatrixView const& output) = 0;
};

/// A backend, with what the kit needs on it.
struct Device {
  device::Backend& backend;
  std::unique_ptr<verify::Engine> engine;
  std::int64_t cache_bytes = 0;  ///< last-level cache
  std::size_t reach_bytes = 0;   ///< memory for sets of buffers, so that each launch of a replay gets its own set
};
/// Makes the `Made` for a backend when it is first needed, and keeps it for all problems of an operation.
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

/// `engine` must be one for that backend.
Device make_device(device::Backend& backend, std::unique_ptr<verify::Engine> engine);

}  // namespace perfcheck::kit
