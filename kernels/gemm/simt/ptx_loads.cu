// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, 8 x 8 elements of D per thread.
// Layouts           A row-major; B row-major only; C and D row-major. Any leading dimensions.
// Idea              PTX states what the compiler otherwise infers: that A and B are read-only, that shared memory has
//                   32-bit addresses, and which accesses take 16 bytes. Only one thing is new to the hardware, the hint
//                   to prefetch into L2 what follows: the next three tiles of a row of A, the rest of 256 bytes of B.
// Previous step     register_ping_pong: load_global(), load_shared() and store_shared() in place of assignments.
// Tile and threads  Block 128 x 128 of D, 256 threads, 8 x 8 neighbouring elements per thread, k in steps of 8.
// Shared memory     16 KiB; at most 128 registers, so that two blocks share a multiprocessor.
// Intensity         As in swizzled: 32 FLOP per byte of global and 2.7 per byte of shared memory.
// Expected          As for register_ping_pong, at most 56 TFLOP/s. Where tiles arrive in time, hints gain nothing.
// Requires          Compute capability 8.0 for L2::256B. B row-major. Any size, any alignment. Reads from global
//                   memory are 16 bytes wide where rows consist of whole, aligned quads, else 4 and without a hint.
// Limits            Instruction issue, as before: PTX is not machine code, and ptxas schedules it as it schedules all
//                   code.
#include <perfcheck/gemm.h>
#include <perfcheck/f32_epilogue.cuh>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/simt_tile.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 128;  // rows and columns of D per block
constexpr int kTileK = 8;
constexpr int kPerThread = 8;  // rows and columns of D per thread
constexpr int kThreads = kTile / kPerThread * (kTile / kPerThread);
constexpr int kQuadsK = kTileK / 4;    // in a row of A's tile
constexpr int kQuadsTile = kTile / 4;  // in a row of B's tile
static_assert(kTile % 64 == 0 && kTileK == 8, "places change within 64 neighbours, and between two halves of k");
static_assert(kTile * kTileK == 4 * kThreads, "a thread copies one quad of each operand per tile");
static_assert(kTileK % 2 == 0, "each tile begins with the same fragment");

using Tile = float[kTileK][kTile];  // (k, row) of A or (k, column) of B

/// How many bytes around a read from global memory are fetched into the L2 cache with it.
enum class Prefetch { line_128, lines_256 };

// PTX, "Data Movement and Conversion Instructions: ld.global.nc": the matrix is not written while the kernel runs, and
// may be read through the read-only data cache.
template <Prefetch kPrefetch>
__device__ __forceinline__ float4 load_global(float const* global) {
  float4 quad;
  if constexpr (kPrefetch == Prefetch::line_128) {
    asm volatile("ld.global.nc.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];\n"
                 : "=f"(quad.x), "=f"(quad.y), "=f"(quad.z), "=f"(quad.w)
                 : "l"(global));
  } else {
    asm volatile("ld.global.nc.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];\n"
                 : "=f"(quad.x), "=f"(quad.y), "=f"(quad.z), "=f"(quad.w)
                 : "l"(global));
  }
  return quad;
}

// PTX, "ld" and "st". The "memory" clobber keeps both on their side of barriers, and reads after writes.
__device__ __forceinline__ void load_shared(float* quad, uint32_t shared) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];\n"
               : "=f"(quad[0]), "=f"(quad[1]), "=f"(quad[2]), "=f"(quad[3])
               : "r"(shared)
               : "memory");
}

__device__ __forceinline__ void store_shared(uint32_t shared, float value) {
  asm volatile("st.shared.f32 [%0], %1;\n" ::"r"(shared), "f"(value) : "memory");
}

__device__ __forceinline__ void store_shared(uint32_t shared, float4 quad) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};\n" ::"r"(shared), "f"(quad.x), "f"(quad.y), "f"(quad.z),
               "f"(quad.w)
               : "memory");
}

/// Reads the first quad of a view of A or B.
template <bool kWhole, Prefetch kPrefetch, class View>
__device__ __forceinline__ float4 read_global(View const& view) {
  if constexpr (kWhole) {
    return view.left(0) > 0 ? load_global<kPrefetch>(view.at) : float4{};
  } else {
    return view.template quad<false>();
  }
}

/// Index of A's row `row` in row k of its tile: from k = 4 on, the halves of every 32 banks are swapped.
__device__ __forceinline__ int place_of_row(int k, int row) { return row ^ k / 4 * 16; }

