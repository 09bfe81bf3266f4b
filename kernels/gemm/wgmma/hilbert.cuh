// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Hilbert's curve through the tiles of a rectangle of any size. Tiles that follow each other are neighbours, at every
// scale: those of a round lie close together in both directions, and so do those of the next round, next to them.
#pragma once

#include <perfcheck/tile.cuh>

namespace perfcheck::wgmma {

/// A rectangle of tiles that the curve passes from the corner `at` along its length: it ends at the other end of that
/// side.
struct TileStrip {
  TileIndex at;
  int row_step = 0, column_step = 0;  ///< to the next tile along the length; exchanged, across it
  int length = 0, width = 0;

  __device__ __forceinline__ void move_along(int tiles) {
    at.row += row_step * tiles;
    at.column += column_step * tiles;
  }
  __device__ __forceinline__ void move_across(int tiles) {
    at.row += column_step * tiles;
    at.column += row_step * tiles;
  }
};

/// Tile `number` of the curve through `rows` x `columns` tiles, for any sizes by the rules of J. Cerveny's generalised
/// curve (github.com/jakubcerveny/gilbert): a rectangle at most 1.5 times as long as wide is cut in three, which are
/// passed up, along and down; a longer one in two, one behind the other; halves have even sizes if they can. Each step
/// then leads to a neighbour, but for at most one that is diagonal, where the longer side is odd and the shorter one is
/// even. Instead of following the curve, this looks only into the part that holds the tile, until that is a single
/// line: no divisions, and some twenty instructions for each cut.
__device__ __forceinline__ TileIndex hilbert_tile(int number, int rows, int columns) {
  bool const wide = columns >= rows;
  TileStrip strip{.at = {},
                  .row_step = wide ? 0 : 1,
                  .column_step = wide ? 1 : 0,
                  .length = wide ? columns : rows,
                  .width = wide ? rows : columns};
#pragma unroll 1
  while (strip.length > 1 && strip.width > 1) {
    int length = strip.length / 2, width = strip.width / 2;
    if (2 * strip.length > 3 * strip.width) {
      if (strip.length > 2) length += length % 2;
      int const first = length * strip.width;
      if (number < first) {
        strip.length = length;
      } else {
        number -= first;
        strip.move_along(length);
        strip.length -= length;
      }
      continue;
    }
    if (strip.width > 2) width += width % 2;
    int const up = length * width, along = strip.length * (strip.width - width);
    if (number >= up && number < up + along) {
      number -= up;
      strip.move_across(width);
      strip.width -= width;
      continue;
    }
    // Up or down: length and width change places.
    int sign = 1;
    if (number >= up) {
      number -= up + along;
      strip.move_along(strip.length - 1);
      strip.move_across(width - 1);
      length = strip.length - length;
      sign = -1;
    }
    int const before = strip.row_step;
    strip.row_step = sign * strip.column_step;
    strip.column_step = sign * before;
    strip.length = width;
    strip.width = length;
  }
  if (strip.length > 1) {
    strip.move_along(number);
  } else {
    strip.move_across(number);
  }
  return strip.at;
}

}  // namespace perfcheck::wgmma
