// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP32 data, products of TF32 and FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Eight changes of prefetch_without_branch of which a study of such kernels found that they do not
//                   help, as points of one space, so that every device tells which of them do (`perfcheck tune`,
//                   docs/tuning.md). Each point is one change; the first has none.
// Previous step     prefetch_without_branch: the shape and two details are those of a point.
// Tile and threads  The first point: block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, k in steps of 16.
// Shared memory     The first point: 2 stages, 37 KiB (column-major B: 40); two blocks per multiprocessor.
// Intensity         The first point: global, 32 FLOP per byte; shared, 10.7 FLOP per byte.
// Expected          No point is faster than the first, for the reasons beside kSpace; only 256 columns may be.
// Requires          Compute capability 8.0. lda and ldb multiples of 4.
// Limits            As in prefetch_without_branch.
#include <perfcheck/gemm.h>
#include <perfcheck/gemm_tuning.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include "tf32_tile.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::tf32;

struct Point {
  char const* name = "";
  Shape shape;
  bool by_hand = false;  ///< the steps of k stand one after the other instead of in a loop
  bool b_ahead = false;  ///< all fragments of B are read before the first one is used
};

// Intensity of shared memory: 10.7 FLOP per byte where nothing else is said.
constexpr Point kSpace[] = {
    {.name = "as-it-is"},
    // More time for a tile to arrive, which helps only if it was late.
    {.name = "3-stages", .shape = {.stages = 3}},
    // As many warps per multiprocessor as before, all waiting at one barrier; 8 FLOP per byte.
    {.name = "512-threads", .shape = {.warp_n = 32, .blocks = 1}},
    // 8 FLOP per byte, and 21 instead of 32 per byte of global memory.
    {.name = "64-rows", .shape = {.tile_m = 64, .warp_n = 32}},
    // nvcc 13.0 unrolls the loop anyway: the same machine code as the first point.
    {.name = "k-by-hand", .by_hand = true},
    // Twice as many barriers and waits.
    {.name = "8-k", .shape = {.tile_k = 8}},
    // ptxas orders reads as it likes: the same machine code with column-major B, nearly the same with row-major B.
    {.name = "b-ahead", .b_ahead = true},
    // 16 FLOP per byte, but half as many warps per multiprocessor.
    {.name = "256-columns", .shape = {.tile_n = 256, .warp_m = 64, .blocks = 1}},
    // 7.1 FLOP per byte: fragments of B are read for one of A.
    {.name = "16-fragments", .shape = {.warp_m = 16, .warp_n = 128}},
};

constexpr PointName point_name(Point const& point) {
  PointName name;
  for (int i = 0; point.name[i] != 0; ++i) name.text[i] = point.name[i];
  return name;
}

/// As add_step(), all fragments first.
template <BLayout kLayout, Shape kShape>
__device__ __forceinline__ void add_step_b_ahead(WarpSums<kShape>& sums, unsigned char const* tiles, int k) {
  using Reads = PlainReads<kLayout, kShape>;
  uint32_t a[sums.kM][4], b[sums.kN][2];
#pragma unroll
  for (int i = 0; i < sums.kM; ++i) Reads::read_a(a[i], tiles, i, k);
#pragma unroll
  for (int j = 0; j < sums.kN; ++j) Reads::read_b(b[j], tiles, j, k);
#pragma unroll
  for (int j = 0; j < sums.kN; ++j) {
#pragma unroll
    for (int i = 0; i < sums.kM; ++i) ptx::mma_m16n8k8_tf32(sums.at[i][j], a[i], b[j][0], b[j][1]);
  }
}

template <BLayout kLayout, int kPoint, Shape kShape>
__device__ __forceinline__ void add_tiles_as(WarpSums<kShape>& sums, unsigned char const* tiles) {
  if constexpr (kSpace[kPoint].b_ahead) {
#pragma unroll
    for (int k = 0; k < kShape.tile_k; k += kMmaK) add_step_b_ahead<kLayout>(sums, tiles, k);
  } else if constexpr (kSpace[kPoint].by_hand) {
    static_assert(kShape.tile_k == 2 * kMmaK);
    add_step<kLayout>(sums, tiles, 0);
    add_step<kLayout>(sums, tiles, kMmaK);
  } else {
    add_tiles<kLayout>(sums, tiles);
  }
}

template <BLayout kLayout, int kPoint>
__global__ void __launch_bounds__(kSpace[kPoint].shape.threads(), kSpace[kPoint].shape.blocks)
    space(GemmArgs const args) {
  constexpr Shape kShape = kSpace[kPoint].shape;
  extern __shared__ __align__(128) unsigned char stages[];  // kShape.stages times the tiles of A and B
  TileIndex const first = first_element<kShape>(args);
  WarpSums<kShape> sums;
  for_all_tiles<kLayout, kShape>({args, first.row, first.column}, tiles_to_cover(args.k, kShape.tile_k), stages,
                                 [&](unsigned char const* tiles) { add_tiles_as<kLayout, kPoint>(sums, tiles); });
  sums.store(args, first, stages);
}

template <BLayout kLayout, int kPoint>
void launch_as(GemmArgs const& args) {
  launch_tiles<kLayout, kSpace[kPoint].shape>(space<kLayout, kPoint>, args);
}

template <int kPoint>
void launch(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_as<BLayout::row_major, kPoint>(args)
                                      : launch_as<BLayout::column_major, kPoint>(args);
}

template <int kPoint>
constexpr GemmKernel kKernel{.summary = "eight changes that did not help in a study, one at a time",
                             .types = GemmTypes::tf32,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned,
                             .launch = launch<kPoint>};

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(space_tf32, kSpace, kKernel);
