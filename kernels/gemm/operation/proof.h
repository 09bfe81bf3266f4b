// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks at every element that a timed replay wrote, at a small part of the replay's cost (docs/trust.md has the
// bounds):
//
// - Random projection (Freivalds 1977, in blocks): for signs x drawn after the outputs were written, D x must equal
//   alpha A (B x) + beta C x, row by row, over up to eight groups of columns. An element that was never written is NaN
//   and shows in its sum; a wrong one shows unless it hides in the rounding errors of its group.
// - Blocks of 16 x 16 at drawn places, element by element, with the bound of verification: arithmetic of less precision
//   is wrong everywhere, and shows in any of them.
//
// A, B and C are not read but made again from their secret, so what a kernel did to them helps nobody. What looks wrong
// is looked at again element by element by the caller, so that the projection's chance of 1e-8 accuses nobody.
#pragma once

#include "perfcheck/device/backend.h"
#include "perfcheck/verify/judge.h"
#include "perfcheck/verify/secret_data.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

namespace perfcheck::gemm {

/// Outputs to look at: those of sets 0 to sets - 1, from inputs that `secret` made.
struct ProofTask {
  verify::SecretMatrices a, b, c;  ///< c is used only when beta is not 0
  verify::MatrixView d;            ///< of set 0
  std::int64_t d_set_bytes = 0;
  int sets = 0;
  std::uint64_t secret = 0;
  std::uint64_t draw = 0;  ///< decides signs and places; drawn when the outputs were written, or being written
  double alpha = 1, beta = 0;
  verify::Bound bound;
};

struct ProofResult {
  /// Sums and elements that were judged right, of so many that had to be. Counting what is right fails closed: a kernel
  /// that clears the count accuses itself.
  std::uint64_t right = 0, judged = 0;
  int wrong_set = -1;  ///< the first set with something wrong, -1 for none
  /// When the outputs were taken, by the device's timer in nanoseconds; 0 where it has none.
  std::uint64_t seized_ns = 0;
};

class ProofEngine {
 public:
  virtual ~ProofEngine() = default;
  /// Allocates what a task of this size needs, so that enqueue() does not, which must not lose time. Throws
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
inline constexpr int kMostProofGroups = 8;  ///< of columns, each with a sum of its own

/// A power of two, so that column j can belong to group j % groups; about 256 columns or more in each.
PERFCHECK_HOST_DEVICE inline int proof_groups(std::int64_t columns) {
  return columns <= 256 ? 1 : columns <= 512 ? 2 : columns <= 1024 ? 4 : kMostProofGroups;
}

/// Drawn blocks per set: enough to fill a device with few sets, at least one with many.
inline constexpr int kProofBlocks = 132;
inline int proof_blocks(int sets) { return std::clamp(kProofBlocks / std::max(sets, 1), 1, 8); }
/// Most that any number of sets up to this one has together.
inline int most_proof_blocks(int sets) { return std::max(kProofBlocks, sets); }

/// Where block `index` of a set begins along a dimension.
PERFCHECK_HOST_DEVICE inline std::int64_t proof_place(std::uint64_t draw, int set, int index, int dimension,
                                                      std::int64_t size) {
  std::uint64_t const h =
      verify::mix(draw, static_cast<std::uint64_t>(set),
                  std::uint64_t{2} * static_cast<std::uint64_t>(index) + static_cast<std::uint64_t>(dimension));
  return size <= kProofBlock ? 0 : static_cast<std::int64_t>(h % static_cast<std::uint64_t>(size - kProofBlock + 1));
}

/// The part of a row sum's tolerance that does not depend on the row. A sum of n errors of at most b[j] each, with
/// random signs, exceeds t = 6 |b| with a probability of at most 2 exp(-18) = 3e-8 (Hoeffding 1963). b[j] is the bound
/// of verification, with |A| |B| <= |a_i| |b_j| (Cauchy and Schwarz).
struct SumTolerance {
  double per_row_norm = 0;  ///< times the Euclidean norm of the row of A
  double per_c_norm = 0;    ///< times that of the group's elements of C
  double per_d_norm = 0;    ///< times that of the group's elements of D, for its last rounding
  double tiny = 0;
};
inline SumTolerance sum_tolerance(ProofTask const& task) {
  constexpr double kSpread = 6;
  int const groups = proof_groups(task.d.columns);
  double const columns = std::ceil(static_cast<double>(task.d.columns) / groups);
  double const elements = columns * static_cast<double>(task.b.first.rows);
  // Elements of B have variance 1 and a fourth moment below 3: the norm of many is known well enough.
  double const norm_of_b = std::sqrt(elements * (1 + 8 / std::sqrt(elements)));
  double const precision = task.d.element == verify::Element::f32   ? 60
                           : task.d.element == verify::Element::f16 ? 11
                                                                    : 8;
  return {.per_row_norm = kSpread * std::fabs(task.alpha) * task.bound.per_scale * norm_of_b,
          .per_c_norm = kSpread * std::fabs(task.beta) * task.bound.per_scale,
          .per_d_norm = kSpread * std::exp2(-precision),
          .tiny = columns * task.bound.tiny};
}

/// How many judgements a task has to bring.
inline std::uint64_t judgements_of(ProofTask const& task) {
  auto const sums = task.d.rows * proof_groups(task.d.columns);
  auto const block = std::min<std::int64_t>(task.d.rows, kProofBlock) *
                     std::min<std::int64_t>(task.d.columns, kProofBlock) * proof_blocks(task.sets);
  return static_cast<std::uint64_t>(task.sets) * static_cast<std::uint64_t>(sums + block);
}

}  // namespace perfcheck::gemm
