// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a launch does before all else: its blocks bring to L2 what all of them want first, the first lines of each row
// of A and B. Each fetches an equal share, whoever needs it, by plain instructions that wait for nothing. The copy
// engine's requests begin some 400 cycles later, when barriers are set up, and find translated addresses, and lines
// that are in L2 or on their way. Without this, blocks that share lines ask memory for them late, and the same lines at
// the same time.
#pragma once

#include "shape.cuh"

#include <perfcheck/divisor.cuh>
#include <perfcheck/ptx_sm90.cuh>
#include <perfcheck/tile.cuh>

#include <algorithm>

namespace perfcheck::wgmma {

/// What the blocks of a launch fetch.
struct Ahead {
  struct Lines {
    int all = 0, of_block = 0;
  };
  Lines a, b;
  int across = 1;     ///< lines of a row of a row-major B, or of what takes A's place
  Divisor by_across;  ///< divides by that
};

/// Rows of A and of a column-major B that are fetched, at most: more than the first tiles of all blocks have.
constexpr int kMostRowsAhead = 8192;

/// For a launch of `blocks` blocks; nothing if the shape does not fetch ahead.
template <class V>
Ahead share_ahead(GemmArgs const& args, int blocks) {
  constexpr int kLines = V::kShape.lines_ahead;
  if constexpr (kLines == 0) return {};
  auto const at_most = [](int most, int64_t count) { return static_cast<int>(std::min<int64_t>(most, count)); };
  int const size = V::kRowsContiguous ? args.m : args.n;
  int const across = at_most(kMostRowsAhead, tiles_to_cover(size * int{sizeof(typename V::In)}, kLineBytes));
  auto const lines = [&](bool along_k, int rows) {
    return along_k ? at_most(kMostRowsAhead, rows) * kLines : at_most(kLines * V::kK, args.k) * across;
  };
  int const a = lines(!V::kRowsContiguous, args.m), b = lines(!V::kRowMajor, args.n);
  return {.a = {.all = a, .of_block = tiles_to_cover(a, blocks)},
          .b = {.all = b, .of_block = tiles_to_cover(b, blocks)},
          .across = across,
          .by_across = {across, std::max(a, b)}};
}

/// Fetches the block's share. To be called by all threads; math threads do it, half of them for each matrix.
template <class V>
__device__ __forceinline__ void fetch_ahead(GemmArgs const& args, Ahead const& ahead) {
  constexpr int kLines = V::kShape.lines_ahead, kThreads = V::kShape.math_threads() / 2;
  constexpr int64_t kElement = sizeof(typename V::In);
  static_assert(kLines == 0 || V::kShape.parts == 1, "parts begin at different k");
  if constexpr (kLines > 0) {
    int const thread = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
    if (thread >= 2 * kThreads) return;
    bool const is_a = thread < kThreads, along_k = is_a ? !V::kRowsContiguous : !V::kRowMajor;
    auto const* const matrix = static_cast<char const*>(is_a ? args.a : args.b);
    int64_t const pitch = (is_a ? args.lda : args.ldb) * kElement;
    int64_t const across_k = is_a ? args.m : args.n, length = (along_k ? args.k : across_k) * kElement;
    Ahead::Lines const lines = is_a ? ahead.a : ahead.b;
#pragma unroll 1
    for (int i = thread % kThreads; i < lines.of_block; i += kThreads) {
      int const number = block * lines.of_block + i;
      int const row = along_k ? number / kLines : ahead.by_across.quotient(number);
      int const line = number - row * (along_k ? kLines : ahead.across);
      if (number < lines.all && line * kLineBytes < length) {
        ptx::prefetch_to_l2(matrix + row * pitch + line * kLineBytes);
      }
    }
    // D's addresses are translated ahead, too.
    int const row = V::kRowsContiguous ? block * V::kShape.tile_m : block * ahead.a.of_block / kLines;
    if (thread == 0 && row < args.m) {
      ptx::prefetch_to_l2(static_cast<typename V::Out const*>(args.d) + row * (V::kShape.swapped ? 1 : args.ldd));
    }
  }
}

}  // namespace perfcheck::wgmma
