// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Products with at most 16 rows of A, for which B is fetched in long pieces of its columns.
//
// A piece arrives as it lies in memory: of each row or column so many contiguous bytes. mma.sync does not care which k
// an element belongs to, as long as A and B agree. So a thread reads 16 contiguous bytes of each row and column, and
// takes the first half for one step and the second half for the next: where the instruction wants bytes 4 t and 4 t +
// 16 of a step of 32 bytes, it gets bytes 16 t and 16 t + 4 of 64.
#pragma once

#include <perfcheck/cluster_launch.h>
#include <perfcheck/device_attribute.h>
#include <perfcheck/gemm_tuning.h>
#include <perfcheck/tensor_map.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/ptx_sm90.cuh>
#include <perfcheck/ring_position.cuh>
#include <perfcheck/sum_quad.cuh>
#include <perfcheck/tile.cuh>

#include <algorithm>
#include <cstdint>

#include "ring_types.cuh"

namespace perfcheck::few_rows {

constexpr int kWarp = 32;
constexpr int kMathWarps = 8;
constexpr int kMathThreads = kMathWarps * kWarp;
constexpr int kThreads = kMathThreads + kWarp;
constexpr int kRows = 16;    // of A, that mma.sync multiplies
constexpr int kColumns = 8;  // of B: a group
constexpr int kChunkBytes = 16;
constexpr int kUnitBytes = 4 * kChunkBytes;  // of k, that four lanes read of a row or column
constexpr int kRowSlots = 2;                 // for pieces of A

/// A box has at most 256 elements in a dimension, which are less than a piece.
template <class In>
constexpr int kSpanElements = sizeof(In) == 4 ? 128 : 256;

/// How a block works.
struct Shape {
  int piece = 0;   ///< bytes of k of each row and column that are fetched together
  int stages = 0;  ///< in the ring, each a piece of a group of columns
  int groups = 0;  ///< of columns, at most, whose sums are kept at a time
  int blocks = 1;  ///< of a multiprocessor

  /// Of a warp, in a piece.
  __host__ __device__ constexpr int units() const { return piece / kUnitBytes / kMathWarps; }
};

/// "16x112-2048x9" is rows and most columns at a time, bytes of a piece and stages; "-b2" follows for two blocks of a
/// multiprocessor.
constexpr PointName point_name(Shape const& shape) {
  PointName const parts[] = {join_with_x({kRows, shape.groups * kColumns}), join_with_x({shape.piece, shape.stages})};
  PointName name;
  std::size_t at = 0;
  for (std::string_view const text : {std::string_view(parts[0]), std::string_view("-"), std::string_view(parts[1]),
                                      std::string_view(shape.blocks == 2 ? "-b2" : "")}) {
    for (char const c : text) name.text[at++] = c;
  }
  return name;
}

template <class TypesRow, class Space, int kPoint>
struct Variant {
  using Row = TypesRow;
  using In = typename Row::In;
  using Sum = typename Row::Sum;
  using Out = typename Row::Out;
  static constexpr Shape kShape = Space::kShapes[kPoint];
  /// Elements of a span: what the copy engine takes for the rows of a tensor.
  static constexpr int kSpan = kSpanElements<In>;
  static constexpr int kSpans = kShape.piece / int{sizeof(In)} / kSpan;  // of a piece
  static_assert(kShape.piece % (kUnitBytes * kMathWarps) == 0 && kSpans * kSpan * int{sizeof(In)} == kShape.piece);
};

template <class V>
struct SharedMemory {
  static constexpr Shape kShape = V::kShape;
  unsigned char stages[kShape.stages][kColumns * kShape.piece];
  unsigned char rows[kRowSlots][kRows * kShape.piece];
  uint64_t full[kShape.stages];
  uint64_t empty[kShape.stages];
  uint64_t rows_full[kRowSlots];
  uint64_t rows_empty[kRowSlots];
};

constexpr int kStartBarrier = 1;
constexpr int kMathBarrier = 2;
constexpr int kPassBarrier = 3;

/// The groups of columns of a block: an equal share of all, in passes of as many as sums can be kept for.
template <class V>
class Share {
 public:
  __device__ __forceinline__ explicit Share(GemmArgs const& args) {
    int const all = tiles_to_cover(args.n, kColumns), block = static_cast<int>(blockIdx.x);
    int const blocks = static_cast<int>(gridDim.x);
    next_ = static_cast<int>(int64_t{all} * block / blocks);
    end_ = static_cast<int>(int64_t{all} * (block + 1) / blocks);
  }

