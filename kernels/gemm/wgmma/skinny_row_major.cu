// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with at most 64 rows: FP16 and BF16.
// Layouts           A row-major; B row-major; C and D row-major.
// Idea              D transposed, as in skinny: columns of B are an instruction's 64 rows. Here they are contiguous
//                   where k was: of types of 16 bits, wgmma reads its first operand that way, too. Blocks that follow
//                   each other read the same rows of B beside each other, 128 bytes or a few times as many, so that
//                   together they read whole rows.
// Previous step     skinny: a column-major B.
// Tile and threads  As the point says (shape.cuh); four math warps and one to copy, k in steps of 64.
// Shared memory     About 100 KiB for one of two blocks of a multiprocessor, or 120 to 180 KiB for one.
// Intensity         As skinny.
// Expected          The speed of memory.
// Requires          Compute capability 9.0 (sm_90a); no more rows than a tile of the point has, at most 64; lda and ldb
//                   multiples of 16 bytes.
// Limits            As skinny: weights of few megabytes, for which start and exchange take as long as memory does.
#include "parts.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

// A tile's rows are columns of D here, and its columns rows of D.
struct Space {
  static constexpr Shape kShapes[] = {
      // 14336 columns are 112 tiles of 128, or 224 of 64. Six or seven stages, about 100 KiB on their way to a
      // multiprocessor, keep memory busy; more are slower (README.md).
      {.tile_m = 128, .tile_n = 16, .stages = 7, .lines_ahead = 1, .swapped = true},
      {.tile_m = 128, .tile_n = 16, .stages = 6, .lines_ahead = 2, .swapped = true},
      {.tile_m = 128, .tile_n = 16, .stages = 5, .blocks = 2, .lines_ahead = 2, .swapped = true},
      {.tile_m = 64, .tile_n = 16, .stages = 7, .blocks = 2, .lines_ahead = 1, .swapped = true},
      {.tile_m = 128, .tile_n = 16, .stages = 5, .parts = 2, .blocks = 2, .swapped = true},
      // 4096 columns are 64 tiles of 64: in four parts, nearly all multiprocessors have two blocks.
      {.tile_m = 64, .tile_n = 16, .stages = 6, .parts = 4, .blocks = 2, .swapped = true},
      // Fewer rows, and more.
      {.tile_m = 128, .tile_n = 8, .stages = 7, .lines_ahead = 1, .swapped = true},
      {.tile_m = 64, .tile_n = 8, .stages = 11, .parts = 4, .blocks = 2, .swapped = true},
      {.tile_m = 128, .tile_n = 32, .stages = 7, .lines_ahead = 1, .swapped = true},
      {.tile_m = 64, .tile_n = 32, .stages = 7, .blocks = 2, .lines_ahead = 1, .swapped = true},
      {.tile_m = 128, .tile_n = 64, .stages = 6, .lines_ahead = 1, .swapped = true},
      {.tile_m = 128, .tile_n = 64, .stages = 4, .parts = 2, .blocks = 2, .swapped = true},
      {.tile_m = 128, .tile_n = 64, .stages = 4, .parts = 8, .blocks = 2, .swapped = true},
  };
};

template <class Row, int kPoint>
using Point = Variant<Row, Space, kPoint, BLayout::row_major>;

template <class V>
__global__ void __launch_bounds__(kThreads<V>, V::kShape.blocks)
    skinny_row_major(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_part<V>(args, maps, memory);
#endif
}

template <class Row, int kPoint>
void launch(GemmArgs const& args) {
  using V = Point<Row, kPoint>;
  launch_parts<V>(skinny_row_major<V>, args);
}

template <class Row, int kPoint>
Refusal refuse(GemmProblem const& problem) {
  if (problem.b_layout == BLayout::column_major) return "wants a row-major B (nn): gemm/wgmma/skinny_* take the other";
  return refuse_many_rows<Point<Row, kPoint>>(problem);
}

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return {.summary = "few rows and a row-major B: D transposed, clusters of blocks cut along k",
          .types = Row::kRow,
          .arch = arch_exactly(9, 0),
          .accepts = refuse<Row, kPoint>,
          .launch = launch<Row, kPoint>};
}

template <int kPoint>
constexpr GemmKernel kF16 = kernel<mma::F16, kPoint>();
template <int kPoint>
constexpr GemmKernel kBf16 = kernel<mma::Bf16, kPoint>();

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(skinny_row_major_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(skinny_row_major_bf16, Space::kShapes, kBf16);
