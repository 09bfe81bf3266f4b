// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16, with FP32 sums.
// Layouts           A row-major; B column-major; C and D row-major.
// Idea              Sums are in tensor memory, where no thread holds them: one thread starts all products of a tile.
//                   There is room for two tiles' sums, so that four warps store one while the next is multiplied.
// Previous step     gemm/wgmma/tma_store: tcgen05 instead of wgmma. What is new is between the ring and the strips.
// Tile and threads  Block 128 x 256 of D, k in steps of 64. Four warps store, one copies, one multiplies; of the last
//                   two, one thread works. Blocks stay and compute several tiles.
// Shared memory     4 stages of 48 KiB, and 32 KiB for strips, two of each storing warp.
// Intensity         85 FLOP per byte of shared memory that is filled.
// Expected          Compiled, never run: no such device. A step along k takes 512 cycles at NVIDIA's peak of a B200
//                   (2.25 PFLOP/s of dense FP16), and brings 48 KiB: 96 bytes per cycle, more than L2 brings a
//                   multiprocessor for long on Hopper. So half to two thirds of the peak.
// Requires          Compute capability 10.0 (sm_100a); lda and ldb multiples of 8. If ldd is none, threads store
//                   element by element.
// Limits            No two blocks share a tile of A or B: pairs of them (cta_group::2) would halve what each brings of
//                   B.
#include <perfcheck/cluster_launch.h>
#include <perfcheck/device_attribute.h>
#include <perfcheck/tensor_map.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/ptx_sm90.cuh>
#include <perfcheck/ptx_tcgen05.cuh>
#include <perfcheck/ring_position.cuh>
#include <perfcheck/tensor_types.cuh>
#include <perfcheck/tile.cuh>

#include <algorithm>

namespace {

using namespace perfcheck;

constexpr int kWarp = 32;
constexpr int kTileM = 128, kTileN = 256;
constexpr int kLineBytes = 128;  // of k, which the copy engine swizzles
constexpr int kK = kLineBytes / int{sizeof(__half)};
constexpr int kSteps = kLineBytes / ptx::kTensorStepBytes;
constexpr int kBytesA = kTileM * kLineBytes, kBytesB = kTileN * kLineBytes;
constexpr int kStages = 4;
constexpr int kSums = 2;  // tiles that have sums in tensor memory, of which each takes kTileN columns
constexpr int kColumns = kSums * kTileN;
constexpr int kStoreWarps = 4, kCopyWarp = 4, kMultiplyWarp = 5, kThreads = 6 * kWarp;
constexpr int kStrips = 2;                                  // per warp
constexpr int kStripColumns = 64, kReadColumns = 32;        // of a strip, and of one read of tensor memory
constexpr int kStripBytes = kWarp * kStripColumns * 2;      // 32 rows
static_assert(kTileM == kStoreWarps * kWarp);               // each warp reaches 32 lanes of tensor memory
static_assert(kStripColumns * int{sizeof(__half)} == 128);  // the swizzle's width
static_assert(kTileN / kStripColumns % kStrips == 0, "a strip is free when it comes round again");

/// What a block keeps in shared memory. Stages and strips are aligned to 1024 bytes, as swizzled boxes must be.
struct SharedMemory {
  unsigned char a[kStages][kBytesA];
  unsigned char b[kStages][kBytesB];
  unsigned char strips[kStoreWarps][kStrips][kStripBytes];
  uint64_t full[kStages];      // all bytes of the stage have arrived
  uint64_t empty[kStages];     // the stage has been multiplied
  uint64_t multiplied[kSums];  // the tile's sums are complete
  uint64_t stored[kSums];      // all warps have read them
  uint32_t tensor_memory;      // its address
};
static_assert(sizeof(SharedMemory) <= 227 * 1024, "a block has at most 227 KiB");

struct TensorMaps {
  CUtensorMap a, b;
  CUtensorMap d;  ///< in boxes of a strip, if `stores_d`
  bool stores_d =
      false;  ///< whether the copy engine can write to D, whose rows it wants to begin at multiples of 16 bytes
};

/// The tiles of a block: those whose number is its own plus a multiple of the number of blocks.
class Tiles {
 public:
  __device__ explicit Tiles(GemmArgs const& args)
      : rows_(tiles_to_cover(args.m, kTileM)),
        columns_(tiles_to_cover(args.n, kTileN)),
        next_(static_cast<int>(blockIdx.x)) {}

