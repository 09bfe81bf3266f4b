// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The ring with Hopper's copy engine (TMA): one thread asks for tiles, barriers in shared memory tell when a stage is
// full and when it is empty again, and no warp waits for another one but through them.
#pragma once

#include "ring_kernel.cuh"
#include "ring_math.cuh"
#include "ring_store.cuh"
#include "ring_sums.cuh"

#include <perfcheck/cluster_launch.h>
#include <perfcheck/device_attribute.h>
#include <perfcheck/tensor_map.h>
#include <perfcheck/ptx_sm90.cuh>
#include <perfcheck/ring_position.cuh>
#include <perfcheck/work_units.cuh>

namespace perfcheck::mma {

/// Two warps per scheduler leave no registers for a ninth warp: the block gets four copy warps, which give their
/// registers to the math warps (setmaxnreg moves registers between groups of four warps).
template <class V>
constexpr bool kMovesRegisters = V::kShape.math_warps() == 8 && V::kShape.blocks == 1;
constexpr int kCopyRegisters = 24, kMathRegisters = 240;
static_assert(4 * kCopyRegisters + 8 * kMathRegisters <= 12 * 168,
              "a block of 12 warps starts with 168 for each thread");
template <class V>
constexpr int kThreads = V::kShape.math_threads() + (kMovesRegisters<V> ? 4 * kWarp : kWarp);

template <class V>
__host__ __device__ constexpr TileSizes tile_sizes() {
  return {.m = V::kShape.tile_m, .n = V::kShape.tile_n, .k = V::kShape.slices * kLineK<typename V::In>};
}

/// What a block keeps in shared memory. Stages are aligned to 1024 bytes, as swizzled boxes must be.
template <class V>
struct SharedMemory {
  static constexpr Shape kShape = V::kShape;
  unsigned char stages[kShape.stages][kShape.stage_bytes()];
  unsigned char strips[kShape.groups == 1 ? kStripsBytes<V> : 16];  // groups of warps have theirs in the ring
  Unit units[kShape.stages + 1];  // one after the other; so many can be in the ring, besides one being stored
  uint64_t full[kShape.stages][kShape.slices];  // all bytes of the slice have arrived
  uint64_t empty[kShape.stages];                // all math warps have read the stage
};

struct TensorMaps {
  CUtensorMap a, b;
};

template <class V>
TensorMaps make_tensor_maps(GemmArgs const& args) {
  constexpr GemmTypes kTypes = V::Row::kRow;
  // A map of TF32 rounds on the way, to nearest.
  constexpr Element kElement = kTypes.compute;
  constexpr int kK = kLineK<typename V::In>;
  TensorLayout<2> const a{.data = args.a, .element = kElement, .sizes = {args.k, args.m}, .strides = {args.lda}};
  TensorLayout<2> const b{.data = args.b,
                          .element = kElement,
                          .sizes = {V::kRowMajor ? args.n : args.k, V::kRowMajor ? args.k : args.n},
                          .strides = {args.ldb}};
  return {.a = make_tensor_map(a, {kK, V::kShape.tile_m}, CU_TENSOR_MAP_SWIZZLE_128B),
          .b = make_tensor_map(b, {kK, V::kRowMajor ? kK : V::kShape.tile_n}, CU_TENSOR_MAP_SWIZZLE_128B)};
}

/// Asks for one k-block of A and B. Zeros come for what lies outside the matrices, and count as well.
template <class V>
__device__ __forceinline__ void fetch(SharedMemory<V>& shared, int stage, TensorMaps const& maps, TileIndex tile,
                                      int k_block) {
  constexpr Shape kShape = V::kShape;
  constexpr int kK = kLineK<typename V::In>;
  uint32_t to = ptx::shared_address(shared.stages[stage]);
  int k = k_block * kShape.slices * kK;
  int const column = tile.column * kShape.tile_n;
#pragma unroll 1  // copy warps have few registers
  for (int slice = 0; slice < kShape.slices; ++slice) {
    uint32_t const barrier = ptx::shared_address(&shared.full[stage][slice]);
    ptx::mbarrier_arrive_expect_tx(barrier, kShape.slice_bytes());
    ptx::tma_load(to, maps.a, {k, tile.row * kShape.tile_m}, barrier);
    if constexpr (V::kRowMajor) {
      static_assert(kShape.tile_n % kK == 0, "a row-major B is cut into boxes as wide as they are deep");
#pragma unroll 1
      for (int box = 0; box < kShape.tile_n; box += kK) {
        ptx::tma_load(to + (kShape.tile_m + box) * kLineBytes, maps.b, {column + box, k}, barrier);
      }
    } else {
      ptx::tma_load(to + kShape.tile_m * kLineBytes, maps.b, {k, column}, barrier);
    }
    to += kShape.slice_bytes();
    k += kK;
  }
}

/// Sets up the barriers. To be called by all threads of the block. The copy thread does it and goes on at once; the
/// math warps wait until it is done.
template <class V>
__device__ __forceinline__ void initialise(SharedMemory<V>& shared, TensorMaps const& maps) {
  constexpr int kMathThreads = V::kShape.math_threads();
  if (threadIdx.x == kMathThreads) {
    ptx::prefetch_tensor_map(maps.a);
    ptx::prefetch_tensor_map(maps.b);
    for (int stage = 0; stage < V::kShape.stages; ++stage) {
      for (uint64_t& full : shared.full[stage]) ptx::mbarrier_init(ptx::shared_address(&full), 1);
      ptx::mbarrier_init(ptx::shared_address(&shared.empty[stage]), V::kShape.math_warps());
    }
    ptx::fence_mbarrier_init();
  }
  if (threadIdx.x >= kMathThreads) {
    __syncwarp();
    ptx::named_barrier_arrive(kStartBarrier, kThreads<V>);
  } else {
    ptx::named_barrier(kStartBarrier, kThreads<V>);
  }
}

/// How the copy thread fills the ring.
template <class V>
class RingWriter {
 public:
  __device__ __forceinline__ RingWriter(SharedMemory<V>& shared, TensorMaps const& maps)
      : shared_(shared), maps_(maps) {}

