// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of tiles in kernels/gemm/wgmma, and how stream-K cuts them, for many sizes.
#include "cuda_names.h"

#include "stream.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck {
namespace {

std::vector<TileIndex> hilbert_order(int rows, int columns) {
  std::vector<TileIndex> tiles;
  for (int number = 0; number < rows * columns; ++number) tiles.push_back(wgmma::hilbert_tile(number, rows, columns));
  return tiles;
}

/// Calls test(rows, columns) for all small rectangles and a few large ones.
template <class Test>
void for_rectangles(Test const& test) {
  for (int rows = 1; rows <= 24; ++rows) {
    for (int columns = 1; columns <= 24; ++columns) test(rows, columns);
  }
  for (auto const& [rows, columns] : {std::pair{16, 43}, {32, 45}, {1, 500}, {500, 3}, {127, 64}, {128, 128}}) {
    test(rows, columns);
  }
}

TEST(HilbertTile, VisitsEachTileOfAnyRectangleOnce) {
  for_rectangles([](int rows, int columns) {
    std::vector<bool> visited(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (TileIndex const tile : hilbert_order(rows, columns)) {
      ASSERT_TRUE(tile.row >= 0 && tile.row < rows && tile.column >= 0 && tile.column < columns)
          << rows << " x " << columns << ": row " << tile.row << " column " << tile.column;
      auto const at = static_cast<std::size_t>(tile.row * columns + tile.column);
      ASSERT_FALSE(visited[at]) << rows << " x " << columns << ": row " << tile.row << " column " << tile.column;
      visited[at] = true;
    }
  });
}

TEST(HilbertTile, LeadsToANeighbourInEachStepButForOneDiagonal) {
  for_rectangles([](int rows, int columns) {
    auto const tiles = hilbert_order(rows, columns);
    int diagonals = 0;
    for (std::size_t i = 1; i < tiles.size(); ++i) {
      int const down = std::abs(tiles[i].row - tiles[i - 1].row);
      int const aside = std::abs(tiles[i].column - tiles[i - 1].column);
      ASSERT_EQ(std::max(down, aside), 1) << rows << " x " << columns << ", tile " << i;
      diagonals += down * aside;
    }
    bool const may = std::max(rows, columns) % 2 == 1 && std::min(rows, columns) % 2 == 0;
    ASSERT_LE(diagonals, may ? 1 : 0) << rows << " x " << columns;
  });
}

// What the order is for: tiles that are multiplied at the same time have few rows and columns.
TEST(HilbertTile, KeepsThoseThatFollowEachOtherInASmallSquare) {
  auto const tiles = hilbert_order(64, 64);
  for (std::size_t first = 0; first < tiles.size(); first += 64) {
    std::span const some(&tiles[first], 64);
    auto const [top, bottom] = std::ranges::minmax_element(some, {}, &TileIndex::row);
    auto const [left, right] = std::ranges::minmax_element(some, {}, &TileIndex::column);
    EXPECT_EQ(bottom->row - top->row, 7) << first;
    EXPECT_EQ(right->column - left->column, 7) << first;
  }
}

struct Space {
  static constexpr wgmma::Shape kShapes[] = {
      {.tile_m = 256, .tile_n = 192, .groups = 2, .stages = 3, .strips = 2, .cluster_m = 2, .halves = 1},
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2}};
};
template <int kPoint>
using V = wgmma::Variant<mma::F16, Space, kPoint, BLayout::column_major>;

/// Calls test(plan, tiles, text) for plans of `tiles` clusters' tiles.
template <int kPoint, class Test>
void for_plans(Test const& test) {
  constexpr TileSizes kTile = wgmma::cluster_tile<V<kPoint>>();
  for (int clusters : {1, 2, 3, 7, 66, 132}) {
    for (int tiles : {1, 2, 3, 5, 65, 66, 67, 98, 99, 100, 131, 133, 200, 688}) {
      for (int k_blocks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 64, 129}) {
        GemmArgs args;
        args.m = kTile.m - 3;
        args.n = kTile.n * tiles - 5;
        args.k = kTile.k * k_blocks - 7;
        auto const plan = wgmma::make_cluster_plan<V<kPoint>>(args, clusters);
        ASSERT_EQ(plan.k_blocks, k_blocks);
        ASSERT_LE(plan.blocks, clusters);
        test(
            plan, tiles,
            std::to_string(clusters) + " clusters, " + std::to_string(tiles) + " tiles of " + std::to_string(k_blocks));
      }
    }
  }
}

/// Each k-block of each tile belongs to one cluster, no part is too short, and a cluster that begins a tile knows how
/// many continue it.
template <int kPoint>
void expect_plans_to_be_right() {
  for_plans<kPoint>([](auto const& plan, int tiles, std::string const& text) {
    int const shared = tiles - plan.rounds * plan.blocks;
    ASSERT_GE(shared, 0) << text;
    ASSERT_EQ(plan.begin_of(0), 0) << text;
    ASSERT_EQ(plan.begin_of(plan.blocks), shared * plan.k_blocks) << text;
    int const least = std::min(plan.kLeast, plan.k_blocks);
    for (int rank = 0; rank < plan.blocks; ++rank) {
      int const begin = plan.begin_of(rank), end = plan.begin_of(rank + 1);
      ASSERT_LE(begin, end) << text;
      int at = begin;
      while (at < end) {
        int const tile_end = (at / plan.k_blocks + 1) * plan.k_blocks;
        ASSERT_GE(std::min(end, tile_end) - at, least) << text << ", rank " << rank;
        at = std::min(end, tile_end);
      }
      if (begin == end || end % plan.k_blocks == 0) continue;
      int const tile = end / plan.k_blocks;
      int continue_it = 0;
      for (int other = rank + 1; other < plan.blocks; ++other) {
        int const first = plan.begin_of(other);
        if (first / plan.k_blocks == tile && plan.begin_of(other + 1) > first) ++continue_it;
      }
      ASSERT_EQ(plan.ranks_behind(rank), continue_it) << text << ", rank " << rank;
      if (plan.rounds > 0) {
        ASSERT_LE(continue_it, 2) << text << ", rank " << rank;
      }
    }
  });
}

TEST(ClusterPlan, DealsEachKBlockToOneClusterInPartsThatAreLongEnoughForHalves) { expect_plans_to_be_right<0>(); }
TEST(ClusterPlan, DealsEachKBlockToOneClusterInPartsWithoutHalves) { expect_plans_to_be_right<1>(); }

TEST(ClusterPlan, SharesAWholeRoundOnlyWithALastOneThatIsLessThanHalfFull) {
  constexpr TileSizes kTile = wgmma::cluster_tile<V<0>>();
  for (auto const& [tiles, rounds] : {std::pair{688, 9}, {176, 2}, {132, 2}, {98, 0}, {99, 1}, {66, 1}, {20, 0}}) {
    GemmArgs args;
    args.m = kTile.m;
    args.n = kTile.n * tiles;
    args.k = 4096;
    EXPECT_EQ(wgmma::make_cluster_plan<V<0>>(args, 66).rounds, rounds) << tiles;
  }
}

}  // namespace
}  // namespace perfcheck
