// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, 8 x 8 elements of D per thread.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              Each thread keeps an 8 x 8 tile of sums in registers: per step of k it reads 16 numbers from shared
//                   memory for 64 multiply-adds, 4 per number where shared_tile has one.
// Previous step     shared_tile: a tile of D per block grows to 128 x 128, and copies move 16 bytes at a time. To make
//                   this possible for A, its tile is stored transposed. The next tile is read into registers while
//                   the present one is multiplied.
// Tile and threads  Block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, 8 x 8 per thread, k in steps of 8.
// Shared memory     8.3 KiB; at most 128 registers, so that two blocks share a multiprocessor.
// Requires          Nothing: any CUDA device, any size, any alignment. Reads are 16 bytes wide if the lines of A and B
//                   are a multiple of 16 bytes long and apart, else 4 bytes wide; zeros stand for what lies outside.
// Limits            A tile passes through registers on its way to shared memory, and only one tile is under way.
#include <perfcheck/gemm.h>
#include <perfcheck/f32_epilogue.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 128;  // rows and columns of D per block
constexpr int kTileK = 8;
constexpr int kThreads = 256;
constexpr int kPerThread = 8;  // rows and columns of D per thread
// Four floats of padding: the lanes of a warp that store a transposed tile meet 32 different banks, and rows stay
// aligned to 16 bytes.
constexpr int kPitch = kTile + 4;
static_assert(kTile * kTileK == 4 * kThreads, "a thread copies one quad of each operand per tile");

/// Four neighbouring elements of which the first `inside` lie inside the matrix; zeros for the others. With kVector a
/// quad lies inside as a whole or not at all.
template <bool kVector>
__device__ __forceinline__ float4 read_quad(float const* source, int inside) {
  if constexpr (kVector) {
    return inside > 0 ? *reinterpret_cast<float4 const*>(source) : make_float4(0.0F, 0.0F, 0.0F, 0.0F);
  } else {
    return make_float4(inside > 0 ? source[0] : 0.0F, inside > 1 ? source[1] : 0.0F, inside > 2 ? source[2] : 0.0F,
                       inside > 3 ? source[3] : 0.0F);
  }
}

/// One thread's share in copying tiles whose memory is contiguous along k: A, and column-major B. `line` is a row of A
/// or a column of B. Two lanes share a line, which makes the transposing stores free of bank conflicts.
template <bool kVector>
struct CopyAlongK {
  float const* source;  // the thread's quad in the next tile
  int k_left;           // elements from `source` to the end of the line; none when the line lies outside
  int line;
  int k;
  float4 quad;

  __device__ CopyAlongK(float const* matrix, int64_t leading, int first_line, int lines, int k_total)
      : line(threadIdx.x / 2), k(4 * (threadIdx.x % 2)) {
    int64_t const global_line = int64_t{first_line} + line;
    source = matrix + global_line * leading + k;
    k_left = global_line < lines ? k_total - k : 0;
  }
  __device__ void read_next() {
    quad = read_quad<kVector>(source, k_left);
    source += kTileK;
    k_left -= kTileK;
  }
  __device__ void store(float (&tile)[kTileK][kPitch]) const {
    tile[k + 0][line] = quad.x;
    tile[k + 1][line] = quad.y;
    tile[k + 2][line] = quad.z;
    tile[k + 3][line] = quad.w;
  }
};

/// One thread's share in copying tiles of row-major B: a warp copies one row of 128 columns.
template <bool kVector>
struct CopyAlongN {
  float const* source;
  int64_t step;  // from one tile to the next
  int columns_left;
  int k_left;
  int k;
  int column;
  float4 quad;

  __device__ CopyAlongN(float const* matrix, int64_t leading, int first_column, int columns, int k_total)
      : step(kTileK * leading), k(threadIdx.x / 32), column(4 * (threadIdx.x % 32)) {
    source = matrix + k * leading + first_column + column;
    columns_left = columns - first_column - column;
    k_left = columns_left > 0 ? k_total - k : 0;
  }
  __device__ void read_next() {
    quad = read_quad<kVector>(source, k_left > 0 ? (kVector ? 4 : columns_left) : 0);
    source += step;
    k_left -= kTileK;
  }
  __device__ void store(float (&tile)[kTileK][kPitch]) const { *reinterpret_cast<float4*>(&tile[k][column]) = quad; }
};

