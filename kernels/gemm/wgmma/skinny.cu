// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with at most 64 rows: FP16, BF16, TF32 and INT8.
// Layouts           A row-major; B column-major; C and D row-major.
// Idea              An instruction has 64 rows, but may have as few as 8 columns. So D transposed is computed: the 64
//                   rows are columns of B, and no row is there in vain. Parts of k keep all multiprocessors busy.
//                   A stage may have several lines of each column, so that memory is read in pieces as long; a tile may
//                   have fewer columns than its instructions have rows, so that there are enough of them.
// Previous step     split_k: of the 64 rows of a tile, sixteen have work.
// Tile and threads  As the point says: its name is rows and columns of D, stages, parts, and blocks of a multiprocessor
//                   (shape.cuh); four math warps and one to copy, k in steps of a line of 128 bytes, or of
//                   several.
// Shared memory     About 100 KiB for one of two blocks of a multiprocessor, or 200 KiB for one.
// Intensity         Memory: one product per element of B and row of A. L2: A is read again for each tile, which is an
//                   eighth of B's bytes with 16 x 128, less with wider tiles or where clusters share rows of A.
// Expected          The speed of memory, of which every multiprocessor has 200 KiB on their way: latency times
//                   bandwidth is 30 KiB.
// Requires          Compute capability 9.0 (sm_90a); no more rows than a tile of the point has, at most 64; lda and ldb
//                   multiples of 16 bytes.
// Limits            Weights of few megabytes: start and exchange take as long as memory does.
#include "parts.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

// A tile's rows are columns of D here, and its columns rows of D.
struct Space {
  static constexpr Shape kShapes[] = {
      // 14336 columns are 112 tiles of 128, or 224 of 64: in one or two parts all blocks run at the same time.
      {.tile_m = 128, .tile_n = 16, .stages = 5, .parts = 2, .blocks = 2, .swapped = true},
      {.tile_m = 64, .tile_n = 16, .stages = 5, .lines = 2, .blocks = 2, .lines_ahead = 4, .swapped = true},
      {.tile_m = 128, .tile_n = 16, .stages = 6, .lines = 2, .lines_ahead = 4, .swapped = true},
      // They are 128 tiles of 112 as well, or 256 of 56: for nearly all multiprocessors, of which an H200 has 132.
      {.tile_m = 56, .tile_n = 16, .stages = 6, .lines = 2, .blocks = 2, .lines_ahead = 4, .swapped = true},
      {.tile_m = 56, .tile_n = 16, .stages = 3, .lines = 4, .blocks = 2, .lines_ahead = 4, .swapped = true},
      {.tile_m = 112, .tile_n = 16, .stages = 7, .lines = 2, .lines_ahead = 4, .swapped = true},
      {.tile_m = 256, .tile_n = 16, .stages = 6, .parts = 2, .swapped = true},
      {.tile_m = 256, .tile_n = 16, .stages = 3, .parts = 4, .blocks = 2, .swapped = true},
      // 4096 columns are 32 tiles of 128.
      {.tile_m = 128, .tile_n = 16, .stages = 10, .parts = 4, .swapped = true},
      {.tile_m = 128, .tile_n = 16, .stages = 5, .parts = 8, .blocks = 2, .swapped = true},
      {.tile_m = 64, .tile_n = 16, .stages = 10, .parts = 4, .blocks = 2, .swapped = true},
      {.tile_m = 256, .tile_n = 16, .stages = 6, .parts = 8, .swapped = true},
      // Fewer rows, for types whose instructions may have 8 columns.
      {.tile_m = 128, .tile_n = 8, .stages = 6, .parts = 2, .blocks = 2, .swapped = true},
      {.tile_m = 64, .tile_n = 8, .stages = 11, .parts = 1, .blocks = 2, .swapped = true},
      {.tile_m = 128, .tile_n = 8, .stages = 6, .parts = 8, .blocks = 2, .swapped = true},
      {.tile_m = 64, .tile_n = 8, .stages = 11, .parts = 4, .blocks = 2, .swapped = true},
      // More rows. Blocks that share rows of A relieve L2.
      {.tile_m = 56, .tile_n = 32, .stages = 5, .lines = 2, .blocks = 2, .lines_ahead = 4, .swapped = true},
      {.tile_m = 128, .tile_n = 64, .stages = 4, .lines = 2, .lines_ahead = 4, .swapped = true},
      {.tile_m = 128, .tile_n = 32, .stages = 5, .parts = 2, .blocks = 2, .swapped = true},
      {.tile_m = 128, .tile_n = 32, .stages = 5, .parts = 8, .blocks = 2, .swapped = true},
      {.tile_m = 128, .tile_n = 48, .stages = 5, .parts = 2, .blocks = 2, .swapped = true},
      {.tile_m = 128, .tile_n = 64, .stages = 4, .parts = 2, .blocks = 2, .swapped = true},
      {.tile_m = 128, .tile_n = 64, .stages = 4, .cluster_m = 2, .parts = 2, .blocks = 2, .swapped = true},
      {.tile_m = 128, .tile_n = 64, .stages = 4, .cluster_m = 2, .parts = 4, .blocks = 2, .swapped = true},
      {.tile_m = 128, .tile_n = 64, .stages = 4, .parts = 8, .blocks = 2, .swapped = true},
      {.tile_m = 256, .tile_n = 64, .stages = 5, .parts = 2, .swapped = true},
      {.tile_m = 256, .tile_n = 64, .stages = 5, .parts = 8, .swapped = true},
  };
};

template <class Row, int kPoint>
using Point = Variant<Row, ShapesFor<Space, typename Row::In>, kPoint, BLayout::column_major>;

template <class V>
__global__ void __launch_bounds__(kThreads<V>, V::kShape.blocks)
    skinny(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_part<V>(args, maps, memory);
#endif
}

template <class Row, int kPoint>
void launch(GemmArgs const& args) {
  using V = Point<Row, kPoint>;
  launch_parts<V>(skinny<V>, args);
}

template <class Row, int kPoint>
Refusal refuse(GemmProblem const& problem) {
  if (problem.b_layout == BLayout::row_major) {
    return "wants a column-major B (nt), whose columns take the place of rows; gemm/wgmma/skinny_row_major_* take the "
           "other";
  }
  return refuse_many_rows<Point<Row, kPoint>>(problem);
}

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return {.summary = "few rows: D transposed, clusters of blocks cut along k",
          .types = Row::kRow,
          .arch = arch_exactly(9, 0),
          .accepts = refuse<Row, kPoint>,
          .launch = launch<Row, kPoint>};
}

template <int kPoint>
constexpr GemmKernel kF16 = kernel<mma::F16, kPoint>();
template <int kPoint>
constexpr GemmKernel kBf16 = kernel<mma::Bf16, kPoint>();
template <int kPoint>
constexpr GemmKernel kTf32 = kernel<mma::Tf32, kPoint>();
template <int kPoint>
constexpr GemmKernel kS8 = kernel<mma::S8, kPoint>();

using S8Space = ShapesFor<Space, int8_t>;

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(skinny_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(skinny_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(skinny_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(skinny_s8, S8Space::kShapes, kS8);
