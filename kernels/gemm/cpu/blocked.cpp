// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32 on one CPU core.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              Multiply blocks that fit in the cache: a block of B is copied once and then used for every row of a
//                   block of D, whose sums stay in the cache as well.
// Previous step     naive: the loops over D and over k are split into blocks, and the innermost loop runs along a row,
//                   which lets the compiler use the vector instructions that every CPU of the architecture has.
// Tile              64 x 128 elements of D and 128 steps of k, or what `perfcheck tune` found to be faster.
// Memory            96 KiB: a block of B and a block of sums.
// Requires          Nothing.
// Limits            Sums travel between registers and cache in every step of k.
#include <perfcheck/gemm_tuning.h>

#include <algorithm>

namespace {

using namespace perfcheck;

struct Tiling {
  int m, n, k;
};

/// For all of these, both blocks fit in an L2 cache; for the smaller ones, the sums fit in an L1 cache.
constexpr Tiling kTilings[] = {{64, 128, 128}, {32, 128, 128}, {32, 256, 64},
                               {16, 256, 128}, {64, 256, 128}, {64, 512, 64}};

constexpr PointName point_name(Tiling const& tiling) { return join_with_x({tiling.m, tiling.n, tiling.k}); }

/// What is kept in the cache.
template <int kPoint>
struct Blocks {
  static constexpr Tiling kTiling = kTilings[kPoint];
  alignas(64) float b[kTiling.k][kTiling.n];
  alignas(64) float sums[kTiling.m][kTiling.n];
};

struct Block {
  int first, size;
};

/// The block that starts at `first`, cut off at the end of the matrix.
Block block_at(int first, int tile, int size) { return {first, std::min(tile, size - first)}; }

/// Copies a block of B, rows contiguous; the part of blocks.b that lies outside B is never used.
template <int kPoint>
void copy_b(GemmArgs const& args, Block k, Block columns, Blocks<kPoint>& blocks) {
  bool const column_major = args.b_layout == BLayout::column_major;
  auto const* const from = static_cast<float const*>(args.b);
  for (int i = 0; i < k.size; ++i) {
    for (int j = 0; j < columns.size; ++j) {
      int64_t const row = k.first + i;
      int64_t const column = columns.first + j;
      blocks.b[i][j] = from[column_major ? column * args.ldb + row : row * args.ldb + column];
    }
  }
}

template <int kPoint>
void add_products(GemmArgs const& args, Block rows, Block columns, Block k, Blocks<kPoint>& blocks) {
  for (int i = 0; i < rows.size; ++i) {
    float const* const a = static_cast<float const*>(args.a) + (rows.first + i) * args.lda + k.first;
    for (int p = 0; p < k.size; ++p) {
      for (int j = 0; j < columns.size; ++j) {
        blocks.sums[i][j] += a[p] * blocks.b[p][j];
      }
    }
  }
}

template <int kPoint>
void store(GemmArgs const& args, Block rows, Block columns, Blocks<kPoint> const& blocks) {
  auto const* const c = static_cast<float const*>(args.c);
  auto* const d = static_cast<float*>(args.d);
  for (int i = 0; i < rows.size; ++i) {
    for (int j = 0; j < columns.size; ++j) {
      int64_t const at = (rows.first + i) * args.ldd + columns.first + j;
      float const scaled = args.alpha * blocks.sums[i][j];
      d[at] = args.beta == 0.0F ? scaled : scaled + args.beta * c[at];
    }
  }
}

template <int kPoint>
void launch(GemmArgs const& args) {
  constexpr Tiling kTiling = kTilings[kPoint];
  Blocks<kPoint> blocks;
  for (int column = 0; column < args.n; column += kTiling.n) {
    Block const columns = block_at(column, kTiling.n, args.n);
    for (int row = 0; row < args.m; row += kTiling.m) {
      Block const rows = block_at(row, kTiling.m, args.m);
      std::fill_n(&blocks.sums[0][0], kTiling.m * kTiling.n, 0.0F);
      for (int first = 0; first < args.k; first += kTiling.k) {
        Block const k = block_at(first, kTiling.k, args.k);
        copy_b(args, k, columns, blocks);
        add_products(args, rows, columns, k, blocks);
      }
      store(args, rows, columns, blocks);
    }
  }
}

template <int kPoint>
constexpr GemmKernel kKernel{
    .summary = "blocks that fit in the cache, plain C++", .types = GemmTypes::f32, .launch = launch<kPoint>};

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(blocked, kTilings, kKernel);
