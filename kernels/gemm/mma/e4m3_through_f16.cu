// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP8 (E4M3) data and FP32 sums; C and D are BF16 or FP32.
// Layouts           A row-major; B column-major; C and D row-major.
// Idea              FP8 where mma.sync has none: elements are converted to FP16 in registers, once for each fragment,
//                   and multiplied by mma.sync of 16 x 8 x 16. Exact, because every E4M3 value is an FP16 value. PTX
//                   has mma.sync.m16n8k32 with E4M3 from compute capability 8.9 on, and ptxas 13.0 makes it one
//                   instruction for sm_89 (QMMA.16832). For sm_90a it makes 12 conversions (F2FP.F16.E4M3.UNPACK_B) and
//                   two HMMA.16816 of it, each time: Hopper multiplies FP8 by wgmma only. A warp that converts before
//                   it multiplies needs 64 conversions per 64 HMMA instead of 384.
// Previous step     The FP16 step with four stages of cp.async: elements of one byte, and the conversion.
// Tile and threads  Block 128 x 128 of D, 128 threads as 2 x 2 warps of 64 x 64, k in steps of 64.
// Shared memory     4 stages, 64 KiB; at most 255 registers, two blocks per multiprocessor.
// Intensity         Global: 128 FLOP per byte. Shared: for 16 k, a warp reads 2 KiB for 128 KiFLOP, 64 FLOP per byte.
// Expected          At most what FP16 reaches, about 450 TFLOP/s, a third of what cuBLAS does with FP8. Half as many
//                   bytes to move as for FP16; of 383 instructions in the loop, 128 are mma.sync and 128 conversions.
// Requires          Compute capability 8.0; conversions are instructions from 8.9 on, integer arithmetic and a
//                   multiplication before. B column-major. lda and ldb multiples of 16.
// Limits            Row-major B would have to be transposed byte by byte.
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>
#include <perfcheck/tile_copy.cuh>

#include <cstdint>
#include <optional>

#include "warp_sums.cuh"

namespace {

using namespace perfcheck;

constexpr int kTile = 128;  // rows and columns of D per block
constexpr int kTileK = 64;
constexpr int kWarpTile = 64;
constexpr int kMmaM = 16, kMmaN = 8, kMmaK = 16;
constexpr int kStages = 4;
constexpr int kThreads = 128;
constexpr int kBlocks = 2;  // per multiprocessor

constexpr int kWarpsN = kTile / kWarpTile;
constexpr int kMmasM = kWarpTile / kMmaM, kMmasN = kWarpTile / kMmaN;
constexpr int kSteps = kTileK / kMmaK;  // of k in a tile
constexpr int kChunk = 16;              // elements in 16 bytes: one step of k
constexpr int kRowsRead = 32;           // of A or B, by one ldmatrix
constexpr int kReads = kWarpTile / kRowsRead;
constexpr int kTileBytes = kTile * kTileK;  // of A or B
constexpr int kStageBytes = 2 * kTileBytes;
constexpr int kSharedBytes = kStages * kStageBytes;
static_assert(mma::strip_bytes<kWarpTile>(kThreads / 32) <= kSharedBytes);
static_assert(kMmaK == kChunk && kSteps % 2 == 0, "the two sets of operands alternate across tiles");

/// One thread's share of copying a block's rows of A and columns of B, tile after tile along k.
struct StageCopy {
  TileCopy<uint8_t, kTile, kTileK, kThreads, true> a, b;
  int rows, columns, k_left;  // what exists of A and B from the next tile's first element on; zeros beyond it

  __device__ __forceinline__ StageCopy(GemmArgs const& args, int row, int column)
      : a(static_cast<uint8_t const*>(args.a) + row * args.lda, args.lda, kTileK),
        b(static_cast<uint8_t const*>(args.b) + column * args.ldb, args.ldb, kTileK),
        rows(args.m - row),
        columns(args.n - column),
        k_left(args.k) {}

  __device__ __forceinline__ void copy_next(unsigned char* stage) {
    a.copy_next_straight(stage, rows, k_left);
    b.copy_next_straight(stage + kTileBytes, columns, k_left);
    k_left -= kTileK;
  }
};

/// A warp's operands of one step of k, as they lie in memory. ldmatrix reads 32 rows of 16 bytes: register r holds, of
/// row 8 r + lane / 4, the four elements from k = 4 (lane % 4) on.
struct Operands {
  uint32_t a[kReads][4], b[kReads][4];

  __device__ __forceinline__ void read(unsigned char const* stage, int step) {
    int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int i = 0; i < kReads; ++i) {
      int const row = warp / kWarpsN * kWarpTile + i * kRowsRead + lane;
      int const column = warp % kWarpsN * kWarpTile + i * kRowsRead + lane;
      ptx::ldmatrix_x4(a[i], ptx::shared_address(stage + swizzled_offset<kTileK>(row, step)));
      ptx::ldmatrix_x4(b[i], ptx::shared_address(stage + kTileBytes + swizzled_offset<kTileK>(column, step)));
    }
  }
};

