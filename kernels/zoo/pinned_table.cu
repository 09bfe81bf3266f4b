// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       where the table lies that tells the kernel in which order to multiply the parts of k.
// Base, slow  in device memory; in pinned host memory, so that each read crosses the bus. The contents are the same.
// Seen by     arguments: an address counts as the kind of memory that it points to.
#include "zoo_gemm.cuh"

#include <cstring>

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

constexpr int kPart = 256;   // columns of A and rows of B in a part
constexpr int kParts = 256;  // most parts that the table can order
__device__ int table_on_device[kParts];

/// The part of k at position `index` of the order. Volatile, so that the read is not cached, as if the table could
/// change.
__device__ __forceinline__ int part_at(int const* table, int index) {
  return *static_cast<int const volatile*>(table + index);
}

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) pinned_table(GemmArgs args, int const* table) {
  __shared__ Tiles tiles;
  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  Sums sums = {};
#pragma unroll 1
  for (int index = 0; index * kPart < args.k; ++index) {
    int const first = part_at(table, index) * kPart;
    GemmArgs part = args;
    part.a = static_cast<float const*>(args.a) + first;
    part.b = static_cast<float const*>(args.b) + first * args.ldb;
    part.k = min(kPart, args.k - first);
    Multiplier<kWhole>(part, tiles, row, column).add_products(part.k, sums, Nothing());
  }
  store_tile<kWhole>(args, row, column, sums);
}

Refusal accepts(GemmProblem const& problem) {
  if (problem.k > kPart * kParts) return "its table has no more than 256 parts of 256 k";
  return refuse_column_major_b(problem);
}

/// Made by the first launch, which is not recorded, and kept until the process ends.
int const* make_table(Stream stream) {
  int order[kParts];
  for (int i = 0; i < kParts; ++i) order[i] = i;
  void* table = nullptr;
  if (kSlow) {
    PERFCHECK_CUDA(cudaHostAlloc(&table, sizeof(order), cudaHostAllocMapped));
    std::memcpy(table, order, sizeof(order));
  } else {
    PERFCHECK_CUDA(cudaMemcpyToSymbolAsync(table_on_device, order, sizeof(order), 0, cudaMemcpyHostToDevice, stream));
    PERFCHECK_CUDA(cudaGetSymbolAddress(&table, table_on_device));
  }
  return static_cast<int const*>(table);
}

void launch(GemmArgs const& args) {
  static int const* const table = make_table(args.stream);
  launch_tiles(pinned_table<true>, pinned_table<false>, args, table);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(pinned_table, .summary = "zoo: a table in the host's memory", .types = GemmTypes::f32,
                      .accepts = accepts, .launch = launch);
