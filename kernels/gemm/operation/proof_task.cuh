// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A task of the proof as device code sees it, and what its kernels share.
#pragma once

#include "proof.h"

#include <cuda_runtime.h>

namespace perfcheck::gemm {

using verify::Bits;

inline constexpr int kBlock = kProofBlock;

struct Counts {
  unsigned long long right;
  std::uint64_t seized_ns;  ///< when the outputs were taken, by the device's timer
  int wrong_set;            ///< the smallest number of a wrong set
};

/// For one row of D and one group of columns: the sum with signs, and the sum of squares.
struct RowSum {
  double d, squares;
};

/// An input that is added to products.
struct Added {
  verify::SecretFormat format;
  bool read;
};

/// A task as device code sees it.
struct Task {
  Element element;
  std::uint32_t rows, n, k;  ///< rows of all parts
  RowParts parts;
  char const* d;
  std::int64_t ldd, d_set_bytes;
  SecretFactor a, b;
  std::uint32_t b_rows, b_columns;  ///< steps to B's next matrix
  Added c, bias, residual;
  std::uint64_t secret, draw;
  verify::Epilogue epilogue;
  bool linear;
  verify::Bound bound;
  SumTolerance tolerance;
  double* weights;  ///< B x: sets x parts x k x groups
  RowSum* sums;     ///< D x: sets x rows x groups
  Bits* elements;   ///< of D in the drawn blocks: sets x blocks x 16 x 16
  std::uint32_t sets, groups, blocks;
  Counts* counts;
};
static_assert(sizeof(Task) <= 4096, "parameters of a kernel end there");

__device__ inline Bits bits_of_d(Task const& task, std::uint32_t set, std::int64_t row, std::uint32_t column) {
  char const* const d = task.d + set * task.d_set_bytes;
  return verify::load_bits(task.element, d, row * task.ldd + column);
}

__device__ inline double number_of(Element element, Bits bits) {
  auto const low = static_cast<std::uint32_t>(bits);
  switch (element) {  // avoids the general conversion where there is a fast one
    case Element::f32: return static_cast<double>(__uint_as_float(low));
    case Element::bf16: return static_cast<double>(__uint_as_float(low << 16U));
    case Element::f16: return static_cast<double>(__half2float(__ushort_as_half(static_cast<unsigned short>(low))));
    default: return verify::decode(element, bits);
  }
}

__device__ inline ProofBlock block_of(Task const& task, std::uint32_t set, std::uint32_t index) {
  return proof_block(task.draw, static_cast<int>(set), static_cast<int>(index), task.parts, task.n);
}

/// An element of an input that is added; 0 where the problem has none.
__device__ inline double added_at(Task const& task, Added const& added, Input input, int set, std::int64_t row,
                                  std::uint32_t column) {
  if (!added.read) return 0;
  return verify::secret_element(added.format, verify::secret_key(task.secret, set, static_cast<int>(input)),
                                static_cast<std::uint32_t>(row), column);
}

__device__ inline void count(Task const& task, int set, bool right) {
  unsigned const all = __activemask();
  unsigned const votes = __ballot_sync(all, right);
  if (!right) atomicMin(&task.counts->wrong_set, set);
  unsigned const lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
  if (lane == static_cast<unsigned>(__ffs(static_cast<int>(all))) - 1) {
    atomicAdd(&task.counts->right, static_cast<unsigned long long>(__popc(votes)));
  }
}

/// Adds up over the lanes whose numbers agree modulo `groups`; each of them gets the sum.
__device__ inline double add_up(double value, int groups) {
  for (int offset = 16; offset >= groups; offset /= 2) value += __shfl_xor_sync(0xffffffffU, value, offset);
  return value;
}

}  // namespace perfcheck::gemm