  __device__ __forceinline__ void wait_until_empty() const {
    ptx::mbarrier_wait(ptx::shared_address(&shared_.empty[at_.stage]), at_.parity);
  }

  /// Copies a unit. Calls announce() when its first stage is empty: the math warps have done with the units before the
  /// last Shape::stages then.
  template <class Announce>
  __device__ __forceinline__ void copy(Unit const& unit, Announce const& announce) {
#pragma unroll 1
    for (int k = unit.k_begin; k < unit.k_end; ++k) {
      wait_until_empty();
      if (k == unit.k_begin) announce();
      fetch<V>(shared_, at_.stage, maps_, unit.tile, k);
      at_.advance();
    }
  }

  /// Calls the first slice of a stage full into which nothing is copied.
  __device__ __forceinline__ void skip() const {
    ptx::mbarrier_arrive(ptx::shared_address(&shared_.full[at_.stage][0]));
  }

 private:
  SharedMemory<V>& shared_;
  TensorMaps const& maps_;
  RingPosition<V::kShape.stages> at_{.stage = 0,
                                     .parity = 1};  // waiting for the phase before the first returns at once
};

/// What the copy warps do: true for the one thread that copies.
template <class V>
__device__ __forceinline__ bool begin_copying() {
  if constexpr (kMovesRegisters<V>) ptx::release_registers<kCopyRegisters>();
  return threadIdx.x == V::kShape.math_threads();
}

/// The copy warps of a block that computes one unit, which its math warps know.
template <class V>
__device__ __forceinline__ void copy_unit(SharedMemory<V>& shared, TensorMaps const& maps, Unit const& unit) {
  if (begin_copying<V>()) RingWriter<V>(shared, maps).copy(unit, [] {});
}

/// The copy warps of a block that computes units one after the other. They tell the math warps which those are, who
/// have no registers to spare to find that out.
template <class V, class Units>
__device__ __forceinline__ void copy_units(SharedMemory<V>& shared, TensorMaps const& maps, Units units) {
  if (!begin_copying<V>()) return;
  RingWriter<V> ring(shared, maps);
  int turn = 0;
  Unit unit;
  while (units.next(unit)) {
    ring.copy(unit, [&] { shared.units[turn] = unit; });
    turn = turn == V::kShape.stages ? 0 : turn + 1;
  }
  ring.wait_until_empty();
  shared.units[turn] = {};
  ring.skip();
}

/// What the math warps do with the ring.
template <class V>
class RingReader {
  using Math = WarpMath<V>;
  using Fragments = typename Math::Fragments;
  static constexpr Shape kShape = V::kShape;
  static constexpr int kStepCount = kShape.steps();

