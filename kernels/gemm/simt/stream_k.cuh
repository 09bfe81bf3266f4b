// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The body of kernels whose blocks share tiles by stream-K (work_units.cuh).
#pragma once

#include <perfcheck/work_units.cuh>

#include <algorithm>

#include "ring_copy.cuh"
#include "ring_math.cuh"

namespace perfcheck::ring {

template <Shape kShape>
constexpr TileSizes kTileSizes{.m = kShape.tile_rows(), .n = kShape.tile_columns(), .k = kTileK};

template <Shape kShape>
std::size_t workspace_of_stream() {
  return stream_workspace_bytes(kTileSizes<kShape>, multiprocessors());
}

/// The body of a kernel whose blocks share tiles.
template <Shape kShape, BLayout kBLayout>
__device__ __forceinline__ void stream(GemmArgs const& args, StreamPlan const& plan, TensorMaps const& maps,
                                       SharedMemory<kShape>& shared) {
  initialise(shared);
  StreamUnits units(plan);
  if (threadIdx.x >= kShape.math_threads()) {
    become_copy_thread<kShape>();
    copy_tiles<kShape, kBLayout>(shared, maps, units);
    return;
  }
  become_math_thread<kShape>();
  MathThread<kShape, kBLayout> thread(shared);
  PartialSums<float, Sums<kShape>::kQuads * kQuad, kShape.math_threads()> const partial(args, kMathBarrier);
  Unit unit;
  while (units.next_shared(unit)) {
    Sums<kShape> sums = thread.multiply(unit.k_end - unit.k_begin);
    if (unit.k_begin > 0) {
      partial.leave(&sums.of[0][0], units.rank());
      continue;
    }
    if (unit.k_end < plan.k_blocks) {
      for (int rank = units.rank() + 1; plan.begin_of(rank) < units.tile_end(); ++rank)
        partial.add(&sums.of[0][0], rank);
    }
    thread.store(args, unit.tile, sums);
  }
  while (units.next_whole(unit)) thread.store(args, unit.tile, thread.multiply(plan.k_blocks));
}

/// Launches such a kernel on all multiprocessors.
template <Shape kShape, BLayout kBLayout, class Kernel>
void launch_stream(Kernel kernel, GemmArgs const& args) {
  StreamPlan const plan =
      make_stream_plan(args.m, args.n, args.k, kTileSizes<kShape>, std::min(multiprocessors(), kMostStreamBlocks));
  clear_stream_flags(plan, args);
  launch_blocks<kShape>(kernel, plan.blocks, 1, args.stream, args, plan, make_tensor_maps<kShape, kBLayout>(args));
}

}  // namespace perfcheck::ring
