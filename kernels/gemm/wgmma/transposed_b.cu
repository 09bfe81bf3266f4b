// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: TF32 and INT8.
// Layouts           A row-major; B row-major; C and D row-major.
// Idea              D's transpose is multiplied, and B is the operand that wgmma takes from registers: a thread reads
//                   its columns of B, one k after the other, with ordinary loads (transposed.cuh). The other way is to
//                   let warps of their own transpose each stage of B in shared memory. That reads and writes B once
//                   more and needs a second ring and more barriers, while these loads are in place of wgmma's.
//                   Of shared memory's 128 bytes per cycle, beside what the copy engine writes, products take
//                     80 in tiles of 128 x 256 with a column-major B, and 144 if warps transpose,
//                     96 in tiles of 128 x 256 with B in registers, and 85 in tiles of 192 x 256.
// Previous step     cooperative, which takes only a column-major B of these types.
// Tile and threads  As the point says: its name is tile, stages and what is special (shape.cuh). A group of math warps
//                   has 128 columns of D and up to 192 rows.
// Shared memory     At most 227 KiB.
// Intensity         TF32: 55 FLOP per byte of L2 in tiles of 192 x 256.
// Expected          Like cooperative with a column-major B.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 16 bytes.
// Limits            Sums are stored before the next tile begins. INT8 permutes bytes: 16 instructions for a step.
#include "transposed.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

/// Two groups beside each other.
constexpr Shape wide(int rows, int stages, int strips, int cluster_m = 1) {
  return {.tile_m = rows,
          .tile_n = 2 * kTransposedColumns,
          .groups = 2,
          .share = Share::columns,
          .stages = stages,
          .strips = strips,
          .cluster_m = cluster_m,
          .turns_back = true};
}

// Large tiles have the least traffic. There are several, because a round of 132 tiles should be full: 4096 cubed is 384
// tiles of 176 x 256, which is 2.9 rounds, and 8192 cubed is 1440 of 184 x 256, which is 10.9.
struct Space {
  static constexpr Shape kShapes[] = {
      wide(192, 3, 2),
      wide(192, 3, 2, 2),
      wide(184, 3, 2),
      wide(176, 3, 1),
      wide(176, 3, 1, 2),
      wide(160, 3, 2),
      wide(128, 4, 2),
      wide(128, 4, 2, 2),
      {.tile_m = 256, .tile_n = 128, .groups = 2, .stages = 4, .strips = 2, .turns_back = true},
      {.tile_m = 256, .tile_n = 128, .groups = 2, .stages = 4, .strips = 2, .cluster_n = 2, .turns_back = true},
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 6, .strips = 2, .turns_back = true},
      {.tile_m = 64, .tile_n = 128, .groups = 1, .stages = 8, .strips = 2},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) transposed_b(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  initialise(shared, maps);
  ClusterTiles<V> tiles(args, maps.supertile);
  if (is_copy_thread<V>()) {
    copy_tiles(shared, maps, tiles);
  } else {
    become_math_thread<V>();
    TransposedMath<V> math(group_number());
    RingReader<V> ring(shared);
    StripStore<V> const strips(args, shared.strips, maps.d, maps.stores_d);
    TransposedStore<V> const results(args, strips);
    TileIndex tile;
    while (tiles.next(tile)) {
      multiply_transposed(ring, math, tiles.k_blocks());
      results.store(math, tile);
    }
    strips.finish();
  }
#endif
}

template <class Row>
Refusal refuse(GemmProblem const& problem) {
  if (problem.b_layout != BLayout::row_major) {
    return "made for a row-major B (nn); gemm/wgmma/cooperative_* take a column-major one";
  }
  return refuse_unaligned<Row>(problem);
}

template <class Row, class Shapes, int kPoint>
void launch(GemmArgs const& args) {
  using V = Variant<Row, Shapes, kPoint, BLayout::row_major>;
  launch_ring<V>(transposed_b<V>, count_staying_blocks<V>(args), args.stream, args, make_tensor_maps<V>(args));
}

/// The rows of a group are columns of an instruction, of which INT8 has a multiple of 16.
constexpr bool fits_s8(Shape const& shape) { return shape.group_rows() % 16 == 0; }
struct S8Space {
  static constexpr auto kShapes = shapes_that<Space, fits_s8>();
};

template <class Row, class Shapes, int kPoint>
constexpr GemmKernel kernel() {
  return {.summary = "B in registers: D's transpose from a row-major B",
          .types = Row::kRow,
          .arch = arch_exactly(9, 0),
          .accepts = refuse<Row>,
          .launch = launch<Row, Shapes, kPoint>};
}

template <int kPoint>
constexpr GemmKernel kTf32 = kernel<mma::Tf32, Space, kPoint>();
template <int kPoint>
constexpr GemmKernel kS8 = kernel<mma::S8, S8Space, kPoint>();

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(transposed_b_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(transposed_b_s8, S8Space::kShapes, kS8);
