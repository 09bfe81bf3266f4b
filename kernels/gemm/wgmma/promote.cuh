// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums that the tensor cores keep for one stage only. When they multiply FP8, they add with 14 bits, and what a sum
// loses grows with it. So each stage, 128 k, begins new sums, temporary ones, which are then added to totals in FP32
// registers, by ordinary instructions.
//
// The work of a group is a sequence of pieces, each the products of one stage for 64 rows. With two temporaries, a
// piece executes while the one before it is added; with one, only pieces of other groups do. The sequence goes on
// across tiles: the first piece of the next tile executes while the totals of a tile are stored. Or groups have tiles
// of their own, and one multiplies while the other stores.
#pragma once

#include "quads.cuh"
#include "turns.cuh"

namespace perfcheck::wgmma {

/// Pieces are numbered from 0 in rounds, after which temporaries and rows are again those of piece 0.
template <class V>
struct Rounds {
  static constexpr int kM = V::kShape.mmas_m(), kTemporaries = V::kShape.temporaries;
  static constexpr int kPieces = std::max(kM, kTemporaries);
  static constexpr int kStages = kPieces / kM;
  static_assert(kM <= 2 && (kTemporaries == 1 || kTemporaries == 2), "rounds have one piece or two");
  static_assert(V::kShape.stages > 1, "pieces begin before the stage of those before them is released");
  static_assert(V::kLines == 1, "a piece is a whole stage");
  static_assert((kM + kTemporaries) * V::kShape.group_columns() / 2 <= (V::kShape.groups == 3 ? 128 : 192),
                "sums leave 48 registers for all else, or 32");

  /// Of a tile, at least two: the last one differs. Its stages may be more than k has blocks; the copy engine fetches
  /// zeros then.
  static __device__ __forceinline__ int count(int k) { return max(2, tiles_to_cover(k, V::kK * kStages)); }
};

/// Scale factors: none. Others add to this what they are for.
template <class V>
struct NoFactors {
  /// Whether each stage has its own, which of(slot, half) returns: the one for the first of a thread's rows, or for the
  /// second.
  static constexpr bool kPerStage = false;
  /// Loads those of the piece that has just begun, for the i-th 64 rows, to a slot: the number of its temporary.
  __device__ __forceinline__ void load(int /*slot*/, int /*i*/) {}
  /// Multiplies a tile's totals by factors.
  __device__ __forceinline__ void apply(GroupSums<V>& /*totals*/, TileIndex /*tile*/) const {}
};

/// The totals of a group. `Factors` are scale factors.
template <class V, class Factors>
class PromotedSums {
  static constexpr int kM = Rounds<V>::kM, kTemporaries = Rounds<V>::kTemporaries, kPieces = Rounds<V>::kPieces;
  static constexpr int kSums = V::kShape.group_columns() / 2;

 public:
  __device__ __forceinline__ PromotedSums(RingReader<V>& ring, int group, Factors const& factors)
      : ring_(ring), operands_(group), factors_(factors) {}

  /// Begins the first piece of a sequence.
  __device__ __forceinline__ void begin() {
    next_ = ring_.wait_until_full(0);
    begin_piece(0);
  }

  /// Adds the next rounds, at least one, and begins the piece behind them.
  __device__ __forceinline__ void add_rounds(int rounds) {
    int left = rounds;
#pragma unroll 1
    do {
#pragma unroll
      for (int piece = 0; piece < kPieces; ++piece) add_piece(piece, true);
    } while (--left > 0);
  }

  /// Adds the last round of a sequence, and begins nothing behind it.
  __device__ __forceinline__ void add_last_round() {
#pragma unroll
    for (int piece = 0; piece < kPieces; ++piece) add_piece(piece, piece + 1 < kPieces);
  }

  /// Stores the totals, and clears them for the next tile.
  template <class Results>
  __device__ __forceinline__ void store(Results const& results, TileIndex tile) {
    factors_.apply(totals_, tile);
    results.store(totals_, tile);
    totals_ = {};
  }

 private:
  /// Begins a piece of the stage at `next_`.
  __device__ __forceinline__ void begin_piece(int piece) {
    uint64_t const a = operands_.descriptor_a(next_), b = operands_.descriptor_b(next_);
    ptx::wgmma_fence();
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      operands_.multiply_step(temporaries_[piece % kTemporaries], piece % kM, step, a, b, step > 0);
    }
    ptx::wgmma_commit();
    factors_.load(piece % kTemporaries, piece % kM);
  }