/// Four neighbouring E4M3 numbers as FP16, two in each result.
__device__ __forceinline__ void to_f16(uint32_t four, uint32_t& low, uint32_t& high) {
#if __CUDA_ARCH__ >= 890
  ptx::cvt_f16x2_e4m3x2(low, high, four);
#else
  auto const convert = [](uint32_t bytes) {  // the upper bytes of the two halves of a word
    // E4M3 has 4 bits of exponent with a bias of 7, FP16 5 with 15: as FP16 bits, the number is 2^-8 of what it should
    // be, subnormal or not.
    uint32_t const bits = (bytes & 0x8000'8000U) | (bytes & 0x7F00'7F00U) >> 1;
    __half2 const scaled = __hmul2(reinterpret_cast<__half2 const&>(bits), __float2half2_rn(256.0F));
    // All ones are NaN: only they carry into bit 14, from where all bits below are set.
    uint32_t const nan = ((bits & 0x3F80'3F80U) + 0x0080'0080U) & 0x4000'4000U;
    return reinterpret_cast<uint32_t const&>(scaled) | nan | (nan - (nan >> 14));
  };
  low = convert(__byte_perm(four, 0, 0x1404));
  high = convert(__byte_perm(four, 0, 0x3424));
#endif
}

/// Multiplies one step of k. PTX, "Matrix Fragments for mma.m16n8k16 with floating point type": a lane holds k =
/// 2 (lane % 4) and the next one, and those 8 higher. Here these are the lane's four neighbouring k, for A and for B
/// alike; the sum over all k is the same.
__device__ __forceinline__ void multiply(float (&sums)[kMmasM][kMmasN][4], Operands const& operands) {
  uint32_t b[kMmasN][2];
#pragma unroll
  for (int j = 0; j < kMmasN; ++j) to_f16(operands.b[j / 4][j % 4], b[j][0], b[j][1]);
#pragma unroll
  for (int i = 0; i < kMmasM; ++i) {
    uint32_t a[4];  // rows 0 to 7 and 8 to 15 of the lower k, then of the higher k
    to_f16(operands.a[i / 2][i % 2 * 2], a[0], a[2]);
    to_f16(operands.a[i / 2][i % 2 * 2 + 1], a[1], a[3]);
#pragma unroll
    for (int j = 0; j < kMmasN; ++j) ptx::mma_m16n8k16<__half>(sums[i][j], a, b[j][0], b[j][1]);
  }
}

/// Runs the ring of stages over all of k. One group of copies is committed per tile, past the end one of zeros, so that
/// "all but the youngest kStages - 2 groups" always means: the next tile has arrived.
__device__ __forceinline__ void accumulate(float (&sums)[kMmasM][kMmasN][4], unsigned char* stages, StageCopy copy,
                                           int k_tiles) {
#pragma unroll 1
  for (int stage = 0; stage < kStages - 1; ++stage) {
    copy.copy_next(stages + stage * kStageBytes);
    ptx::cp_async_commit();
  }
  ptx::cp_async_wait<kStages - 2>();
  __syncthreads();

  Operands operands[2];
  operands[0].read(stages, 0);
  int read_stage = 0, write_stage = kStages - 1;
#pragma unroll 1
  for (int tile = 0; tile < k_tiles; ++tile) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      if (step == kSteps - 1) {
        ptx::cp_async_wait<kStages - 2>();
        __syncthreads();
        write_stage = read_stage;
        read_stage = read_stage + 1 == kStages ? 0 : read_stage + 1;
      }
      operands[(step + 1) % 2].read(stages + read_stage * kStageBytes, (step + 1) % kSteps);
      if (step == 0) {  // every warp read `write_stage` for the last time before the latest barrier
        copy.copy_next(stages + write_stage * kStageBytes);
        ptx::cp_async_commit();
      }
      multiply(sums, operands[step % 2]);
    }
  }
  ptx::cp_async_wait<0>();  // copies of zeros end
  __syncthreads();          // in all threads, and no warp reads a stage any more
}

template <class T>
__global__ void __launch_bounds__(kThreads, kBlocks) e4m3_through_f16(GemmArgs const args) {
  extern __shared__ __align__(128) unsigned char stages[];  // [kStages][A tile, B tile]
  TileIndex const tile = grouped_tile(blockIdx.x, tiles_to_cover(args.m, kTile), tiles_to_cover(args.n, kTile));
  int const row = tile.row * kTile, column = tile.column * kTile;
  float sums[kMmasM][kMmasN][4] = {};
  accumulate(sums, stages, {args, row, column}, tiles_to_cover(args.k, kTileK));
  int const warp = threadIdx.x / 32;
  mma::store_sums<T>(args, row + warp / kWarpsN * kWarpTile, column + warp % kWarpsN * kWarpTile,
                     reinterpret_cast<float*>(stages), sums);
}

template <class T>
void launch(GemmArgs const& args) {
  auto const kernel = e4m3_through_f16<T>;
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  int const blocks = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  kernel<<<blocks, kThreads, kSharedBytes, args.stream>>>(args);
}

Refusal accepts(GemmProblem const& problem) {
  if (problem.b_layout == BLayout::row_major) {
    return "reads four neighbouring k of a column of B at once, so B must be column-major; gemm/simt/naive_e4m3 takes "
           "row-major B";
  }
  if (problem.lda % kChunk == 0 && problem.ldb % kChunk == 0) return std::nullopt;
  return "copies 16 bytes at a time, so lda and ldb must be multiples of 16; gemm/simt/naive_e4m3 takes any";
}

}  // namespace

PERFCHECK_GEMM_KERNEL(through_f16_e4m3,
                      .summary = "FP8 converted to FP16 in registers, mma.sync m16n8k16, BF16 results",
                      .types = GemmTypes::e4m3_f32_bf16, .arch = arch_at_least(8, 0), .accepts = accepts,
                      .launch = launch<__nv_bfloat16>);
PERFCHECK_GEMM_KERNEL(through_f16_f32_e4m3,
                      .summary = "FP8 converted to FP16 in registers, mma.sync m16n8k16, FP32 results",
                      .types = GemmTypes::e4m3_f32_f32, .arch = arch_at_least(8, 0), .accepts = accepts,
                      .launch = launch<float>);
