// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with at most 16 rows, by mma.sync: FP16, BF16, TF32 and INT8.
// Layouts           A row-major; B column-major; C and D row-major.
// Idea              Reading B is what takes the time, and a column of B is contiguous: the copy engine fetches long
//                   pieces of eight columns, in requests that L2 does not widen.
// Previous step     tma_ring: tiles of 16 x 64, in boxes.
// Tile and threads  A block has 16 rows and an equal share of all columns of B, in groups of eight. Its name is rows
//                   and most columns at a time, bytes of a piece and stages: 8 warps multiply, each every eighth 64
//                   bytes of k, and add up in the end; one more copies.
// Shared memory     A stage is a piece of eight columns. Besides, the same piece of all rows of A, twice. About 215
//                   KiB, or half of that where two blocks share a multiprocessor.
// Intensity         Memory: one product per element of B and row of A. L2: A is read again by each block.
// Expected          The speed of memory: such pieces of a B of 14336 x 4096 in BF16 alone arrive in 27.5 us on an H200,
//                   4.3 TB/s; boxes of 64 columns x 128 bytes in 28.5 us, and 29.5 us if L2 reads 256 bytes for each
//                   128.
// Requires          Compute capability 9.0; at most 16 rows; k a multiple of 256 (TF32: 128); lda and ldb multiples of
//                   16 bytes.
// Limits            Few columns: a multiprocessor with one group of them reads twice as much of A as of B.
#include "few_rows.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::few_rows;

struct Space {
  static constexpr Shape kShapes[] = {
      {.piece = 2048, .stages = 9, .groups = 14},
      {.piece = 1024, .stages = 23, .groups = 14},
      {.piece = 1024, .stages = 9, .groups = 7, .blocks = 2},
      {.piece = 2048, .stages = 9, .groups = 4},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads, V::kShape.blocks)
    few_rows(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_columns<V>(args, maps, memory);
#endif
}

template <class Row, int kPoint>
void launch(GemmArgs const& args) {
  using V = Variant<Row, Space, kPoint>;
  launch_columns<V>(few_rows<V>, args);
}

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return {.summary = "few rows: columns of B are fetched in long pieces",
          .types = Row::kRow,
          .arch = arch_exactly(9, 0),
          .accepts = refuse<Row>,
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

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(few_rows_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(few_rows_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(few_rows_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(few_rows_s8, Space::kShapes, kS8);
