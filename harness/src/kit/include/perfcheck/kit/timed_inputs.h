// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The inputs of timed launches: enough copies to defeat the cache, shared by all kernels of a problem.
#pragma once

#include "perfcheck/kit/proof.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace perfcheck::kit {

/// Sizes that limit the number of sets of buffers, in bytes.
struct SetSpace {
  std::int64_t cache = 0;  ///< last-level cache
  std::int64_t hot = 0;    ///< device::Backend::hot_bytes()
  std::size_t free = 0;    ///< free memory
  std::size_t reach = 0;   ///< Device::reach_bytes
};

/// The number of sets of inputs and outputs over which launches rotate, as far as a quarter of the free memory allows:
/// enough for three times the last-level cache, for several places in memory and, within `reach`, for as many launches
/// as a replay may have. When the problem is hot: as many as stay in the cache.
int sets_for(Definition const& definition, SetSpace const& space);

/// The number of sets of inputs for launches whose inputs are written right before each launch: kPlaces on a GPU, as
/// far as an eighth of the free memory allows; one on a CPU, whose core finds them in its cache wherever they lie.
int places_for(Definition const& definition, device::Backend& backend);

class TimedInputs {
 public:
  /// Allocates `sets` sets, which hold poison until they are renewed. Throws device::DeviceError.
  TimedInputs(Device& device, Definition const& definition, int sets);

  int sets() const { return sets_; }
  std::span<verify::SecretMatrices const> matrices() const { return matrices_; }
  /// The functions of verify::Engine, for all inputs.
  void renew(Device& device, verify::SetRange sets, std::uint64_t secret,
             std::span<verify::PoisonedMemory const> poisoned) const;
  void renew_step(Device& device, int set, std::uint64_t secret,
                  std::span<verify::PoisonedMemory const> poisoned) const;
  void renew_late(Device& device, std::uint64_t secret, std::span<verify::PoisonedMemory const> poisoned) const;
  /// Writes the inputs of one set, from a secret in device memory.
  void renew_from(Device& device, int set, std::uint64_t const* secret) const;
  /// The inputs of one set.
  Inputs of(int set) const;
  /// What changed since the first `sets` sets were renewed from `secret`; empty when nothing did.
  std::string change(Device& device, int sets, std::uint64_t secret) const;
  /// What is wrong with an output of a set, element by element. Rewrites the inputs of that set.
  std::string what_is_wrong(Device& device, Proof& proof, int set, std::uint64_t secret,
                            verify::MatrixView const& output) const;

 private:
  std::vector<Operand> operands_;
  int sets_ = 0;
  device::Memory memory_;
  std::vector<verify::SecretMatrices> matrices_;
  std::shared_ptr<OtherInput> other_;
  verify::SecretMatrices others_;
};

}  // namespace perfcheck::kit