  /// The next pass: its first group and their number. False if there is none.
  __device__ __forceinline__ bool next(int& first, int& count) {
    if (next_ == end_) return false;
    int const left = end_ - next_, passes = tiles_to_cover(left, V::kShape.groups);
    first = next_;
    count = tiles_to_cover(left, passes);
    next_ += count;
    return true;
  }
  /// Whether next() will return true.
  __device__ __forceinline__ bool more() const { return next_ < end_; }

 private:
  int next_ = 0, end_ = 0;
};

struct TensorMaps {
  CUtensorMap a, b;
};

/// Of spans, how many a row or column has, and rows or columns: so a box is a piece of several of them. What lies
/// behind the last span, row or column arrives as zeros.
template <class V>
TensorMaps make_tensor_maps(GemmArgs const& args) {
  constexpr int kSpan = V::kSpan;
  // A map of TF32 rounds on the way, to nearest.
  constexpr Element kElement = V::Row::kRow.compute;
  auto const map = [&](void const* data, int64_t pitch, int lines, int box) {
    TensorLayout<3> const tensor{
        .data = data, .element = kElement, .sizes = {kSpan, args.k / kSpan, lines}, .strides = {kSpan, pitch}};
    return make_tensor_map(tensor, {kSpan, V::kSpans, box}, CU_TENSOR_MAP_SWIZZLE_NONE,
                           CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
  };
  return {.a = map(args.a, args.lda, args.m, kRows), .b = map(args.b, args.ldb, args.n, kColumns)};
}

template <class V>
__device__ __forceinline__ int pieces_of(GemmArgs const& args) {
  return tiles_to_cover(args.k * int{sizeof(typename V::In)}, V::kShape.piece);
}

/// Fetches piece by piece all rows of A and then, group by group, the columns of a pass. For one thread.
template <class V>
class Fetcher {
  static constexpr Shape kShape = V::kShape;

 public:
  __device__ __forceinline__ Fetcher(SharedMemory<V>& shared, TensorMaps const& maps) : shared_(shared), maps_(maps) {}

  __device__ __forceinline__ void fetch_pass(int pieces, int first, int groups) {
#pragma unroll 1
    for (int p = 0; p < pieces; ++p) {
      fetch(maps_.a, kRows, 0, p, shared_.rows[rows_.stage], shared_.rows_full[rows_.stage],
            shared_.rows_empty[rows_.stage], rows_.parity);
      rows_.advance();
#pragma unroll 1
      for (int g = first; g < first + groups; ++g) {
        fetch(maps_.b, kColumns, g * kColumns, p, shared_.stages[ring_.stage], shared_.full[ring_.stage],
              shared_.empty[ring_.stage], ring_.parity);
        ring_.advance();
      }
    }
  }

 private:
  /// A piece of so many rows or columns from `first` on, as soon as its place is empty.
  __device__ __forceinline__ void fetch(CUtensorMap const& map, int count, int first, int piece, unsigned char* to,
                                        uint64_t& full, uint64_t& empty, uint32_t parity) const {
    uint32_t const barrier = ptx::shared_address(&full);
    ptx::mbarrier_wait(ptx::shared_address(&empty), parity);
    ptx::mbarrier_arrive_expect_tx(barrier, count * kShape.piece);
    ptx::tma_load(ptx::shared_address(to), map, {0, piece * V::kSpans, first}, barrier);
  }

  SharedMemory<V>& shared_;
  TensorMaps const& maps_;
  // Waiting for the phase before the first returns at once.
  RingPosition<kShape.stages> ring_{.stage = 0, .parity = 1};
  RingPosition<kRowSlots> rows_{.stage = 0, .parity = 1};
};

/// A warp's products: of its units of each piece.
template <class V>
class WarpMath {
  using In = typename V::In;
  static constexpr Shape kShape = V::kShape;
  static constexpr int kUnits = kShape.units();

 public:
  /// Of group g, as mma.sync deals them: [0] and [1] in row lane / 4, columns 2 (lane % 4) and + 1, [2] and [3] eight
  /// rows below.
  typename V::Sum sums[kShape.groups][4];

  __device__ __forceinline__ explicit WarpMath(SharedMemory<V>& shared) : shared_(shared) {
    int const lane = static_cast<int>(threadIdx.x) % kWarp;
    line_ = lane / 4;
    at_ = static_cast<int>(threadIdx.x) / kWarp * kUnitBytes + lane % 4 * kChunkBytes;
  }

  __device__ __forceinline__ void multiply_pass(int pieces, int groups) {
#pragma unroll
    for (auto& of_group : sums) {
#pragma unroll
      for (auto& sum : of_group) sum = 0;
    }
#pragma unroll 1
    for (int p = 0; p < pieces; ++p) multiply_piece(groups);
  }

 private:
  __device__ __forceinline__ void multiply_piece(int groups) {
    uint32_t a[kUnits][2][4];
    ptx::mbarrier_wait(ptx::shared_address(&shared_.rows_full[rows_.stage]), rows_.parity);
#pragma unroll
    for (int u = 0; u < kUnits; ++u) {
      read(a[u][0], shared_.rows[rows_.stage], line_, u);
      read(a[u][1], shared_.rows[rows_.stage], line_ + 8, u);
    }
    // A group is read before the last one is multiplied: the warp does not wait for each product in turn. A place is
    // released when products have been given what was read there: before, reads may still be on their way, which an
    // arrival at a barrier does not wait for.
    uint32_t b[2][kUnits][4];
    int stage = read_group(b[0]);
#pragma unroll
    for (int g = 0; g < kShape.groups; ++g) {
      if (g < groups) {
        int const next = g + 1 < groups ? read_group(b[(g + 1) % 2]) : 0;
#pragma unroll
        for (int u = 0; u < kUnits; ++u) {
#pragma unroll
          for (int half = 0; half < 4; half += 2) {
            uint32_t const step[4] = {a[u][0][half], a[u][1][half], a[u][0][half + 1], a[u][1][half + 1]};
            mma::multiply_add<In>(sums[g], step, b[g % 2][u][half], b[g % 2][u][half + 1]);
          }
        }
        release(shared_.empty[stage]);
        if (g == 0) release(shared_.rows_empty[rows_.stage]);
        stage = next;
      }
    }
    rows_.advance();
  }

  /// Reads the warp's part of the next stage, whose number it returns.
  __device__ __forceinline__ int read_group(uint32_t (&b)[kUnits][4]) {
    int const stage = ring_.stage;
    ptx::mbarrier_wait(ptx::shared_address(&shared_.full[stage]), ring_.parity);
#pragma unroll
    for (int u = 0; u < kUnits; ++u) read(b[u], shared_.stages[stage], line_, u);
    ring_.advance();
    return stage;
  }

  /// The thread's chunk of the warp's u-th unit of a row or column.
  __device__ __forceinline__ void read(uint32_t (&to)[4], unsigned char const* piece, int line, int u) const {
    int const at = line * kShape.piece + at_ + u * kMathWarps * kUnitBytes;
    auto const words = *reinterpret_cast<uint4 const*>(piece + at);
    to[0] = words.x;
    to[1] = words.y;
    to[2] = words.z;
    to[3] = words.w;
  }

  /// The warp has read what the copy engine may overwrite.
  __device__ __forceinline__ void release(uint64_t& barrier) const {
    __syncwarp();
    if (threadIdx.x % kWarp == 0) ptx::mbarrier_arrive(ptx::shared_address(&barrier));
  }

  SharedMemory<V>& shared_;
  int line_, at_;
  RingPosition<kShape.stages> ring_;
  RingPosition<kRowSlots> rows_;
};

/// Adds up the sums of all warps, where the ring was, and stores them. To be called by all math threads when all have
/// read the ring.
template <class V>
__device__ __forceinline__ void store_pass(GemmArgs const& args, WarpMath<V> const& math, int first, int groups,
                                           unsigned char* memory) {
  using Sum = typename V::Sum;
  using Out = typename V::Out;
  constexpr int kGroups = V::kShape.groups;
  static_assert(kMathWarps * kGroups * kWarp * sizeof(float4) <= sizeof(SharedMemory<V>::stages));
  auto* const quads = reinterpret_cast<float4*>(memory);
  int const thread = ptx::thread_index();
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
    if (g < groups) quads[(thread / kWarp * kGroups + g) * kWarp + thread % kWarp] = quad_of(math.sums[g]);
  }
  ptx::named_barrier(kMathBarrier, kMathThreads);
#pragma unroll 1
  for (int i = thread; i < groups * kWarp; i += kMathThreads) {
    Sum sums[4] = {};
#pragma unroll
    for (int warp = 0; warp < kMathWarps; ++warp) add_quad(sums, quads[warp * kGroups * kWarp + i]);
    int const lane = i % kWarp, column = (first + i / kWarp) * kColumns + lane % 4 * 2;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      int const row = lane / 4 + half * 8;
      if (row >= args.m) continue;
      if (args.ldd % 2 == 0 && column + 1 < args.n) {
        store_elements<Out, 2>(args, row, column, sums + half * 2);
      } else {
        if (column < args.n) store_elements<Out, 1>(args, row, column, sums + half * 2);
        if (column + 1 < args.n) store_elements<Out, 1>(args, row, column + 1, sums + half * 2 + 1);
      }
    }
  }
}

