// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16, BF16 or TF32 with FP32 sums, INT8 with INT32 sums, or FP16 with
//                   FP16 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              All steps together, with the sizes that are the fastest for each problem; and a warp loads the
//                   fragments of the next step of k while it multiplies those of the current one.
// Previous step     shared_loads: `perfcheck tune` chooses the shape (kSpace, docs/tuning.md); two sets of fragments
//                   (accumulate()); rows that are not aligned.
// Tile and threads  The first shape: block 128 x 256 of D, 8 warps as 2 x 4 of 64 x 64, k in steps of 64 bytes.
// Shared memory     The first shape: 3 stages, 80 to 90 KiB; at most 255 registers, one block per multiprocessor.
// Intensity         The first shape, FP16: global, 85 FLOP per byte; shared, 32 FLOP per byte.
// Expected          The machine code of the main loop is that of mma.sync kernels: LDSM and HMMA of 16 x 8 x 16, with
//                   padded instead of swizzled rows. So FP16 and BF16 should come close to them: 50 % of cuBLAS. TF32
//                   executes HMMA of 16 x 8 x 4, and INT8 IMMA of 16 x 8 x 16, each half of what mma.sync has.
// Requires          Compute capability 8.0. Copies of 16 bytes where lda and ldb are multiples of 16 bytes; otherwise
//                   elements are copied one by one, in the first shape.
// Limits            One block per tile of D and no split along k, so small m * n leaves multiprocessors idle. Fragments
//                   of TF32 are read 4 bytes at a time, those of row-major INT8 byte by byte.
#include <perfcheck/cuda_check.h>
#include <perfcheck/device_attribute.h>
#include <perfcheck/gemm.h>
#include <perfcheck/gemm_tuning.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include "async_copy.cuh"
#include "fragments.cuh"
#include "named_load.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wmma;

/// The fields of a Shape, in short.
constexpr Shape shape(int tile_m, int tile_n, int warp_m, int warp_n, int line_bytes, int stages, int blocks,
                      bool read_ahead = true) {
  return {.tile_m = tile_m,
          .tile_n = tile_n,
          .warp_m = warp_m,
          .warp_n = warp_n,
          .line_bytes = line_bytes,
          .stages = stages,
          .blocks = blocks,
          .read_ahead = read_ahead};
}

constexpr Shape kSpace[] = {
    // Large tiles, one block per multiprocessor. The first fits into 99 KiB, which every GPU since 8.0 has.
    shape(128, 256, 64, 64, 64, 3, 1),
    shape(128, 256, 64, 64, 64, 4, 1),
    shape(128, 256, 64, 64, 64, 6, 1),
    shape(128, 256, 64, 64, 128, 3, 1),
    shape(128, 256, 64, 64, 128, 4, 1),
    shape(256, 128, 64, 64, 128, 3, 1),
    // Two blocks per multiprocessor.
    shape(128, 128, 64, 64, 128, 3, 2),
    shape(128, 128, 64, 64, 64, 4, 2, false),
    // Small tiles for small problems.
    shape(128, 64, 64, 32, 64, 4, 3),
    shape(64, 128, 32, 64, 128, 4, 2),
    shape(64, 64, 32, 32, 128, 3, 3),
    // Few rows.
    shape(32, 128, 32, 32, 128, 4, 2),
    shape(32, 64, 16, 32, 128, 5, 3),
    shape(16, 128, 16, 32, 128, 5, 2),
};

/// "128x256-64x64-64x4x1-ahead": tile, warp's tile, bytes along k, stages, blocks.
constexpr PointName point_name(Shape const& shape) {
  PointName const parts[] = {join_with_x({shape.tile_m, shape.tile_n}), join_with_x({shape.warp_m, shape.warp_n}),
                             join_with_x({shape.line_bytes, shape.stages, shape.blocks})};
  PointName name;
  std::size_t at = 0;
  for (std::string_view const part : parts) {
    if (at > 0) name.text[at++] = '-';
    for (char const c : part) name.text[at++] = c;
  }
  if (shape.read_ahead) {
    for (char const c : std::string_view("-ahead")) name.text[at++] = c;
  }
  return name;
}

/// A warp's fragments for one step of kMmaK.
template <class T, BLayout kLayout, Shape kShape>
struct Operands {
  FragmentA<T> a[kShape.warp_m / kSide];
  FragmentB<T, kLayout> b[kShape.warp_n / kSide];

  __device__ __forceinline__ void load(typename T::Element const* tiles, int k) {
    using OfTiles = Tiles<T, kLayout, kShape>;
    WarpPlace<kShape> const warp;
#pragma unroll
    for (int i = 0; i < kShape.warp_m / kSide; ++i) {
      NamedLoad::load(a[i], tiles + OfTiles::a(warp.row + i * kSide, k), OfTiles::kStrideA);
    }
#pragma unroll
    for (int j = 0; j < kShape.warp_n / kSide; ++j) {
      NamedLoad::load(b[j], tiles + OfTiles::b(k, warp.column + j * kSide), OfTiles::kStrideB);
    }
  }

  /// Each fragment is rounded once, however many products it is used in.
  __device__ __forceinline__ void multiply(WarpSums<T, kShape>& sums) {
#pragma unroll
    for (auto& fragment : b) round_fragment(fragment);
#pragma unroll
    for (int i = 0; i < kShape.warp_m / kSide; ++i) {
      round_fragment(a[i]);
      sums.template add_row<kLayout>(i, a[i], b);
    }
  }
};