 public:
  __device__ __forceinline__ RingReader(SharedMemory<V>& shared, GemmArgs const& args)
      : shared_(shared), zero_(static_cast<uint32_t>(args.ldd >> 32)) {
    if constexpr (kMovesRegisters<V>) ptx::claim_registers<kMathRegisters>();
  }

  /// Waits for the next of a block's units (copy_units): the number of its k-blocks, or 0 if there is none. All of a
  /// unit must have been multiplied before the next call.
  __device__ __forceinline__ int next() {
    wait_for_slice(0);
    turn_ = turn_ == kShape.stages ? 0 : turn_ + 1;
    Unit const now = unit();
    return now.k_end - now.k_begin;
  }

  /// The unit that next() waited for. It is read again each time, so that it occupies no registers while it is
  /// multiplied.
  __device__ __forceinline__ Unit unit() const {
    uint32_t const at = ptx::shared_address(&shared_.units[turn_]);
    auto const read = [&](std::size_t offset) {
      return static_cast<int>(ptx::read_shared_word(at + static_cast<uint32_t>(offset)));
    };
    return {.tile = {.row = read(offsetof(Unit, tile.row)), .column = read(offsetof(Unit, tile.column))},
            .k_begin = read(offsetof(Unit, k_begin)),
            .k_end = read(offsetof(Unit, k_end)),
            .others = read(offsetof(Unit, others))};
  }

  /// Multiplies the next `k_blocks` stages of the ring, at least one.
  __device__ __forceinline__ void multiply(Math& math, int k_blocks) {
    if constexpr (Math::kReadAhead) {
      multiply_reading_ahead(math, k_blocks);
    } else {
      multiply_in_turn(math, k_blocks);
    }
  }

 private:
  /// Each step's fragments are read before the products of the step before. A scheduler that has one warp or two
  /// multiplies nothing while those wait, and a stage's end costs a hundred cycles, a fifth of a stage of 64 x 128, if
  /// nothing is done about it. So
  /// - a stage may have two slices;
  /// - whether the next stage is full is asked a step before that is needed: the answer takes 40 cycles;
  /// - the loop goes from wait to wait, which leaves one place in it at which products cannot be moved past a branch;
  /// - a stage is released before its last products, not after them.
  /// Of the first stage, which nobody has had time to copy ahead, slices are waited for one by one.
  __device__ __forceinline__ void multiply_reading_ahead(Math& math, int k_blocks) {
    Fragments fragments[2];
    Fragments& last = fragments[(kStepCount - 1) % 2];
    constexpr int kOfSlice = kSteps / kShape.groups;
    uint32_t stage = stage_address(), empty = 0;
    bool next_is_full = false;
    auto const all_but_last_step = [&](bool is_first) {
      empty = ptx::shared_address(&shared_.empty[at_.stage]);
#pragma unroll
      for (int step = 0; step < kStepCount - 1; ++step) {
        if (is_first && (step + 1) % kOfSlice == 0) wait_for_slice((step + 1) / kOfSlice);
        if (step == kStepCount - 2) {
          at_.advance();
          next_is_full = is_full();
        }
        math.read(fragments[(step + 1) % 2], stage, step + 1);
        math.template multiply<true>(fragments[step % 2]);
      }
      stage = stage_address();
      asm volatile("" : "+r"(stage));  // computed here, among products, instead of after the wait
    };
    wait_for_slice(0);
    math.read(fragments[0], stage, 0);
    all_but_last_step(true);
#pragma unroll 1
    for (int k = 1; k < k_blocks; ++k) {
      if (!next_is_full) wait_until_full();
      release(empty, last);
      math.read(fragments[0], stage, 0);
      math.template multiply<true>(last);
      all_but_last_step(false);
    }
    release(empty, last);
    math.template multiply<true>(last);
  }