/// Computes the block's columns of D. `memory` holds a SharedMemory<V>.
template <class V>
__device__ __forceinline__ void compute_columns(GemmArgs const& args, TensorMaps const& maps, unsigned char* memory) {
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  bool const copies = threadIdx.x >= kMathThreads;
  if (threadIdx.x == kMathThreads) {
    ptx::prefetch_tensor_map(maps.a);
    ptx::prefetch_tensor_map(maps.b);
    for (int i = 0; i < V::kShape.stages; ++i) {
      ptx::mbarrier_init(ptx::shared_address(&shared.full[i]), 1);
      ptx::mbarrier_init(ptx::shared_address(&shared.empty[i]), kMathWarps);
    }
    for (int i = 0; i < kRowSlots; ++i) {
      ptx::mbarrier_init(ptx::shared_address(&shared.rows_full[i]), 1);
      ptx::mbarrier_init(ptx::shared_address(&shared.rows_empty[i]), kMathWarps);
    }
    ptx::fence_mbarrier_init();
  }
  Share<V> share(args);
  int const pieces = pieces_of<V>(args);
  int first = 0, groups = 0;
  if (copies) {
    __syncwarp();
    ptx::named_barrier_arrive(kStartBarrier, kThreads);
    Fetcher<V> fetcher(shared, maps);
    while (share.next(first, groups)) {
      if (threadIdx.x == kMathThreads) fetcher.fetch_pass(pieces, first, groups);
      __syncwarp();
      if (share.more()) ptx::named_barrier(kPassBarrier, kThreads);  // the ring holds sums
    }
  } else {
    ptx::named_barrier(kStartBarrier, kThreads);
    WarpMath<V> math(shared);
    while (share.next(first, groups)) {
      math.multiply_pass(pieces, groups);
      ptx::named_barrier(kMathBarrier, kMathThreads);
      store_pass(args, math, first, groups, memory);
      if (share.more()) {
        ptx::fence_for_copy_engine();
        ptx::named_barrier(kPassBarrier, kThreads);
      }
    }
  }
}

