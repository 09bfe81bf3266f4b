// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What an operation offers so that its kernels can be timed sealed (docs/sealed.md): in the kernel's own process,
// inputs that are made from a secret in device memory and launches that write where they are told; in the judge's, a
// check of one output. Nothing waits for the device unless it says so.
#pragma once

#include "perfcheck/verify/engine.h"

#include <cstdint>
#include <string>

namespace perfcheck::worker {

/// In the kernel's process: one problem, and a kernel or none.
class SealedCase {
 public:
  virtual ~SealedCase() = default;
  /// Bytes from the first element of one output to the end of the last one, rounded up to 256.
  virtual std::size_t output_bytes() const = 0;
  virtual verify::Engine& engine() = 0;
  /// Enqueues: writes all inputs of launch `index` of a batch, from a secret in device memory
  /// (verify::Engine::renew_from). Where they lie may depend on the index (kPlaces).
  virtual void renew_from(int index, std::uint64_t const* secret) = 0;
  /// Enqueues launch `index`, which writes to `output`, aligned to 256 bytes.
  virtual void launch(int index, void* output) = 0;
};

/// In the judge's process.
class SealedProof {
 public:
  virtual ~SealedProof() = default;
  /// As above.
  virtual std::size_t output_bytes() const = 0;
  /// False when inputs should be in the cache, as in ordinary timing of the problem.
  virtual bool cold() const { return true; }
  /// What an output holds before it is written.
  virtual std::uint32_t poison_word() const = 0;
  virtual verify::Engine& engine() = 0;
  /// Waits. What is wrong with an output of a launch whose inputs were made from `secret`, as a sentence; empty when it
  /// is right. `draw`, which nobody could know when the output was written, decides whatever is left to chance.
  virtual std::string finding(void* output, std::uint64_t secret, std::uint64_t draw) = 0;
};

}  // namespace perfcheck::worker