/// The rows (or columns) of the block's tile that a thread owns: two quads, `apart` apart.
struct OwnLines {
  int first;
  int apart;
  __device__ int at(int i) const { return first + i / 4 * apart + i % 4; }
};

/// Adds the product of two tiles to the thread's sums.
__device__ __forceinline__ void multiply_tile(float (&sum)[kPerThread][kPerThread],
                                              float const (&a_tile)[kTileK][kPitch],
                                              float const (&b_tile)[kTileK][kPitch], OwnLines rows, OwnLines columns) {
#pragma unroll
  for (int k = 0; k < kTileK; ++k) {
    alignas(16) float a[kPerThread];
    alignas(16) float b[kPerThread];
#pragma unroll
    for (int i = 0; i < kPerThread; i += 4) {
      *reinterpret_cast<float4*>(&a[i]) = *reinterpret_cast<float4 const*>(&a_tile[k][rows.at(i)]);
      *reinterpret_cast<float4*>(&b[i]) = *reinterpret_cast<float4 const*>(&b_tile[k][columns.at(i)]);
    }
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) {
#pragma unroll
      for (int j = 0; j < kPerThread; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
    }
  }
}

template <typename CopyA, typename CopyB>
__global__ void __launch_bounds__(kThreads, 2) register_tile(GemmArgs args) {
  __shared__ __align__(16) float a_tile[kTileK][kPitch];  // (k, row)
  __shared__ __align__(16) float b_tile[kTileK][kPitch];  // (k, column)

  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const tile_row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const tile_column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  // Lanes lie 4 x 8 in a warp's tile, in an order that puts 2 x 4 of them into each quarter of the warp: a 16-byte read
  // by a warp then takes 64 contiguous bytes of A's tile and 128 of B's, and no two lanes meet in a bank.
  int const lane = threadIdx.x % 32;
  int const warp = threadIdx.x / 32;
  OwnLines const rows{.first = warp / 2 * 32 + lane / 2 % 4 * 4, .apart = 16};
  OwnLines const columns{.first = warp % 2 * 64 + (lane / 8 * 2 + lane % 2) * 4, .apart = 32};

  CopyA copy_a(static_cast<float const*>(args.a), args.lda, tile_row, args.m, args.k);
  CopyB copy_b(static_cast<float const*>(args.b), args.ldb, tile_column, args.n, args.k);
  float sum[kPerThread][kPerThread] = {};
  copy_a.read_next();
  copy_b.read_next();
  for (int k_left = args.k; k_left > 0; k_left -= kTileK) {
    copy_a.store(a_tile);
    copy_b.store(b_tile);
    // Ahead of the barrier, which the compiler does not move reads across: they have the whole tile's time to arrive.
    copy_a.read_next();
    copy_b.read_next();
    __syncthreads();
    multiply_tile(sum, a_tile, b_tile, rows, columns);
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    if (rows.at(i) >= args.m - tile_row) continue;
    store_quad(args, tile_row + rows.at(i), tile_column + columns.at(0), &sum[i][0]);
    store_quad(args, tile_row + rows.at(i), tile_column + columns.at(4), &sum[i][4]);
  }
}

template <bool kVector>
void launch_with(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  auto const kernel = args.b_layout == BLayout::row_major ? register_tile<CopyAlongK<kVector>, CopyAlongN<kVector>>
                                                          : register_tile<CopyAlongK<kVector>, CopyAlongK<kVector>>;
  kernel<<<blocks, kThreads, 0, args.stream>>>(args);
}

void launch(GemmArgs const& args) {
  int const b_line = args.b_layout == BLayout::row_major ? args.n : args.k;
  bool const whole_quads = args.k % 4 == 0 && args.lda % 4 == 0 && b_line % 4 == 0 && args.ldb % 4 == 0;
  if (whole_quads) {
    launch_with<true>(args);
  } else {
    launch_with<false>(args);
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(register_tile, .summary = "128 x 128 tile per block, 8 x 8 sums per thread in registers",
                      .types = GemmTypes::f32, .arch = any_arch(), .launch = launch);
