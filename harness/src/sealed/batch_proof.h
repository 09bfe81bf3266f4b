// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The outputs of a batch, in memory that the judge owns, and the checks on them.
#pragma once

#include "perfcheck/device/backend.h"
#include "perfcheck/worker/sealed_case.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perfcheck::sealed {

class BatchProof {
 public:
  /// Allocates outputs for as many launches as `most_bytes` hold, at least two and at most `most_launches`, and private
  /// copies for those that are drawn. Throws device::DeviceError.
  BatchProof(device::Backend& backend, worker::SealedProof& proof, std::size_t most_bytes, int most_launches);

  int most_launches() const { return most_launches_; }
  std::string const& handle() const { return outputs_.handle; }
  std::size_t bytes() const { return outputs_.memory.size(); }

  /// Waits until the outputs of a batch's launches are poison.
  void poison(int launches);
  /// Checks a batch that began with secret `first` and ended with `last`; returns what is wrong, or nothing. `drawn`
  /// random outputs (fewer if the batch, or the memory for copies, is small) and the last one must be right for their
  /// inputs, which follow from `first` and all outputs before them. All outputs together must lead to `last`, so that
  /// none was written after the clock had stopped.
  std::string finding(int launches, std::uint64_t first, std::uint64_t last, int drawn);
  /// Outputs that finding() has compared so far.
  std::int64_t verified() const { return verified_; }

 private:
  void* output(int index) const;
  void* copy(int slot) const;
  std::vector<std::uint64_t> secrets_of(int launches, std::uint64_t first, std::vector<int> const& drawn);

  device::Backend& backend_;
  worker::SealedProof& proof_;
  int most_launches_ = 0, copies_ = 0;
  device::SharedMemory outputs_;
  device::Memory private_, secrets_;  ///< private_: copies, the last output in slot 0; secrets_: one more than launches
  std::int64_t verified_ = 0;
};

}  // namespace perfcheck::sealed