  /// The next tile; false if there is none.
  __device__ bool next(TileIndex& tile) {
    if (next_ >= rows_ * columns_) return false;
    tile = grouped_tile(next_, rows_, columns_);
    next_ += static_cast<int>(gridDim.x);
    return true;
  }

 private:
  int rows_, columns_, next_;
};

/// Waiting for the phase before the first returns at once: there is nothing in the ring yet.
template <int kPlaces>
constexpr RingPosition<kPlaces> kWriter{.stage = 0, .parity = 1};

/// One thread fills the ring.
__device__ void copy_tiles(GemmArgs const& args, TensorMaps const& maps, SharedMemory& shared) {
  auto at = kWriter<kStages>;
  Tiles tiles(args);
  TileIndex tile;
  while (tiles.next(tile)) {
#pragma unroll 1
    for (int k = 0; k < args.k; k += kK) {
      ptx::mbarrier_wait(ptx::shared_address(&shared.empty[at.stage]), at.parity);
      uint32_t const full = ptx::shared_address(&shared.full[at.stage]);
      ptx::mbarrier_arrive_expect_tx(full, kBytesA + kBytesB);
      ptx::tma_load(ptx::shared_address(shared.a[at.stage]), maps.a, {k, tile.row * kTileM}, full);
      ptx::tma_load(ptx::shared_address(shared.b[at.stage]), maps.b, {k, tile.column * kTileN}, full);
      at.advance();
    }
  }
  // The block must not end while the tensor cores may still arrive at its barriers.
#pragma unroll 1
  for (int stage = 0; stage < kStages; ++stage) {
    ptx::mbarrier_wait(ptx::shared_address(&shared.empty[at.stage]), at.parity);
    at.advance();
  }
}

/// One thread starts all products of a stage.
__device__ void multiply_stage(SharedMemory& shared, int stage, uint32_t sums, bool add) {
  constexpr uint32_t kInstruction = ptx::f16_instruction(kTileM, kTileN);
  uint64_t const a = ptx::tensor_tile_descriptor(ptx::shared_address(shared.a[stage]), 8 * kLineBytes);
  uint64_t const b = ptx::tensor_tile_descriptor(ptx::shared_address(shared.b[stage]), 8 * kLineBytes);
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    int const along = step * ptx::kTensorStepBytes / 16;  // within the lines, whose swizzle follows from the address
    ptx::tensor_multiply_f16(sums, a + along, b + along, kInstruction, add || step > 0);
  }
}

/// One thread empties the ring.
__device__ void multiply_tiles(GemmArgs const& args, SharedMemory& shared) {
  RingPosition<kStages> at;
  auto sums = kWriter<kSums>;
  Tiles tiles(args);
  TileIndex tile;
  while (tiles.next(tile)) {
    ptx::mbarrier_wait(ptx::shared_address(&shared.stored[sums.stage]), sums.parity);
    ptx::tensor_fence_after_told();
#pragma unroll 1
    for (int k = 0; k < args.k; k += kK) {
      ptx::mbarrier_wait(ptx::shared_address(&shared.full[at.stage]), at.parity);
      ptx::tensor_fence_after_told();
      multiply_stage(shared, at.stage, shared.tensor_memory + sums.stage * kTileN, k > 0);
      ptx::tensor_commit(ptx::shared_address(&shared.empty[at.stage]));
      at.advance();
    }
    ptx::tensor_commit(ptx::shared_address(&shared.multiplied[sums.stage]));
    sums.advance();
  }
}