  /// There are no registers for the fragments of two steps, or the number of steps is odd.
  __device__ __forceinline__ void multiply_in_turn(Math& math, int k_blocks) {
    Fragments fragments;
#pragma unroll 1
    for (int k = 0; k < k_blocks; ++k) {
      wait_until_full();
      uint32_t const stage = stage_address();
#pragma unroll
      for (int step = 0; step < kStepCount; ++step) {
        math.read(fragments, stage, step);
        math.template multiply<true>(fragments);
      }
      release(ptx::shared_address(&shared_.empty[at_.stage]), fragments);
      at_.advance();
    }
  }

  __device__ __forceinline__ uint32_t stage_address() const { return ptx::shared_address(shared_.stages[at_.stage]); }
  __device__ __forceinline__ void wait_for_slice(int slice) const {
    ptx::mbarrier_wait(ptx::shared_address(&shared_.full[at_.stage][slice]), at_.parity);
  }
  __device__ __forceinline__ void wait_until_full() const {
#pragma unroll
    for (int slice = 0; slice < kShape.slices; ++slice) wait_for_slice(slice);
  }
  __device__ __forceinline__ bool is_full() const {
    bool all = true;
#pragma unroll
    for (int slice = 0; slice < kShape.slices; ++slice) {
      all &= ptx::mbarrier_test(ptx::shared_address(&shared_.full[at_.stage][slice]), at_.parity);
    }
    return all;
  }

  /// Tells at barrier `empty` that this warp has read a stage, of which `last` was read last. The arrival must not
  /// overtake reads that are still under way: the copy engine would overwrite what they read. ptxas lets it (seen in
  /// machine code of CUDA 13.0, and in wrong results on an H200 while other warps kept the path to shared memory busy),
  /// so the barrier's address is made to depend on what was read.
  __device__ __forceinline__ void release(uint32_t empty, Fragments const& last) const {
    uint32_t const barrier = empty + (Math::depends_on(last) & zero_);
    __syncwarp();
    ptx::mbarrier_arrive_if(threadIdx.x % kWarp == 0, barrier);
  }

  SharedMemory<V>& shared_;
  uint32_t zero_;  // the compiler does not know that it is 0: leading dimensions are below 2^32
  RingPosition<kShape.stages> at_;
  int turn_ = kShape.stages;  // which of the units is the present one: the first comes next
};

/// Launches `kernel`, which keeps a SharedMemory<V>, on `blocks` blocks, in clusters of Shape::parts.
template <class V, class... Parameters>
void launch_ring(void (*kernel)(Parameters...), int blocks, Stream stream, Parameters... parameters) {
  constexpr int kBytes = sizeof(SharedMemory<V>);
  static_assert(kBytes * V::kShape.blocks <= (228 - V::kShape.blocks) * 1024, "a block reserves 1 KiB of 228");
  launch_clusters(kernel,
                  {.blocks = blocks, .cluster = V::kShape.parts, .threads = kThreads<V>, .shared_bytes = kBytes},
                  stream, parameters...);
}

/// Whether the present device has a copy engine and code here for it.
inline bool has_copy_engine() { return device_attribute(cudaDevAttrComputeCapabilityMajor) == 9; }

/// Why the copy engine cannot read a problem's matrices, if so.
template <class Row>
Refusal refuse_unaligned(GemmProblem const& problem) {
  if (has_aligned_rows<Row>(problem.lda, problem.ldb)) return {};
  return "the copy engine (TMA) reads rows that begin at multiples of 16 bytes; gemm/mma/combined_* take any";
}

}  // namespace perfcheck::mma