/// Multiplies all tiles. Exactly one group of copies is committed per tile, an empty one past the end, so that "all but
/// the youngest stages - 2 groups" always means "the next tile has arrived".
template <class T, BLayout kLayout, Shape kShape, bool kAligned>
__device__ __forceinline__ void accumulate(WarpSums<T, kShape>& sums, typename T::Element* stages, int k_tiles,
                                           AsyncTiles<T, kLayout, kShape, kAligned> copy) {
  using OfTiles = Tiles<T, kLayout, kShape>;
  constexpr int kSteps = OfTiles::kTileK / T::kMmaK;
  static_assert(kSteps % 2 == 0, "the two sets of fragments alternate across tiles");
#pragma unroll 1
  for (int stage = 0; stage < kShape.stages - 1; ++stage) {
    if (stage < k_tiles) copy.copy_next(stages + stage * OfTiles::kElements);
    ptx::cp_async_commit();
  }
  ptx::cp_async_wait<kShape.stages - 2>();
  __syncthreads();

  Operands<T, kLayout, kShape> operands[2];
  if constexpr (kShape.read_ahead) operands[0].load(stages, 0);
  int read_stage = 0, write_stage = kShape.stages - 1;
#pragma unroll 1
  for (int tile = 0; tile < k_tiles; ++tile) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      if constexpr (!kShape.read_ahead) operands[0].load(stages + read_stage * OfTiles::kElements, step * T::kMmaK);
      if (step == kSteps - 1) {
        ptx::cp_async_wait<kShape.stages - 2>();
        __syncthreads();  // every warp has loaded its last fragments of the current tile
        write_stage = read_stage;
        read_stage = read_stage + 1 == kShape.stages ? 0 : read_stage + 1;
      }
      if constexpr (kShape.read_ahead) {
        // After the last tile this reads a stage with stale data, and the result is not used.
        operands[(step + 1) % 2].load(stages + read_stage * OfTiles::kElements, (step + 1) % kSteps * T::kMmaK);
      }
      if (step == 0) {
        if (tile + kShape.stages - 1 < k_tiles) copy.copy_next(stages + write_stage * OfTiles::kElements);
        ptx::cp_async_commit();
      }
      operands[kShape.read_ahead ? step % 2 : 0].multiply(sums);
    }
  }
}

template <class T, BLayout kLayout, int kPoint, bool kAligned>
__global__ void __launch_bounds__(kSpace[kPoint].threads(), kSpace[kPoint].blocks) combined(GemmArgs const args) {
  constexpr Shape kShape = kSpace[kPoint];
  extern __shared__ __align__(128) unsigned char memory[];  // kShape.stages times the tiles of A and B
  TileIndex const tile =
      grouped_tile(blockIdx.x, tiles_to_cover(args.m, kShape.tile_m), tiles_to_cover(args.n, kShape.tile_n));
  int const row = tile.row * kShape.tile_m;
  int const column = tile.column * kShape.tile_n;
  WarpSums<T, kShape> sums;
  accumulate<T, kLayout, kShape, kAligned>(sums, reinterpret_cast<typename T::Element*>(memory),
                                           tiles_to_cover(args.k, Tiles<T, kLayout, kShape>::kTileK),
                                           {args, row, column});
  __syncthreads();  // the stages become space for sums
  sums.store(args, row, column, memory);
}

template <class T, BLayout kLayout, int kPoint, bool kAligned>
void launch_as(GemmArgs const& args) {
  constexpr Shape kShape = kSpace[kPoint];
  auto const kernel = combined<T, kLayout, kPoint, kAligned>;
  constexpr int kBytes = kSharedBytes<T, kLayout, kShape>;
  static_assert(kShape.blocks * (kBytes + 1024) <= 228 * 1024,
                "a multiprocessor of compute capability 9.0 has no more");
  if constexpr (kPoint == 0) {
    static_assert(kBytes <= 99 * 1024);
  } else {  // a shape that was the fastest on another device
    if (kBytes > most_shared_bytes()) return launch_as<T, kLayout, 0, kAligned>(args);
  }
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  int const blocks = tiles_to_cover(args.m, kShape.tile_m) * tiles_to_cover(args.n, kShape.tile_n);
  kernel<<<blocks, kShape.threads(), kBytes, args.stream>>>(args);
}

template <class T, int kPoint>
void launch(GemmArgs const& args) {
  bool const row_major = args.b_layout == BLayout::row_major;
  if (args.lda % kChunk<T> == 0 && args.ldb % kChunk<T> == 0) {
    row_major ? launch_as<T, BLayout::row_major, kPoint, true>(args)
              : launch_as<T, BLayout::column_major, kPoint, true>(args);
  } else {  // slow in every shape, so one is enough
    row_major ? launch_as<T, BLayout::row_major, 0, false>(args) : launch_as<T, BLayout::column_major, 0, false>(args);
  }
}

template <class T, int kPoint>
constexpr GemmKernel kKernel{.summary = "wmma with all steps combined, in a tuned shape",
                             .types = T::kTypes,
                             .arch = arch_at_least(8, 0),
                             .launch = launch<T, kPoint>};

template <int kPoint>
constexpr GemmKernel kF16 = kKernel<F16, kPoint>;
template <int kPoint>
constexpr GemmKernel kBf16 = kKernel<Bf16, kPoint>;
template <int kPoint>
constexpr GemmKernel kTf32 = kKernel<Tf32, kPoint>;
template <int kPoint>
constexpr GemmKernel kS8 = kKernel<S8, kPoint>;
template <int kPoint>
constexpr GemmKernel kF16Sums16 = kKernel<F16Sums16, kPoint>;

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(combined_f16, kSpace, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(combined_bf16, kSpace, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(combined_tf32, kSpace, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(combined_s8, kSpace, kS8);
PERFCHECK_TUNED_GEMM_KERNEL(combined_f16_f16, kSpace, kF16Sums16);
