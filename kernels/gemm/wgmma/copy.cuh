// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the copy engine (TMA) fetches: tensor maps, and requests for one stage.
#pragma once

#include "ahead.cuh"
#include "shape.cuh"
#include "store.cuh"

#include <perfcheck/tensor_map.h>
#include <perfcheck/divisor.cuh>
#include <perfcheck/tensor_types.cuh>
#include <perfcheck/work_units.cuh>

namespace perfcheck::wgmma {

struct TensorMaps {
  CUtensorMap a, b;
  CUtensorMap d;             ///< in boxes of a strip, if `stores_d`
  bool stores_d = false;     ///< whether the copy engine can write to D
  bool whole_lines = false;  ///< whether a and b bring all of a stage's lines of a row at a time (make_operand_map())
  Divisor supertile;         ///< the tiles of a supertile of clusters (order.cuh)
  Ahead ahead;               ///< what a launch that fetches ahead brings to L2 first
};

/// Blocks of a cluster that need the same lines of A, or of B, share the work: each fetches this many, for all of them.
template <class V>
constexpr int kLinesA = (V::kRowsContiguous ? V::kK : V::kShape.tile_m) / V::kShape.cluster_n;
template <class V>
constexpr int kLinesB = (V::kRowMajor ? V::kK : V::kShape.tile_n) / V::kShape.cluster_m;
/// Of which one request fetches this many.
__host__ __device__ constexpr int box_lines(int lines) { return lines <= kMostBoxLines ? lines : lines / 2; }

/// Whether the copy engine can write to D, whose rows it wants to begin at multiples of 16 bytes.
template <class V>
bool can_store_tiles(GemmArgs const& args) {
  return V::kShape.strips > 0 && args.ldd * int{sizeof(typename V::Out)} % 16 == 0;
}

/// Sizes of what a cluster computes at a time, and of a stage.
template <class V>
__host__ __device__ constexpr TileSizes cluster_tile() {
  constexpr Shape kShape = V::kShape;
  return {.m = kShape.tile_m * kShape.cluster_m, .n = kShape.tile_n * kShape.cluster_n, .k = V::kK};
}

/// The number of tiles of clusters in a supertile, to divide the number of any tile by (order.cuh).
template <class V>
Divisor tiles_of_supertile(GemmArgs const& args) {
  int const tiles_m = tiles_to_cover(args.m, cluster_tile<V>().m),
            tiles_n = tiles_to_cover(args.n, cluster_tile<V>().n);
  return {V::kShape.rows_together * tiles_n, int64_t{tiles_m} * tiles_n};
}

/// Whether one request can bring several lines of each row: the last line must not end behind its row, since a map
/// whose rows are cut into lines does not know where that is.
template <class V>
bool has_whole_lines(int64_t k) {
  return V::kLines > 1 && k % kLineK<typename V::In> == 0;
}

/// A map of a matrix of operands, whose `sizes` are along its contiguous dimension and across it: of lines, or of rows
/// that are cut into lines, of which a box has as many as a stage.
template <class V>
CUtensorMap make_operand_map(void const* data, std::array<int64_t, 2> sizes, int64_t pitch, int box) {
  // A map of TF32 rounds on the way, to nearest.
  constexpr Element kElement = V::Row::kRow.compute;
  // L2's lines are as long: with 256 bytes for each that it misses, streams from memory took 3 to 7 % longer.
  constexpr auto kPromotion = CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
  constexpr auto kSwizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  constexpr int kLine = kLineK<typename V::In>;
  if (has_whole_lines<V>(sizes[0])) {
    TensorLayout<3> const lines{
        .data = data, .element = kElement, .sizes = {kLine, sizes[1], sizes[0] / kLine}, .strides = {pitch, kLine}};
    return make_tensor_map(lines, {kLine, box, V::kLines}, kSwizzle, kPromotion);
  }
  TensorLayout<2> const matrix{.data = data, .element = kElement, .sizes = sizes, .strides = {pitch}};
  return make_tensor_map(matrix, {kLine, box}, kSwizzle, kPromotion);
}

template <class V>
TensorMaps make_tensor_maps(GemmArgs const& args) {
  static_assert(V::kShape.tile_m % V::kShape.cluster_n == 0 && kLinesA<V> % 8 == 0 && kLinesB<V> % 8 == 0,
                "blocks share whole groups of eight lines");
  constexpr GemmTypes kTypes = V::Row::kRow;
  std::array<int64_t, 2> const sizes_b = {V::kRowMajor ? args.n : args.k, V::kRowMajor ? args.k : args.n};
  std::array<int64_t, 2> const sizes_a = {V::kRowsContiguous ? args.m : args.k, V::kRowsContiguous ? args.k : args.m};
  TensorMaps maps{.a = make_operand_map<V>(args.a, sizes_a, args.lda, box_lines(kLinesA<V>)),
                  .b = make_operand_map<V>(args.b, sizes_b, args.ldb, box_lines(kLinesB<V>)),
                  .d = {},
                  .stores_d = can_store_tiles<V>(args),
                  .whole_lines = has_whole_lines<V>(args.k),
                  .supertile = tiles_of_supertile<V>(args),
                  .ahead = {}};
  if (maps.stores_d) {
    TensorLayout<2> const d{.data = args.d, .element = kTypes.d, .sizes = {args.n, args.m}, .strides = {args.ldd}};
    maps.d = make_tensor_map(d, {kStripColumns<V>, kWarpRows},
                             kStripRowBytes<V> == 128 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B);
  }
  return maps;
}

/// This block's place in its cluster.
template <class V>
struct ClusterPlace {
  int row = 0, column = 0;
  int first = 0;  ///< rank of the first of those blocks that have the same part of k

