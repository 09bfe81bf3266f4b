// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32 on one CPU core.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              Sums stay in vector registers: a tile of 6 rows and 2 vectors of D is updated by one outer product
//                   per step of k, from panels of A and B that were copied into the order in which they are read.
// Previous step     blocked: register tile instead of sums in the cache; vector instructions of this very CPU, chosen
//                   when the program runs (Google Highway), instead of those that every CPU has.
// Tile              6 x (2 vectors) of D; panels of 256 steps of k, blocks of 96 rows and 2048 columns.
// Memory            2.1 MiB of workspace: a block of A (fits in the L2 cache) and a block of B, whose panels of at most
//                   32 KiB pass through the L1 cache.
// Requires          Nothing.
// Limits            One core; edges are computed as whole tiles filled up with zeros.
#include <perfcheck/gemm.h>

#include <algorithm>

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per instruction set, by including
// this file once for each.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gemm/cpu/simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef PERFCHECK_GEMM_CPU_SIMD_BLOCKS
#define PERFCHECK_GEMM_CPU_SIMD_BLOCKS
namespace perfcheck::simd {

constexpr int kTileM = 6;
constexpr int kBlockM = 96;
constexpr int kBlockN = 2048;
constexpr int kBlockK = 256;
constexpr int kWidestTileN = 32;  ///< two vectors of 512 bits
static_assert(kBlockM % kTileM == 0, "a block of rows is whole tiles");
static_assert(kBlockN % kWidestTileN == 0, "a block of columns is whole tiles of every width");

constexpr std::size_t kAFloats = std::size_t{kBlockM} * kBlockK;
constexpr std::size_t kBFloats = std::size_t{kBlockN} * kBlockK;

struct Block {
  int first, size;
};

}  // namespace perfcheck::simd
#endif

HWY_BEFORE_NAMESPACE();
namespace perfcheck::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace perfcheck::simd;

using Tag = hn::CappedTag<float, kWidestTileN / 2>;

int tile_n() { return static_cast<int>(2 * hn::Lanes(Tag())); }

/// Panels of kTileM rows, each with its rows side by side at every step of k; missing rows are zero.
void copy_a(GemmArgs const& args, Block rows, Block k, float* to) {
  for (int row = 0; row < rows.size; row += kTileM) {
    for (int p = 0; p < k.size; ++p) {
      for (int i = 0; i < kTileM; ++i) {
        bool const inside = row + i < rows.size;
        *to++ = inside ? static_cast<float const*>(args.a)[(rows.first + row + i) * args.lda + k.first + p] : 0.0F;
      }
    }
  }
}

/// Panels of tile_n() columns, likewise.
void copy_b(GemmArgs const& args, Block columns, Block k, float* to) {
  bool const column_major = args.b_layout == BLayout::column_major;
  int64_t const k_stride = column_major ? 1 : args.ldb;
  int64_t const column_stride = column_major ? args.ldb : 1;
  int const width = tile_n();
  for (int column = 0; column < columns.size; column += width) {
    float const* const from =
        static_cast<float const*>(args.b) + k.first * k_stride + (columns.first + column) * column_stride;
    int const inside = std::min(width, columns.size - column);
    for (int p = 0; p < k.size; ++p) {
      for (int j = 0; j < width; ++j) {
        *to++ = j < inside ? from[p * k_stride + j * column_stride] : 0.0F;
      }
    }
  }
}

