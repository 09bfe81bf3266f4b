// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32 on one CPU core.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              Multiply blocks that fit in the cache: a block of B is copied once and then used for every row of a
//                   block of D, whose sums stay in the cache as well.
// Previous step     naive: the loops over D and over k are split into blocks, and the innermost loop runs along a row,
//                   which lets the compiler use the vector instructions that every CPU of the architecture has.
// Tile              64 x 128 elements of D, 128 steps of k.
// Memory            96 KiB: a block of B and a block of sums.
// Requires          Nothing.
// Limits            Sums travel between registers and cache in every step of k.
#include <perfcheck/gemm.h>

#include <algorithm>

namespace {

using namespace perfcheck;

constexpr int kTileM = 64;
constexpr int kTileN = 128;
constexpr int kTileK = 128;

struct Block {
  int first, size;
};

/// The block that starts at `first`, cut off at the end of the matrix.
Block block_at(int first, int tile, int size) { return {first, std::min(tile, size - first)}; }

/// b(k, column) of a block of B, rows contiguous; what lies outside of B is never used.
void copy_b(GemmArgs const& args, Block k, Block columns, float (&b)[kTileK][kTileN]) {
  bool const column_major = args.b_layout == BLayout::column_major;
  auto const* const from = static_cast<float const*>(args.b);
  for (int i = 0; i < k.size; ++i) {
    for (int j = 0; j < columns.size; ++j) {
      int64_t const row = k.first + i;
      int64_t const column = columns.first + j;
      b[i][j] = from[column_major ? column * args.ldb + row : row * args.ldb + column];
    }
  }
}

void add_products(GemmArgs const& args, Block rows, Block columns, Block k, float const (&b)[kTileK][kTileN],
                  float (&sums)[kTileM][kTileN]) {
  for (int i = 0; i < rows.size; ++i) {
    float const* const a = static_cast<float const*>(args.a) + (rows.first + i) * args.lda + k.first;
    for (int p = 0; p < k.size; ++p) {
      for (int j = 0; j < columns.size; ++j) {
        sums[i][j] += a[p] * b[p][j];
      }
    }
  }
}

void store(GemmArgs const& args, Block rows, Block columns, float const (&sums)[kTileM][kTileN]) {
  auto const* const c = static_cast<float const*>(args.c);
  auto* const d = static_cast<float*>(args.d);
  for (int i = 0; i < rows.size; ++i) {
    for (int j = 0; j < columns.size; ++j) {
      int64_t const at = (rows.first + i) * args.ldd + columns.first + j;
      d[at] = args.beta == 0.0F ? args.alpha * sums[i][j] : args.alpha * sums[i][j] + args.beta * c[at];
    }
  }
}

void launch(GemmArgs const& args) {
  alignas(64) float b[kTileK][kTileN];
  alignas(64) float sums[kTileM][kTileN];
  for (int column = 0; column < args.n; column += kTileN) {
    Block const columns = block_at(column, kTileN, args.n);
    for (int row = 0; row < args.m; row += kTileM) {
      Block const rows = block_at(row, kTileM, args.m);
      std::fill_n(&sums[0][0], kTileM * kTileN, 0.0F);
      for (int first = 0; first < args.k; first += kTileK) {
        Block const k = block_at(first, kTileK, args.k);
        copy_b(args, k, columns, b);
        add_products(args, rows, columns, k, b, sums);
      }
      store(args, rows, columns, sums);
    }
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(blocked, .summary = "blocks that fit in the cache, plain C++", .types = GemmTypes::f32,
                      .launch = launch);
