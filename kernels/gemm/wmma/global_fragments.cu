// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP16 or BF16 data and FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Tensor cores, through the interface of CUDA C++ (nvcuda::wmma). A warp owns a fragment of 16 x 16
//                   sums. In each step it loads fragments of A and B straight from global memory, 16 x 16 elements
//                   each, and multiplies them: 4096 multiply-adds, two instructions.
// Previous step     simt/naive_f16: a warp and its 16 x 16 sums take the place of a thread and its sum.
// Tile and threads  Block 64 x 64 of D, 16 warps as 4 x 4, a fragment each. Warps do not work together; those of a
//                   block share what they read through the L1 cache.
// Shared memory     24 KiB, 1.5 KiB per warp: fragments that reach over an edge, where load_matrix_sync() would read
//                   past the end, are copied there with zeros around them; sums pass through on their way to D.
// Intensity         2 * 16 * 16 * 16 FLOP for 2 * 16 * 16 elements of 2 bytes, 8 FLOP per byte of L1.
// Expected          A lane reads 4 bytes at a time, from eight rows per instruction: eight lines in L1, of which it
//                   takes 16 bytes each. 20 to 50 TFLOP/s, with the L1 cache busy and tensor cores nearly idle.
// Requires          Compute capability 8.0 (BF16 fragments). lda and ldb must be multiples of 8, as load_matrix_sync()
//                   demands.
// Limits            Every element of A and B is loaded n / 16 and m / 16 times, and nothing is read ahead.
#include <perfcheck/gemm.h>
#include <perfcheck/tile.cuh>

#include "fragments.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wmma;

constexpr Shape kShape{.tile_m = 64, .tile_n = 64, .warp_m = kSide, .warp_n = kSide};

/// Copies 16 x 16 elements, of which `rows` x `columns` exist, to shared memory; the others become zero.
template <class Element>
__device__ __forceinline__ void copy_edge(Element* shared, Element const* from, int64_t ld, int rows, int columns) {
  __syncwarp();  // the last fragment has been loaded from here
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x) % kWarp; i < kSide * kSide; i += kWarp) {
    int const row = i / kSide, column = i % kSide;
    shared[i] = row < rows && column < columns ? from[row * ld + column] : Element(0.0F);
  }
  __syncwarp();
}

/// Loads 16 x 16 elements, of which `rows` x `columns` exist. `edge` is the warp's space for those that do not.
template <class Fragment, class Element>
__device__ __forceinline__ void load_fragment(Fragment& fragment, Element const* from, int64_t ld, int rows,
                                              int columns, Element* edge) {
  if (rows >= kSide && columns >= kSide) {
    api::load_matrix_sync(fragment, from, static_cast<unsigned>(ld));
  } else {
    copy_edge(edge, from, ld, rows, columns);
    api::load_matrix_sync(fragment, edge, kSide);
  }
}

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads()) global_fragments(GemmArgs const args) {
  using Element = typename T::Element;
  constexpr bool kRowMajor = kLayout == BLayout::row_major;
  __shared__ __align__(128) unsigned char memory[kStripBytes<T, kShape>];
  // The warp's strip of sums is not needed yet, and has room for two fragments.
  int const warp_index = static_cast<int>(threadIdx.x) / kWarp;
  auto* const edge = reinterpret_cast<Element*>(memory + warp_index * (kStripBytes<T, kShape> / kShape.warps()));
  static_assert(kStripBytes<T, kShape> / kShape.warps() >= 2 * kSide * kSide * int{sizeof(Element)});

  int const tiles_n = tiles_to_cover(args.n, kShape.tile_n);
  int const tile_row = static_cast<int>(blockIdx.x) / tiles_n * kShape.tile_m;
  int const tile_column = static_cast<int>(blockIdx.x) % tiles_n * kShape.tile_n;
  WarpPlace<kShape> const warp;
  int const row = tile_row + warp.row, column = tile_column + warp.column;
  if (row >= args.m || column >= args.n) return;

  Element const* a_next = static_cast<Element const*>(args.a) + row * args.lda;
  Element const* b_next = static_cast<Element const*>(args.b) + (kRowMajor ? column : column * args.ldb);
  int const rows = args.m - row, columns = args.n - column;
  WarpSums<T, kShape> sums;
#pragma unroll 1
  for (int k_left = args.k; k_left > 0; k_left -= T::kMmaK) {
    FragmentA<T> a;
    FragmentB<T, kLayout> b[1];
    load_fragment(a, a_next, args.lda, rows, k_left, edge);
    load_fragment(b[0], b_next, args.ldb, kRowMajor ? k_left : columns, kRowMajor ? columns : k_left,
                  edge + kSide * kSide);
    sums.template add_row<kLayout>(0, a, b);
    a_next += T::kMmaK;
    b_next += kRowMajor ? T::kMmaK * args.ldb : T::kMmaK;
  }
  __syncwarp();
  sums.store(args, tile_row, tile_column, memory);
}

template <class T>
void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kShape.tile_m) * tiles_to_cover(args.n, kShape.tile_n);
  auto const kernel = args.b_layout == BLayout::row_major ? global_fragments<T, BLayout::row_major>
                                                          : global_fragments<T, BLayout::column_major>;
  kernel<<<blocks, kShape.threads(), 0, args.stream>>>(args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "wmma from global memory, one fragment per warp",
                             .types = T::kTypes,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(global_fragments_f16, kKernel<F16>);
PERFCHECK_GEMM_KERNEL(global_fragments_bf16, kKernel<Bf16>);
