// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The inputs of timed launches: enough copies to defeat the cache, shared by all kernels of a problem.
#pragma once

#include "data.h"
#include "matrices.h"
#include "proof.h"

#include "perfcheck/device/backend.h"
#include "perfcheck/verify/secret_data.h"
#include "perfcheck/worker/operation.h"

#include <span>
#include <string>
#include <vector>

namespace perfcheck::gemm {

struct GemmDevice;

/// What there is for sets of buffers, in bytes.
struct SetSpace {
  std::int64_t cache = 0;  ///< last-level cache
  std::int64_t hot = 0;    ///< device::Backend::hot_bytes()
  std::size_t free = 0;    ///< memory
  std::size_t reach = 0;   ///< so that each launch of a replay has a set of its own
};

/// How many sets of A, B, C and D launches rotate over, as far as a quarter of the free memory allows: enough for three
/// times the last-level cache, for several places in memory and, within reach, for as many launches as a replay may
/// have. When the problem is hot: as many as stay in the cache.
int sets_for(GemmProblem const& problem, SetSpace const& space);

/// Sets of A, B and C for launches of which each has its inputs written right before it: kPlaces on a GPU, as far as an
/// eighth of the free memory allows. One on a CPU, whose core finds them in its cache wherever they lie.
int places_for(GemmProblem const& problem, device::Backend& backend);

class TimedInputs {
 public:
  /// Allocates so many sets; contents are poison until they are renewed. Throws device::DeviceError.
  TimedInputs(GemmDevice& device, GemmProblem const& problem, int sets);

  int sets() const { return sets_; }
  /// Those that the problem reads.
  std::span<verify::SecretMatrices const> matrices() const { return matrices_; }
  /// Writes what matrices() does not hold: indices of a sparse A, in front of these.
  void renew_indices(GemmDevice& device, verify::SetRange sets, std::uint64_t secret) const;
  void renew_indices_from(GemmDevice& device, int set, std::uint64_t const* secret) const;
  /// Of one set.
  Matrices of(int set) const;
  /// What changed since the first `sets` sets were renewed from `secret`; empty when nothing did.
  std::string change(GemmDevice& device, int sets, std::uint64_t secret) const;
  /// To look at outputs of these inputs: those of `sets` sets, which lie `d_set_bytes` apart from `d` on.
  ProofTask proof_task(verify::MatrixView const& d, std::size_t d_set_bytes, int sets, std::uint64_t secret,
                       std::uint64_t draw) const;
  /// What is wrong with an output of a set, element by element against a reference made for it. Writes the inputs of
  /// that set anew. Empty when nothing is.
  std::string what_is_wrong(GemmDevice& device, int set, std::uint64_t secret, verify::MatrixView const& d) const;

 private:
  GemmProblem problem_;
  int sets_ = 0;
  device::Memory memory_;
  std::vector<verify::SecretMatrices> matrices_;
  verify::SecretMatrices indices_;  ///< of a sparse A
};

/// Rounded up to the alignment of kernel arguments.
constexpr std::size_t aligned_bytes(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// Bytes of a matrix from first to last element, rounded up likewise.
std::size_t aligned_bytes(verify::MatrixView const& matrix);

}  // namespace perfcheck::gemm
