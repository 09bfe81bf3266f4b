// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What kernels of kernels/gemm/wgmma bring to L2 before all else: all blocks together the first lines of each row.
#include "cuda_names.h"

#include "parts.cuh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace perfcheck {
namespace {

constexpr int kLines = 3;
constexpr int64_t kElement = 2;
// No one reads there.
constexpr std::uintptr_t kA = 0x1000'0000, kB = 0x2000'0000, kD = 0x3000'0000, kEnd = 0x4000'0000;

struct Space {
  static constexpr wgmma::Shape kShapes[] = {
      {.tile_m = 64, .tile_n = 64, .groups = 1, .stages = 2, .lines_ahead = kLines, .quads = true},
      {.tile_m = 64, .tile_n = 16, .stages = 2, .lines_ahead = kLines, .swapped = true}};
};

struct Sizes {
  int m, n, k, blocks;
};

/// The first lines of each of `rows` rows of `length` elements.
void add_lines(std::vector<std::uintptr_t>& lines, std::uintptr_t matrix, int64_t rows, int64_t length, int64_t pitch,
               int64_t most) {
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t line = 0; line < most && line * wgmma::kLineBytes < length * kElement; ++line) {
      lines.push_back(matrix + static_cast<std::uintptr_t>(row * pitch * kElement + line * wgmma::kLineBytes));
    }
  }
}

/// Launches what fetches ahead, and expects each line once, and of D only what lies within it.
template <BLayout kLayout, int kPoint>
void expect_each_line_once(Sizes const& sizes) {
  using V = wgmma::Variant<mma::Bf16, Space, kPoint, kLayout>;
  constexpr bool kRowMajor = kLayout == BLayout::row_major;
  GemmArgs args;
  args.m = sizes.m;
  args.n = sizes.n;
  args.k = sizes.k;
  args.lda = sizes.k + 8;
  args.ldb = (kRowMajor ? sizes.n : sizes.k) + 16;
  args.ldd = sizes.n + 24;
  args.a = reinterpret_cast<void const*>(kA);
  args.b = reinterpret_cast<void const*>(kB);
  args.d = reinterpret_cast<void*>(kD);

  std::vector<std::uintptr_t> expected;
  add_lines(expected, kA, std::min(sizes.m, wgmma::kMostRowsAhead), sizes.k, args.lda, kLines);
  if (kRowMajor) {
    add_lines(expected, kB, std::min(sizes.k, kLines * V::kK), sizes.n, args.ldb, sizes.n);
  } else {
    add_lines(expected, kB, sizes.n, sizes.k, args.ldb, kLines);
  }

  std::vector<std::uintptr_t> fetched, of_d;
  emulated::device().prefetches = [&](void const* address) {
    auto const at = reinterpret_cast<std::uintptr_t>(address);
    (at >= kD && at < kEnd ? of_d : fetched).push_back(at);
  };
  GemmArgs const seen = wgmma::as_tiles_see<V>(args);
  auto const share = wgmma::share_ahead<V>(seen, sizes.blocks);
  emulated::run({.blocks = sizes.blocks, .cluster = 1, .threads = wgmma::kThreads<V>},
                [&] { wgmma::fetch_ahead<V>(seen, share); });
  emulated::device().prefetches = nullptr;

  std::ranges::sort(fetched);
  std::ranges::sort(expected);
  EXPECT_EQ(fetched, expected);
  EXPECT_THAT(of_d, testing::Not(testing::IsEmpty()));
  EXPECT_THAT(of_d, testing::Each(testing::Lt(kD + static_cast<std::uintptr_t>(args.m * args.ldd * kElement))));
}

TEST(FetchAhead, BringsEachFirstLineOnceWhateverTheSizesAndBlocks) {
  for (Sizes const& sizes :
       {Sizes{1, 1, 1, 1}, Sizes{64, 64, 64, 1}, Sizes{1, 300, 1000, 5}, Sizes{257, 65, 100, 10},
        Sizes{130, 520, 191, 27}, Sizes{1000, 8, 4096, 16}, Sizes{3, 5, 70, 64}, Sizes{9000, 16, 8, 3}}) {
    SCOPED_TRACE(std::to_string(sizes.m) + " x " + std::to_string(sizes.n) + " x " + std::to_string(sizes.k) + ", " +
                 std::to_string(sizes.blocks) + " blocks");
    expect_each_line_once<BLayout::column_major, 0>(sizes);
    expect_each_line_once<BLayout::row_major, 0>(sizes);
    // Tiles of D transposed.
    expect_each_line_once<BLayout::column_major, 1>(sizes);
    expect_each_line_once<BLayout::row_major, 1>(sizes);
  }
}

}  // namespace
}  // namespace perfcheck