/// What a thread stores: its lane of tensor memory, which is a row of the tile.
class RowStore {
 public:
  __device__ RowStore(GemmArgs const& args, TensorMaps const& maps, SharedMemory& shared, TileIndex tile)
      : args_(args),
        maps_(maps),
        strips_(shared.strips[threadIdx.x / kWarp]),
        row_(tile.row * kTileM + static_cast<int>(threadIdx.x)),
        column_(tile.column * kTileN) {}

  /// Stores kReadColumns sums from this column of the tile on; strips are stored when they are complete.
  __device__ void store(float const (&sums)[kReadColumns], int column) const {
    __half results[kReadColumns];
#pragma unroll
    for (int i = 0; i < kReadColumns; ++i) results[i] = result(sums[i], column_ + column + i);
    if (maps_.stores_d) {
      write_to_strip(results, column);
    } else if (row_ < args_.m) {
      auto* const d = static_cast<__half*>(args_.d) + row_ * args_.ldd + column_ + column;
#pragma unroll
      for (int i = 0; i < kReadColumns; ++i) {
        if (column_ + column + i < args_.n) d[i] = results[i];
      }
    }
  }

 private:
  __device__ __half result(float sum, int column) const {
    __half c = from_float<__half>(0);
    bool const has_c = args_.beta != 0.0F && row_ < args_.m && column < args_.n;
    if (has_c) c = static_cast<__half const*>(args_.c)[row_ * args_.ldd + column];
    return result_of(args_, sum, has_c, c);
  }

  /// A thread writes half a line of its warp's strip, and when it is the second half, one of them has the strip copied.
  __device__ void write_to_strip(__half const (&results)[kReadColumns], int column) const {
    int const lane = static_cast<int>(threadIdx.x) % kWarp, part = column / kReadColumns % 2;
    unsigned char* const strip = strips_[column / kStripColumns % kStrips];
    if (part == 0) {
      if (lane == 0) ptx::tma_store_wait_read<kStrips - 1>();
      __syncwarp();
    }
    constexpr int kChunks = kReadColumns * int{sizeof(__half)} / 16;
#pragma unroll
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      *reinterpret_cast<uint4*>(strip + swizzled_offset<kLineBytes>(lane, part * kChunks + chunk)) =
          reinterpret_cast<uint4 const*>(results)[chunk];
    }
    if (part == 0) return;
    ptx::fence_for_copy_engine();
    __syncwarp();
    if (lane == 0) {
      ptx::tma_store(maps_.d, {column_ + column / kStripColumns * kStripColumns, row_}, ptx::shared_address(strip));
      ptx::tma_store_commit();
    }
  }

  GemmArgs const& args_;
  TensorMaps const& maps_;
  unsigned char (*strips_)[kStripBytes];
  int row_, column_;
};

/// Four warps store.
__device__ void store_tiles(GemmArgs const& args, TensorMaps const& maps, SharedMemory& shared) {
  RingPosition<kSums> at;
  Tiles tiles(args);
  TileIndex tile;
  uint32_t const first_lane = threadIdx.x / kWarp * kWarp;
  while (tiles.next(tile)) {
    ptx::mbarrier_wait(ptx::shared_address(&shared.multiplied[at.stage]), at.parity);
    ptx::tensor_fence_after_told();
    RowStore const rows(args, maps, shared, tile);
#pragma unroll 1
    for (int column = 0; column < kTileN; column += kReadColumns) {
      alignas(16) float sums[kReadColumns];
      ptx::tensor_read(sums, shared.tensor_memory + (first_lane << 16) + at.stage * kTileN + column);
      rows.store(sums, column);
    }
    ptx::tensor_fence_before_telling();
    __syncwarp();
    if (threadIdx.x % kWarp == 0) ptx::mbarrier_arrive(ptx::shared_address(&shared.stored[at.stage]));
    at.advance();
  }
  if (threadIdx.x % kWarp == 0) ptx::tma_store_wait_read<0>();
}