/// Computes sums(kTileM, tile_n()), the product of a panel of A and a panel of B. Twelve variables instead of an array:
/// vectors whose length is known only at run time cannot be elements of an array.
HWY_INLINE void multiply_panels(float const* HWY_RESTRICT a, float const* HWY_RESTRICT b, int depth,
                                float* HWY_RESTRICT sums) {
  Tag const tag;
  auto const lanes = static_cast<int>(hn::Lanes(tag));
  auto s00 = hn::Zero(tag), s10 = s00, s20 = s00, s30 = s00, s40 = s00, s50 = s00;
  auto s01 = s00, s11 = s00, s21 = s00, s31 = s00, s41 = s00, s51 = s00;
  for (int p = 0; p < depth; ++p, a += kTileM, b += 2 * lanes) {
    auto const b0 = hn::Load(tag, b);
    auto const b1 = hn::Load(tag, b + lanes);
    auto const a0 = hn::Set(tag, a[0]);
    s00 = hn::MulAdd(a0, b0, s00);
    s01 = hn::MulAdd(a0, b1, s01);
    auto const a1 = hn::Set(tag, a[1]);
    s10 = hn::MulAdd(a1, b0, s10);
    s11 = hn::MulAdd(a1, b1, s11);
    auto const a2 = hn::Set(tag, a[2]);
    s20 = hn::MulAdd(a2, b0, s20);
    s21 = hn::MulAdd(a2, b1, s21);
    auto const a3 = hn::Set(tag, a[3]);
    s30 = hn::MulAdd(a3, b0, s30);
    s31 = hn::MulAdd(a3, b1, s31);
    auto const a4 = hn::Set(tag, a[4]);
    s40 = hn::MulAdd(a4, b0, s40);
    s41 = hn::MulAdd(a4, b1, s41);
    auto const a5 = hn::Set(tag, a[5]);
    s50 = hn::MulAdd(a5, b0, s50);
    s51 = hn::MulAdd(a5, b1, s51);
  }
  hn::Store(s00, tag, sums), hn::Store(s01, tag, sums + lanes);
  hn::Store(s10, tag, sums + 2 * lanes), hn::Store(s11, tag, sums + 3 * lanes);
  hn::Store(s20, tag, sums + 4 * lanes), hn::Store(s21, tag, sums + 5 * lanes);
  hn::Store(s30, tag, sums + 6 * lanes), hn::Store(s31, tag, sums + 7 * lanes);
  hn::Store(s40, tag, sums + 8 * lanes), hn::Store(s41, tag, sums + 9 * lanes);
  hn::Store(s50, tag, sums + 10 * lanes), hn::Store(s51, tag, sums + 11 * lanes);
}

/// Adds a tile's sums to those of earlier blocks of k. D holds them until the last block, when alpha and beta C are
/// applied.
void store(GemmArgs const& args, Block rows, Block columns, Block k, float const* sums) {
  bool const is_first = k.first == 0;
  bool const is_last = k.first + k.size == args.k;
  int const width = tile_n();
  for (int i = 0; i < rows.size; ++i) {
    int64_t const at = (rows.first + i) * args.ldd + columns.first;
    float* const d = static_cast<float*>(args.d) + at;
    for (int j = 0; j < columns.size; ++j) {
      float const sum = is_first ? sums[i * width + j] : d[j] + sums[i * width + j];
      d[j] = is_last ? args.alpha * sum : sum;
    }
    if (!is_last || args.beta == 0.0F) continue;
    float const* const c = static_cast<float const*>(args.c) + at;
    for (int j = 0; j < columns.size; ++j) {
      d[j] += args.beta * c[j];
    }
  }
}

void multiply_blocks(GemmArgs const& args, Block rows, Block columns, Block k, float const* a, float const* b) {
  HWY_ALIGN float sums[kTileM * kWidestTileN];
  int const width = tile_n();
  for (int column = 0; column < columns.size; column += width) {
    for (int row = 0; row < rows.size; row += kTileM) {
      multiply_panels(a + row * k.size, b + column * k.size, k.size, sums);
      store(args, {rows.first + row, std::min(kTileM, rows.size - row)},
            {columns.first + column, std::min(width, columns.size - column)}, k, sums);
    }
  }
}

void multiply(GemmArgs const& args) {
  auto* const a = static_cast<float*>(args.workspace);
  float* const b = a + kAFloats;
  for (int column = 0; column < args.n; column += kBlockN) {
    Block const columns{column, std::min(kBlockN, args.n - column)};
    for (int first = 0; first < args.k; first += kBlockK) {
      Block const k{first, std::min(kBlockK, args.k - first)};
      copy_b(args, columns, k, b);
      for (int row = 0; row < args.m; row += kBlockM) {
        Block const rows{row, std::min(kBlockM, args.m - row)};
        copy_a(args, rows, k, a);
        multiply_blocks(args, rows, columns, k, a, b);
      }
    }
  }
}

}  // namespace
}  // namespace perfcheck::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perfcheck {
HWY_EXPORT(multiply);
}  // namespace perfcheck

namespace {

using namespace perfcheck;

std::size_t workspace_bytes(GemmProblem const& /*problem*/) {
  return (simd::kAFloats + simd::kBFloats) * sizeof(float);
}

void launch(GemmArgs const& args) { HWY_DYNAMIC_DISPATCH(perfcheck::multiply)(args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(simd,
                      .summary = "register tile of 6 x 2 vectors, packed panels, instruction set chosen at run time",
                      .types = GemmTypes::f32, .workspace_bytes = workspace_bytes, .launch = launch);
#endif
