// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How a block of kernels/gemm/wgmma is cut up, and where an element lies in its shared memory. In all files of this
// folder a group is a warpgroup: four warps that execute wgmma together.
#pragma once

#include <perfcheck/gemm.h>
#include <perfcheck/gemm_tuning.h>
#include <perfcheck/tile.cuh>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace perfcheck::wgmma {

constexpr int kWarp = 32;
constexpr int kGroupWarps = 4;
constexpr int kGroupThreads = kGroupWarps * kWarp;
constexpr int kLineBytes = 128;  // of k of a row of A: what the copy engine swizzles
constexpr int kStepBytes = 32;   // of k, that one wgmma multiplies
constexpr int kSteps = kLineBytes / kStepBytes;
constexpr int kRows = 64;  // of a wgmma
constexpr int kWarpRows = kRows / kGroupWarps;
constexpr int kMostBoxLines = 256;  // in one request to the copy engine

/// Elements of a line.
template <class In>
constexpr int kLineK = kLineBytes / int{sizeof(In)};

/// How groups of a block share its work.
enum class Share {
  rows,     ///< each has some rows of the block's tile
  columns,  ///< each has some columns of it
  turns,    ///< each has tiles of its own, and they take turns ("ping-pong")
};

/// How a block is cut up. Blocks of a cluster have neighbouring tiles, cluster_m of them below each other and cluster_n
/// beside each other. With several parts, there are so many blocks for each of these tiles.
struct Shape {
  int tile_m = 0, tile_n = 0;  ///< of D, per block
  int groups = 1;              ///< that multiply
  Share share = Share::rows;
  int stages = 1;  ///< in the ring
  int lines = 1;   ///< of 128 bytes of k, of each row, in a stage of a column-major B: fetched by one request
  int strips = 0;  ///< per warp, that results pass through on their way to D; 0: they go there directly
  int cluster_m = 1, cluster_n = 1;
  int rows_together = 8;    ///< rows of clusters' tiles that a supertile has (order.cuh)
  bool hilbert = false;     ///< clusters' tiles follow Hilbert's curve (hilbert.cuh) instead
  bool turns_back = false;  ///< every other tile is multiplied from the last k to the first
  int halves = 0;           ///< stages at the ends of a tile that are multiplied half by half (halves.cuh)
  int pending = 1;          ///< stages whose products may still execute when the next stage's are begun: 0 or 1
  int temporaries = 0;      ///< sets of sums per group that are moved to other registers (promote.cuh): 0, 1 or 2
  int parts = 1;            ///< blocks that share a tile: each multiplies a part of k (parts.cuh)
  int blocks = 1;           ///< that a multiprocessor has room for
  int lines_ahead = 0;      ///< of each row of A and B, that the blocks bring to L2 before all else (ahead.cuh)
  bool quads = false;       ///< without strips: lanes of a quad exchange results (quads.cuh)
  bool d_leaves = false;    ///< stores of D say that L2 may give it up first (evict_first)
  bool swapped = false;     ///< the tile is one of D transposed: B takes the place of A (parts.cuh)

  /// Blocks that fetch for each other.
  __host__ __device__ constexpr int cluster() const { return cluster_m * cluster_n; }
  /// Blocks of a cluster, those of one part after those of the other.
  __host__ __device__ constexpr int cluster_blocks() const { return cluster() * parts; }
  __host__ __device__ constexpr int group_rows() const { return share == Share::rows ? tile_m / groups : tile_m; }
  __host__ __device__ constexpr int group_columns() const { return share == Share::columns ? tile_n / groups : tile_n; }
  __host__ __device__ constexpr int math_threads() const { return groups * kGroupThreads; }
  /// That read each stage.
  __host__ __device__ constexpr int readers() const {
    return (share == Share::turns ? 1 : groups) * kGroupWarps * cluster();
  }
  /// Of 64 rows, per group. A swapped tile may have other rows: then the last instruction reads lines that follow, too,
  /// and what it makes of them is left out.
  __host__ __device__ constexpr int mmas_m() const { return (group_rows() + kRows - 1) / kRows; }
};