/// Sets up barriers and tensor memory. To be called by all threads.
__device__ void initialise(SharedMemory& shared, TensorMaps const& maps, int warp) {
  if (warp == kMultiplyWarp) ptx::tensor_memory_allocate(ptx::shared_address(&shared.tensor_memory), kColumns);
  if (threadIdx.x == kCopyWarp * kWarp) {
    ptx::prefetch_tensor_map(maps.a);
    ptx::prefetch_tensor_map(maps.b);
    if (maps.stores_d) ptx::prefetch_tensor_map(maps.d);
    for (int stage = 0; stage < kStages; ++stage) {
      ptx::mbarrier_init(ptx::shared_address(&shared.full[stage]), 1);
      ptx::mbarrier_init(ptx::shared_address(&shared.empty[stage]), 1);
    }
    for (int i = 0; i < kSums; ++i) {
      ptx::mbarrier_init(ptx::shared_address(&shared.multiplied[i]), 1);
      ptx::mbarrier_init(ptx::shared_address(&shared.stored[i]), kStoreWarps);
    }
    ptx::fence_mbarrier_init();
  }
  ptx::tensor_fence_before_telling();
  __syncthreads();
  ptx::tensor_fence_after_told();
}

__global__ void __launch_bounds__(kThreads, 1) tensor_memory(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM100_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory*>(memory);
  int const warp = __shfl_sync(0xFFFFFFFF, static_cast<int>(threadIdx.x) / kWarp, 0);  // the same for all lanes
  initialise(shared, maps, warp);
  if (warp < kStoreWarps) {
    store_tiles(args, maps, shared);
  } else if (threadIdx.x == kCopyWarp * kWarp) {
    copy_tiles(args, maps, shared);
  } else if (threadIdx.x == kMultiplyWarp * kWarp) {
    multiply_tiles(args, shared);
  }
  ptx::tensor_fence_before_telling();
  __syncthreads();
  ptx::tensor_fence_after_told();
  if (warp == kMultiplyWarp) {
    __syncwarp();
    ptx::tensor_memory_free(shared.tensor_memory, kColumns);
  }
#endif
}

TensorMaps make_tensor_maps(GemmArgs const& args) {
  TensorLayout<2> const a{.data = args.a, .element = Element::f16, .sizes = {args.k, args.m}, .strides = {args.lda}};
  TensorLayout<2> const b{.data = args.b, .element = Element::f16, .sizes = {args.k, args.n}, .strides = {args.ldb}};
  TensorMaps maps{.a = make_tensor_map(a, {kK, kTileM}, CU_TENSOR_MAP_SWIZZLE_128B),
                  .b = make_tensor_map(b, {kK, kTileN}, CU_TENSOR_MAP_SWIZZLE_128B),
                  .d = {},
                  .stores_d = args.ldd * int{sizeof(__half)} % 16 == 0};
  if (maps.stores_d) {
    TensorLayout<2> const d{.data = args.d, .element = Element::f16, .sizes = {args.n, args.m}, .strides = {args.ldd}};
    maps.d = make_tensor_map(d, {kStripColumns, kWarp}, CU_TENSOR_MAP_SWIZZLE_128B);
  }
  return maps;
}

Refusal accepts(GemmProblem const& problem) {
  if (problem.b_layout == BLayout::row_major) return "multiplies only a column-major B (nt)";
  if (mma::has_aligned_rows<mma::F16>(problem.lda, problem.ldb)) return {};
  return "the copy engine (TMA) reads rows that begin at multiples of 16 bytes; gemm/mma/combined_f16 takes any";
}

void launch(GemmArgs const& args) {
  int const tiles = tiles_to_cover(args.m, kTileM) * tiles_to_cover(args.n, kTileN);
  launch_clusters(
      tensor_memory,
      {.blocks = std::min(tiles, multiprocessors()), .threads = kThreads, .shared_bytes = sizeof(SharedMemory)},
      args.stream, args, make_tensor_maps(args));
}

}  // namespace

PERFCHECK_GEMM_KERNEL(tensor_memory_f16, .summary = "tcgen05 on Blackwell: sums of two tiles in tensor memory",
                      .types = GemmTypes::f16, .arch = arch_exactly(10, 0), .accepts = accepts, .launch = launch);