  /// Adds a piece, and begins the next one if `begins`.
  __device__ __forceinline__ void add_piece(int piece, bool begins) {
    // Before products are waited for: that the next stage is full is known by then.
    if (begins && (piece + 1) % kM == 0) next_ = ring_.wait_until_full(1);
    if (kTemporaries == 1 || !begins) {
      ptx::wgmma_wait<0>();
    } else if (piece == 0) {
      // Also all: where products of a round before this one execute, ptxas does not know which are done (C7514).
      ptx::wgmma_wait<0>();
      begin_piece(piece + 1);
    } else {
      begin_piece(piece + 1);
      ptx::wgmma_wait<1>();
    }
    if (piece % kM == kM - 1) ring_.release_and_advance();
    add(piece);
    if (kTemporaries == 1 && begins) begin_piece(piece + 1);
  }

  /// Adds sums of products that are done to the totals.
  __device__ __forceinline__ void add(int piece) {
    auto& sums = temporaries_[piece % kTemporaries];
    auto& totals = totals_.sums[piece % kM];
    ptx::hold_sums(sums);
    if constexpr (Factors::kPerStage) {
      float const factors[2] = {factors_.of(piece % kTemporaries, 0), factors_.of(piece % kTemporaries, 1)};
#pragma unroll
      for (int j = 0; j < kSums; ++j) totals[j] = fmaf(factors[j / 2 % 2], sums[j], totals[j]);
    } else {
#pragma unroll
      for (int j = 0; j < kSums; ++j) totals[j] += sums[j];
    }
  }

  RingReader<V>& ring_;
  GroupOperands<V> operands_;
  Factors factors_;
  uint32_t next_ = 0;  // the stage of the piece that begins next
  GroupSums<V> totals_{};
  float temporaries_[kTemporaries][kSums];
};

/// What math threads do where groups share tiles.
template <class V, class Factors, class Results>
__device__ __forceinline__ void promote_together(PromotedSums<V, Factors>& sums, Results const& results,
                                                 ClusterTiles<V> tiles, int rounds) {
  TileIndex tile, next;
  if (!tiles.next(tile)) return;
  sums.begin();
#pragma unroll 1
  while (tiles.next(next)) {
    sums.add_rounds(rounds);
    sums.store(results, tile);
    tile = next;
  }
  sums.add_rounds(rounds - 1);
  sums.add_last_round();
  sums.store(results, tile);
}

/// The same where they have tiles of their own.
template <class V, class Factors, class Results>
__device__ __forceinline__ void promote_in_turns(PromotedSums<V, Factors>& sums, Results const& results,
                                                 ClusterTiles<V> tiles, int rounds, RingReader<V>& ring, int group) {
  take_turns(tiles, group, [&](TileIndex tile, Turns const& turns, bool mine) {
    if (!mine) return ring.skip(tiles.k_blocks());
    turns.wait();
    sums.begin();
    sums.add_rounds(rounds - 1);
    sums.add_last_round();
    turns.pass();
    sums.store(results, tile);
  });
}

/// Computes the block's tiles. `memory` holds a SharedMemory<V>.
template <class V, class Factors>
__device__ __forceinline__ void compute_promoted_tiles(GemmArgs const& args, TensorMaps const& maps,
                                                       unsigned char* memory, Factors const& factors) {
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  fetch_ahead<V>(args, maps.ahead);
  initialise(shared, maps);
  int const rounds = Rounds<V>::count(args.k);
  ClusterTiles<V> tiles(args, maps.supertile, rounds * Rounds<V>::kStages);
  if (is_copy_thread<V>()) return copy_tiles(shared, maps, tiles);
  become_math_thread<V>();
  int const group = group_number();
  RingReader<V> ring(shared);
  auto const results = results_of<V>(args, shared.strips, maps.d, maps.stores_d);
  PromotedSums<V, Factors> sums(ring, group, factors);
  if constexpr (V::kShape.share == Share::turns) {
    promote_in_turns(sums, results, tiles, rounds, ring, group);
  } else {
    promote_together(sums, results, tiles, rounds);
  }
  results.finish();
}

}  // namespace perfcheck::wgmma
