// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The outputs of a batch, in memory that the judge owns, and what is looked at in them.
#pragma once

#include "perfcheck/device/backend.h"
#include "perfcheck/worker/sealed_case.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perfcheck::sealed {

class BatchProof {
 public:
  /// Allocates outputs for as many launches as `most_bytes` hold, at least two and at most `most_launches`, and as many
  /// private copies as are drawn. Throws device::DeviceError.
  BatchProof(device::Backend& backend, worker::SealedProof& proof, std::size_t most_bytes, int most_launches);

  int most_launches() const { return most_launches_; }
  std::string const& handle() const { return outputs_.handle; }
  std::size_t bytes() const { return outputs_.memory.size(); }

  /// Waits until the outputs of a batch's launches are poison.
  void poison(int launches);
  /// What is wrong with the batch, which began with one secret and ended with another: `drawn` outputs (fewer when the
  /// memory for copies, or the batch, is small) and the last one, each right for what all outputs before it make of the
  /// first secret; and that all of them make the last one, so that none was written when the clock had stopped. Empty
  /// when nothing is.
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
  device::Memory private_, secrets_;  ///< copies: slot 0 is the last output's; one secret more than launches
  std::int64_t verified_ = 0;
};

}  // namespace perfcheck::sealed
