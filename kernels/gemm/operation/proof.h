// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks every element that a timed replay wrote, at a small part of the replay's cost (docs/trust.md has the bounds):
//
// - Random projection (Freivalds 1977, in blocks): for signs x drawn after the outputs were written, D x must equal
//   alpha A (B x) + beta C x, row by row, over up to eight groups of columns. An element that was never written is NaN
//   and shows in its sum; a wrong one shows unless it hides in the rounding errors of its group.
// - Blocks of 16 x 16 at random places, element by element, with the bound of verification: arithmetic of less
//   precision is wrong everywhere, and shows in any of them.
//
// Where an activation follows, sums only tell that every element is a number; instead, eight times as many blocks are
// drawn.
//
// Inputs are not read but computed again from their secret, so a kernel gains nothing by changing them. The caller
// checks again, element by element, what looks wrong, so that the projection's chance of 1e-8 does not accuse a kernel.
#pragma once

#include "operands.h"
#include "row_parts.h"

#include "perfcheck/kit/proof.h"
#include "perfcheck/verify/engine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>

namespace perfcheck::gemm {

/// Outputs to check: those of sets 0 to sets - 1, from inputs that were made from `secret`.
struct ProofTask {
  GemmTypes types;
  RowParts parts;
  std::array<verify::SecretMatrices, kInputs> inputs{};  ///< without elements where the problem reads none
  verify::MatrixView d;                                  ///< of set 0
  std::int64_t d_set_bytes = 0;
  int sets = 0;
  std::uint64_t secret = 0;
  std::uint64_t draw = 0;  ///< decides signs and places; drawn when the outputs were written, or being written
  verify::Epilogue epilogue;
  verify::Bound bound;

  verify::SecretMatrices const& input(Input which) const { return inputs[static_cast<std::size_t>(which)]; }
  bool reads(Input which) const { return input(which).first.rows != 0; }
  SecretFactor a() const {
    return {input(Input::a), input(Input::a_scales), scale_block(types, Input::a),
            is_sparse() ? static_cast<int>(Input::a_indices) : 0};
  }
  SecretFactor b() const { return {input(Input::b), input(Input::b_scales), scale_block(types, Input::b)}; }
  bool is_sparse() const { return reads(Input::a_indices); }
  std::int64_t k() const { return input(Input::a).first.columns * (is_sparse() ? 2 : 1); }
  /// Whether D x can be checked.
  bool is_linear() const { return epilogue.activation == Activation::none; }
};

using kit::ProofResult;

class ProofEngine {
 public:
  virtual ~ProofEngine() = default;
  /// See kit::Proof.
  virtual bool takes_outputs() const = 0;
  /// Allocates what a task of this size needs, so that enqueue(), which must not lose time, need not. Throws
  /// device::DeviceError.
  virtual void reserve(ProofTask const& task) = 0;
  /// Enqueues on the backend's stream. Throws device::DeviceError.
  virtual void enqueue(ProofTask const& task) = 0;
  /// Waits for what was enqueued last.
  virtual ProofResult collect() = 0;
};

std::unique_ptr<ProofEngine> make_host_proof_engine();
/// Keeps a reference to the backend, which must be a CUDA one. Defined in programs that link
/// perfcheck_gemm_operation_cuda.
std::unique_ptr<ProofEngine> make_cuda_proof_engine(device::Backend& backend);

inline constexpr int kProofBlock = 16;      ///< rows and columns of a drawn block
inline constexpr int kMostProofGroups = 8;  ///< groups of columns, each with a sum of its own

/// A power of two, so that column j can belong to group j % groups; about 256 columns or more in each.
PERFCHECK_HOST_DEVICE inline int proof_groups(std::int64_t columns) {
  return columns <= 256 ? 1 : columns <= 512 ? 2 : columns <= 1024 ? 4 : kMostProofGroups;
}

/// Drawn blocks per set: enough to fill a device with few sets, at least one with many.
inline constexpr int kProofBlocks = 132, kMostProofBlocksOfASet = 8;
inline int proof_blocks(int sets, bool linear) {
  return std::clamp(kProofBlocks / std::max(sets, 1), 1, kMostProofBlocksOfASet) * (linear ? 1 : 8);
}
/// The most blocks that any number of sets up to this one has in total.
inline int most_proof_blocks(int sets, bool linear) { return std::max(kProofBlocks, sets) * (linear ? 1 : 8); }

/// Where a drawn block lies, in stacked rows; it lies within one part.
struct ProofBlock {
  std::int64_t first_row = 0, rows = 0, first_column = 0, columns = 0;
  int matrix = 0;  ///< of B
};
PERFCHECK_HOST_DEVICE inline std::int64_t proof_place(std::uint64_t h, std::int64_t size) {
  return size <= kProofBlock ? 0 : static_cast<std::int64_t>(h % static_cast<std::uint64_t>(size - kProofBlock + 1));
}
PERFCHECK_HOST_DEVICE inline ProofBlock proof_block(std::uint64_t draw, int set, int index, RowParts const& parts,
                                                    std::int64_t n) {
  auto const h = [&](std::uint64_t which) {
    return verify::mix(draw + which, static_cast<std::uint64_t>(set), static_cast<std::uint64_t>(index));
  };
  auto const part = static_cast<int>(h(2) % static_cast<std::uint64_t>(parts.count));
  std::int64_t const m = parts.rows(part);
  std::int64_t place = proof_place(h(0), m);
  // Half of the blocks lie at an end of a group, where its neighbour's B would be taken by mistake.
  if (parts.grouped && m > kProofBlock) {
    std::uint64_t const where = h(3) % 4;
    if (where < 2) place = where == 0 ? 0 : m - kProofBlock;
  }
  return {.first_row = parts.first(part) + place,
          .rows = m < kProofBlock ? m : kProofBlock,
          .first_column = proof_place(h(1), n),
          .columns = n < kProofBlock ? n : kProofBlock,
          .matrix = parts.matrix(part)};
}

/// The part of a row sum's tolerance that does not depend on the row. A sum of n errors of at most b[j] each, with
/// random signs, exceeds t = 6 |b| with a probability of at most 2 exp(-18) = 3e-8 (Hoeffding 1963). b[j] is the bound
/// of verification, with |A| |B| <= |a_i| |b_j| (Cauchy and Schwarz).
struct SumTolerance {
  double per_row_norm = 0;    ///< times the Euclidean norm of the row of A
  double per_added_norm = 0;  ///< times that of what is added to the products in the group
  double per_d_norm = 0;      ///< times that of the group's elements of D, for its last rounding
  double tiny = 0;
};
SumTolerance sum_tolerance(ProofTask const& task);

/// How many judgements are due for one set of the task, and for all sets together.
std::uint64_t judgements_of_set(ProofTask const& task, int set);
std::uint64_t judgements_of(ProofTask const& task);

}  // namespace perfcheck::gemm