  static __device__ __forceinline__ ClusterPlace here() {
    constexpr Shape kShape = V::kShape;
    if constexpr (kShape.cluster_blocks() == 1) return {};
    int const rank = static_cast<int>(blockIdx.x) % kShape.cluster_blocks(), within = rank % kShape.cluster();
    return {.row = within % kShape.cluster_m, .column = within / kShape.cluster_m, .first = rank - within};
  }

  /// The block's tile of those that its cluster computes.
  __device__ __forceinline__ TileIndex tile_of(TileIndex of_cluster) const {
    return {.row = of_cluster.row * V::kShape.cluster_m + row,
            .column = of_cluster.column * V::kShape.cluster_n + column};
  }

  __device__ __forceinline__ int part() const { return first / V::kShape.cluster(); }
  /// Rank of the block that has the same tile and another part of k.
  __device__ __forceinline__ int rank_of(int part) const {
    return part * V::kShape.cluster() + column * V::kShape.cluster_m + row;
  }
};

/// Fetches `kLines` lines of a stage for `kBlocks` blocks of the cluster, those whose bits are set in `blocks`.
template <int kLines, int kBlocks>
__device__ __forceinline__ void fetch_lines(uint32_t to, CUtensorMap const& map, int x, int y, uint32_t barrier,
                                            uint32_t blocks) {
#pragma unroll
  for (int line = 0; line < kLines; line += box_lines(kLines)) {
    if constexpr (kBlocks == 1) {
      ptx::tma_load(to + line * kLineBytes, map, {x, y + line}, barrier);
    } else {
      ptx::tma_load_multicast(to + line * kLineBytes, map, {x, y + line}, barrier, blocks);
    }
  }
}

/// Fetches a stage's lines of `kRows` rows or columns, from number `row` on, of which a stage has several.
template <class V, int kRows>
__device__ __forceinline__ void fetch_several(uint32_t to, CUtensorMap const& map, bool whole, int k_block, int row,
                                              uint32_t barrier) {
  static_assert(V::kShape.cluster() == 1 && kRows <= kMostBoxLines);
  if (whole) [[likely]] {
    ptx::tma_load(to, map, {0, row, k_block * V::kLines}, barrier);
  } else {
#pragma unroll
    for (int line = 0; line < V::kLines; ++line) {
      ptx::tma_load(to + line * kRows * kLineBytes, map, {k_block * V::kK + line * kLineK<typename V::In>, row},
                    barrier);
    }
  }
}

/// Asks for this block's share of a stage: its lines of A and B of one k-block, for itself and its neighbours.
/// `barrier` gets all bytes of the stage, whoever fetched them. Zeros come for what lies outside the matrices, and
/// count as well.
template <class V>
__device__ __forceinline__ void fetch(uint32_t stage, TensorMaps const& maps, TileIndex tile, ClusterPlace<V> const& at,
                                      int k_block, uint32_t barrier) {
  constexpr Shape kShape = V::kShape;
  constexpr int kM = kShape.cluster_m, kN = kShape.cluster_n;
  int const k = k_block * V::kK;
  ptx::mbarrier_arrive_expect_tx(barrier, V::kStageBytes);
  if constexpr (V::kLines > 1) {
    fetch_several<V, kShape.tile_m>(stage, maps.a, maps.whole_lines, k_block, tile.row * kShape.tile_m, barrier);
    fetch_several<V, kShape.tile_n>(stage + V::kBytesA, maps.b, maps.whole_lines, k_block, tile.column * kShape.tile_n,
                                    barrier);
    return;
  }
  uint32_t beside = 0;  // the blocks beside this one, which need the same rows of A
#pragma unroll
  for (int n = 0; n < kN; ++n) beside |= 1U << (n * kM);
  int const line = at.column * kLinesA<V>, row = tile.row * kShape.tile_m;
  if constexpr (V::kRowsContiguous) {
#pragma unroll
    for (int box = 0; box < kShape.tile_m / kRows; ++box) {
      ptx::tma_load(stage + box * V::kK * kLineBytes, maps.a, {row + box * kRows, k}, barrier);
    }
  } else {
    fetch_lines<kLinesA<V>, kN>(stage + line * kLineBytes, maps.a, k, row + line, barrier,
                                beside << (at.first + at.row));
  }
  uint32_t const below = ((1U << kM) - 1) << (at.first + at.column * kM);
  uint32_t const to = stage + V::kBytesA + at.row * kLinesB<V> * kLineBytes;
  int const column = tile.column * kShape.tile_n;
  if constexpr (V::kRowMajor) {
#pragma unroll
    for (int box = 0; box < V::kBoxes; ++box) {
      fetch_lines<kLinesB<V>, kM>(to + box * V::kK * kLineBytes, maps.b, column + box * V::kK, k + at.row * kLinesB<V>,
                                  barrier, below);
    }
  } else {
    fetch_lines<kLinesB<V>, kM>(to, maps.b, k, column + at.row * kLinesB<V>, barrier, below);
  }
}

/// Why the copy engine cannot read a problem's matrices, if so.
template <class Row>
Refusal refuse_unaligned(GemmProblem const& problem) {
  if (mma::has_aligned_rows<Row>(problem.lda, problem.ldb)) return {};
  return "the copy engine (TMA) reads rows that begin at multiples of 16 bytes; gemm/mma/combined_* take any";
}

/// Why the kernels that use wgmma and the copy engine cannot multiply a problem's matrices, if so.
template <class Row>
Refusal refuse_layout(GemmProblem const& problem) {
  if (sizeof(typename Row::In) != 2 && problem.b_layout == BLayout::row_major) {
    return "wgmma multiplies only a column-major B of this type (nt); gemm/wgmma/transposed_b_* take a row-major one";
  }
  return refuse_unaligned<Row>(problem);
}

}  // namespace perfcheck::wgmma
