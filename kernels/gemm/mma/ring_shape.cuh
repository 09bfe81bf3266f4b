// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The ring: tiles of A and B on their way from global memory to the tensor cores, through a few stages of shared
// memory. This file says how a block is cut into warps and where an element lies in a stage; ring_math.cuh multiplies,
// ring_store.cuh stores, ring_copy.cuh fills the ring by the copy engine (TMA) and ring_async_copy.cuh by cp.async.
#pragma once

#include <perfcheck/gemm.h>
#include <perfcheck/gemm_tuning.h>
#include <perfcheck/tile.cuh>

#include <cstdint>

namespace perfcheck::mma {

constexpr int kWarp = 32;
constexpr int kLineBytes = 128;  // of k of a row of A: what the copy engine swizzles
constexpr int kStepBytes = 32;   // of k, that one mma.sync multiplies
constexpr int kSteps = kLineBytes / kStepBytes;

/// Elements of a line.
template <class In>
constexpr int kLineK = kLineBytes / int{sizeof(In)};

/// How a block is cut into warps.
struct Shape {
  int tile_m = 0, tile_n = 0;  ///< of D, per block; multiples of warp_m and warp_n
  int warp_m = 0, warp_n = 0;  ///< of D, per warp; multiples of 16
  int stages = 0;              ///< in the ring
  int slices = 1;              ///< of a stage, each kLineBytes of k: 1 or 2
  int groups = 1;              ///< of warps that compute the same tile: 1, 2 or 4, each every groups-th step of k
  int blocks = 1;              ///< per multiprocessor
  int parts = 1;               ///< into which k is cut, each for a block of a cluster (split_k)

  __host__ __device__ constexpr int warps_n() const { return tile_n / warp_n; }
  __host__ __device__ constexpr int group_warps() const { return tile_m / warp_m * warps_n(); }
  __host__ __device__ constexpr int group_threads() const { return group_warps() * kWarp; }
  __host__ __device__ constexpr int math_warps() const { return group_warps() * groups; }
  __host__ __device__ constexpr int math_threads() const { return math_warps() * kWarp; }
  __host__ __device__ constexpr int slice_bytes() const { return (tile_m + tile_n) * kLineBytes; }
  __host__ __device__ constexpr int stage_bytes() const { return slices * slice_bytes(); }
  __host__ __device__ constexpr int ring_bytes() const { return stages * stage_bytes(); }
  __host__ __device__ constexpr int steps() const { return slices * kSteps / groups; }  // of a warp, in a stage
  /// 16 x 8 tiles of mma.sync per warp.
  __host__ __device__ constexpr int mmas_m() const { return warp_m / 16; }
  __host__ __device__ constexpr int mmas_n() const { return warp_n / 8; }
  __host__ __device__ constexpr int sums() const { return warp_m * warp_n / kWarp; }  // per thread
};

/// "128x256-64x64-4" is tile, warp and stages; "-s2" follows for two slices, "-g2" for two groups, "-b2" for two
/// blocks, "-p2" for two parts.
constexpr PointName point_name(Shape const& shape) {
  PointName const parts[] = {join_with_x({shape.tile_m, shape.tile_n}), join_with_x({shape.warp_m, shape.warp_n}),
                             join_with_x({shape.stages})};
  PointName name;
  std::size_t at = 0;
  for (std::string_view const part : parts) {
    if (at > 0) name.text[at++] = '-';
    for (char const c : part) name.text[at++] = c;
  }
  auto const append = [&](char letter, int number) {
    if (number == 1) return;
    name.text[at++] = '-';
    name.text[at++] = letter;
    name.text[at++] = static_cast<char>('0' + number);
  };
  append('s', shape.slices);
  append('g', shape.groups);
  append('b', shape.blocks);
  append('p', shape.parts);
  return name;
}

// A stage consists of slices, one or two, that follow each other along k. A slice consists of lines of 128 bytes, those
// of A first. A line of A is the slice's k of a row; a line of a column-major B is the slice's k of a column. A
// row-major B is cut into boxes of 128 bytes of columns; a line is such a box at one k, and the lines of a box follow
// each other. Within line l, chunk c of 16 bytes lies at place c ^ (l % 8), as the copy engine's swizzle of 128 bytes
// puts it: the same chunk of eight consecutive lines, which is what ldmatrix reads, then lies in eight different groups
// of four banks.

/// Offset of a chunk in a slice or an operand's tile, whose first line is a multiple of 8.
__host__ __device__ constexpr int line_offset(int line, int chunk) {
  return line * kLineBytes + (chunk ^ (line % 8)) * 16;
}

/// What the kernels of a ring are templates over: one type, because nvcc takes no struct as the value of a parameter of
/// a kernel.
template <class TypesRow, class Shapes, int kPoint, BLayout kLayout>
struct Variant {
  using Row = TypesRow;
  using In = typename Row::In;
  using Sum = typename Row::Sum;
  using Out = typename Row::Out;
  static constexpr Shape kShape = Shapes::kShapes[kPoint];
  static constexpr bool kRowMajor = kLayout == BLayout::row_major;
  /// Columns are dealt to the tiles of mma.sync four by four (ring_math.cuh).
  static constexpr bool kDealt = kRowMajor && sizeof(In) != 2;
};

}  // namespace perfcheck::mma