/// Index of B's column `column` in a row of its tile: in every other 32 banks, neighbouring quads are swapped.
__device__ __forceinline__ int place_of_column(int column) { return column ^ column / 32 % 2 * 4; }

/// Stores a row of A at four k.
__device__ __forceinline__ void store_transposed(Tile& tile, int row, int k, float4 quad) {
  int const place = place_of_row(k, row);  // the same for all four
  store_shared(ptx::shared_address(&tile[k + 0][place]), quad.x);
  store_shared(ptx::shared_address(&tile[k + 1][place]), quad.y);
  store_shared(ptx::shared_address(&tile[k + 2][place]), quad.z);
  store_shared(ptx::shared_address(&tile[k + 3][place]), quad.w);
}

/// Stores four columns of a row of B.
__device__ __forceinline__ void store_straight(Tile& tile, int k, int column, float4 quad) {
  store_shared(ptx::shared_address(&tile[k][place_of_column(column)]), quad);
}

/// Reads four neighbouring elements of a row of a tile.
__device__ __forceinline__ void read_quad(float* quad, float const* shared) {
  load_shared(quad, ptx::shared_address(shared));
}

/// The operands of one k: the thread's rows of A and columns of B.
struct Fragment {
  alignas(16) float a[kPerThread];
  alignas(16) float b[kPerThread];

  __device__ __forceinline__ void read(Tile const& a_tile, Tile const& b_tile, int k, int row, int column) {
#pragma unroll
    for (int i = 0; i < kPerThread; i += 4) {
      read_quad(&a[i], &a_tile[k][place_of_row(k, row + i)]);
      read_quad(&b[i], &b_tile[k][place_of_column(column + i)]);
    }
  }
};

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) ptx_loads(GemmArgs args) {
  __shared__ __align__(16) Tile a_tiles[2];
  __shared__ __align__(16) Tile b_tiles[2];

  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const tile_row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const tile_column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  // The thread's first row and column of D.
  int const row = threadIdx.x / (kTile / kPerThread) * kPerThread;
  int const column = threadIdx.x % (kTile / kPerThread) * kPerThread;
  // The quad of each tile that the thread copies.
  int const a_row = threadIdx.x / kQuadsK, a_k = threadIdx.x % kQuadsK * 4;
  int const b_k = threadIdx.x / kQuadsTile, b_column = threadIdx.x % kQuadsTile * 4;

  ViewOfA a_view(args, tile_row, a_row, a_k);
  ViewOfB b_view(args, tile_column, b_k, b_column);
  float sum[kPerThread][kPerThread] = {};
  store_transposed(a_tiles[0], a_row, a_k, read_global<kWhole, Prefetch::line_128>(a_view));
  store_straight(b_tiles[0], b_k, b_column, read_global<kWhole, Prefetch::lines_256>(b_view));
  __syncthreads();
  Fragment fragments[2];
  fragments[0].read(a_tiles[0], b_tiles[0], 0, row, column);
  int current = 0;
  for (int k_left = args.k; k_left > 0; k_left -= kTileK) {
    a_view.next_tile(kTileK);
    b_view.next_tile(kTileK);
    float4 const a_quad =
        read_global<kWhole, Prefetch::line_128>(a_view);  // of the next tile: zeros after the last one
    float4 const b_quad = read_global<kWhole, Prefetch::lines_256>(b_view);
#pragma unroll
    for (int k = 0; k < kTileK; ++k) {
      if (k == kTileK - 1) {  // the current tile has been read
        current ^= 1;         // switch to the buffers that all threads had read before the last barrier
        store_transposed(a_tiles[current], a_row, a_k, a_quad);
        store_straight(b_tiles[current], b_k, b_column, b_quad);
        __syncthreads();
      }
      fragments[(k + 1) % 2].read(a_tiles[current], b_tiles[current], (k + 1) % kTileK, row, column);
      multiply_add(sum, fragments[k % 2].a, fragments[k % 2].b);
    }
  }

#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    if (row + i >= args.m - tile_row) continue;
#pragma unroll
    for (int j = 0; j < kPerThread; j += 4) {
      store_quad(args, tile_row + row + i, tile_column + column + j, &sum[i][j]);
    }
  }
}

void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  auto const kernel = has_whole_quads(args) ? ptx_loads<true> : ptx_loads<false>;
  kernel<<<blocks, kThreads, 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(ptx_loads, .summary = "loads and stores in PTX, with hints to prefetch into L2",
                      .types = GemmTypes::f32, .arch = arch_at_least(8, 0), .accepts = refuse_column_major_b,
                      .launch = launch);