/// Launches `kernel`, a __global__ function that calls compute_columns<V>().
template <class V>
void launch_columns(void (*kernel)(GemmArgs, TensorMaps const), GemmArgs const& args) {
  constexpr int kBytes = sizeof(SharedMemory<V>);
  static_assert((kBytes + 1024) * V::kShape.blocks <= 228 * 1024, "what a multiprocessor has");
  int const blocks = std::min(tiles_to_cover(args.n, kColumns), multiprocessors() * V::kShape.blocks);
  launch_clusters(kernel, {.blocks = blocks, .cluster = 1, .threads = kThreads, .shared_bytes = kBytes}, args.stream,
                  args, make_tensor_maps<V>(args));
}

/// Why the copy engine cannot fetch pieces of a problem's matrices, if so.
template <class Row>
Refusal refuse(GemmProblem const& problem) {
  if (problem.m > kRows) return "more than 16 rows: gemm/mma/tma_ring_* and others take any number";
  if (problem.b_layout == BLayout::row_major) return "wants a column-major B (nt), whose columns are contiguous";
  if (!mma::has_aligned_rows<Row>(problem.lda, problem.ldb) || problem.k % kSpanElements<typename Row::In> != 0) {
    return "the copy engine fetches whole spans of 256 elements of k (TF32: 128), aligned to 16 bytes; "
           "gemm/mma/combined_* take any";
  }
  return {};
}

}  // namespace perfcheck::few_rows