/// "128x256-4" is tile and stages. "-l2" follows for stages of several lines, "-pp" for groups that take turns, "-sc"
/// for groups side by side, "-c2x1" for a cluster, "-r16" for supertiles of other than 8 rows, "-hil" for Hilbert's
/// curve, "-tb" for tiles that turn back, "-h1" for halves, "-s4" for other than 2 strips, "-w0" for a ring that is
/// drained after each stage, "-t2" for temporary sums, "-k4" for parts, which have no strips, and "-b2" for blocks of a
/// multiprocessor. "-q" stands for results that lanes exchange, "-a4" for lines that are fetched ahead, "-dl" for a D
/// that leaves L2 first. Of a swapped tile, too, rows of D come first.
constexpr PointName point_name(Shape const& shape) {
  PointName name;
  std::size_t at = 0;
  auto const append = [&](std::string_view text) {
    for (char const c : text) name.text[at++] = c;
  };
  auto const append_sizes = [&](int rows, int columns) {
    append(shape.swapped ? join_with_x({columns, rows}) : join_with_x({rows, columns}));
  };
  append_sizes(shape.tile_m, shape.tile_n);
  append("-");
  append(join_with_x({shape.stages}));
  if (shape.lines > 1) {
    append("-l");
    append(join_with_x({shape.lines}));
  }
  if (shape.share == Share::turns) append("-pp");
  if (shape.share == Share::columns) append("-sc");
  if (shape.cluster() > 1) {
    append("-c");
    append_sizes(shape.cluster_m, shape.cluster_n);
  }
  if (shape.rows_together != 8) {
    append("-r");
    append(join_with_x({shape.rows_together}));
  }
  if (shape.hilbert) append("-hil");
  if (shape.turns_back) append("-tb");
  if (shape.halves > 0) {
    append("-h");
    append(join_with_x({shape.halves}));
  }
  if (shape.quads) {
    append("-q");
  } else if (shape.strips != 2 && shape.parts == 1 && !shape.swapped) {
    append("-s");
    append(join_with_x({shape.strips}));
  }
  if (shape.lines_ahead > 0) {
    append("-a");
    append(join_with_x({shape.lines_ahead}));
  }
  if (shape.d_leaves) append("-dl");
  if (shape.pending == 0) append("-w0");
  if (shape.temporaries > 0) {
    append("-t");
    append(join_with_x({shape.temporaries}));
  }
  if (shape.parts > 1) {
    append("-k");
    append(join_with_x({shape.parts}));
  }
  if (shape.blocks > 1) {
    append("-b");
    append(join_with_x({shape.blocks}));
  }
  return name;
}

// A stage consists of lines of 128 bytes, those of A first; of several lines of each row, those of one k of all rows
// come before those of the next. A line of A is 128 bytes of k of a row; a line of a column-major B is 128 bytes of k
// of a column. A row-major B, which wgmma reads only if its elements have 16 bits (transposed.cuh is for others), is
// cut into boxes of 128 bytes of columns; a line is such a box at one k, and the lines of a box, as many as it has
// columns, follow each other. Contiguous rows in A's place are cut into boxes likewise. Within line l, chunk c of 16
// bytes lies at place c ^ (l % 8), as the copy engine's swizzle of 128 bytes puts it and as wgmma expects it.

/// The shapes of `Shapes` for which kFits is true.
template <class Shapes, bool (*kFits)(Shape const&)>
constexpr auto shapes_that() {
  constexpr int kCount = std::count_if(std::begin(Shapes::kShapes), std::end(Shapes::kShapes), kFits);
  std::array<Shape, kCount> shapes;
  std::copy_if(std::begin(Shapes::kShapes), std::end(Shapes::kShapes), shapes.begin(), kFits);
  return shapes;
}

/// The shapes of `Shapes` that the instructions of `In` have: those of INT8 have a multiple of 16 columns.
template <class Shapes, class In>
struct ShapesFor {
  static constexpr bool fits(Shape const& shape) { return !std::is_integral_v<In> || shape.group_columns() % 16 == 0; }
  static constexpr auto kShapes = shapes_that<Shapes, fits>();
};

/// What the kernels are templates over: one type, because nvcc takes no struct as the value of a parameter of a kernel.
template <class TypesRow, class Shapes, int kPoint, BLayout kLayout>
struct Variant {
  using Row = TypesRow;
  using In = typename Row::In;
  using Sum = typename Row::Sum;
  using Out = typename Row::Out;
  static constexpr Shape kShape = Shapes::kShapes[kPoint];
  // Of what takes B's place, which is A, column-major, if tiles are swapped. A row-major B is then, in A's place, a
  // matrix whose rows are contiguous.
  static constexpr bool kRowMajor = kLayout == BLayout::row_major && !kShape.swapped;
  static constexpr bool kRowsContiguous = kLayout == BLayout::row_major && kShape.swapped;
  static constexpr int kLines = kRowMajor || kRowsContiguous ? 1 : kShape.lines;  // of a row, in a stage
  static constexpr int kK = kLines * kLineK<In>;                                  // of a stage
  static constexpr int kBoxes = (kShape.tile_n + kK - 1) / kK;                    // of a row-major B
  static constexpr int kBytesA = kLines * kShape.tile_m * kLineBytes;
  static constexpr int kBytesB = (kRowMajor ? kBoxes * kK : kLines * kShape.tile_n) * kLineBytes;
  static constexpr int kStageBytes = kBytesA + kBytesB;

  static_assert(!kRowMajor || kShape.group_columns() % kK == 0 || kShape.share != Share::columns,
                "a group's columns of a row-major B begin with a box");
  static_assert(!kRowsContiguous || (kShape.tile_m % kRows == 0 && kRows == kK && kShape.cluster() == 1),
                "an instruction's rows are a box of lines, of which a stage has as many");
};

}  // namespace perfcheck::wgmma
