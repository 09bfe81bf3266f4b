// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Warps that multiply the same tile for different k add up their sums: the groups of warps of a block (Shape::groups),
// and the blocks of a cluster (split_k). All of them do so at the same time, each for the rows that it owns.
#pragma once

#include "ring_math.cuh"

#include <perfcheck/ptx_sm90.cuh>
#include <perfcheck/sum_quad.cuh>

namespace perfcheck::mma {

/// Named barriers: of the math warps, and of all warps before they begin.
constexpr int kMathBarrier = 1;
constexpr int kStartBarrier = 2;

/// Shared memory that a SumExchange needs, in bytes.
template <class V>
constexpr int kExchangeBytes = V::kShape.groups * V::kShape.tile_m * V::kShape.tile_n * int{sizeof(typename V::Sum)};

/// The exchange of sums among owners of rows, in shared memory.
template <class V>
class SumExchange {
  static constexpr Shape kShape = V::kShape;
  static constexpr int kM = kShape.mmas_m(), kN = kShape.mmas_n(), kGroups = kShape.groups;

 public:
  /// For the thread with index `thread`. `shared` has kExchangeBytes, at the same place in all blocks of the cluster.
  __device__ __forceinline__ SumExchange(RowOwners<V> const& owners, int thread, unsigned char* shared)
      : owners_(owners),
        group_(WarpMath<V>::group_of(thread)),
        quads_(reinterpret_cast<float4*>(shared) + thread % kShape.group_threads()) {}

  /// Leaves the sums of rows of other owners, and waits until all have done so. All math threads call it; if there are
  /// several parts, those of the whole cluster, and the other threads meet them at one cluster_barrier(). No block may
  /// leave or use `shared` otherwise before all have met once more.
  __device__ __forceinline__ void leave(WarpMath<V> const& math) const {
#pragma unroll
    for (int i = 0; i < kM; ++i) {
      if (owners_.owns(i)) continue;
#pragma unroll
      for (int j = 0; j < kN; ++j) *place(group_, i, j) = quad_of(math.sums[i][j]);
    }
    if constexpr (kShape.parts > 1) {
      ptx::cluster_barrier();
    } else {
      ptx::named_barrier(kMathBarrier, kShape.math_threads());
    }
  }

  /// Adds the sums that all others left for row `i`, which this thread owns, to its own.
  __device__ __forceinline__ void add(WarpMath<V>& math, int i) const {
#pragma unroll 2  // there are no registers for more
    for (int behind = 1; behind < owners_.kOwners; ++behind) {
      int const other = (owners_.own + behind) % owners_.kOwners;
#pragma unroll
      for (int j = 0; j < kN; ++j) add_quad(math.sums[i][j], read(other, i, j));
    }
  }

 private:
  __device__ __forceinline__ float4* place(int group, int i, int j) const {
    return quads_ + ((group * kM + i) * kN + j) * kShape.group_threads();
  }
  __device__ __forceinline__ float4 read(int other, int i, int j) const {
    float4 const* const from = place(other % kGroups, i, j);
    if constexpr (kShape.parts == 1) {
      return *from;
    } else {
      return ptx::read_cluster_quad(ptx::shared_address(from), static_cast<uint32_t>(other / kGroups));
    }
  }

  RowOwners<V> owners_;
  int group_;
  float4* quads_;  // this thread's first
};

}  // namespace perfcheck::mma
