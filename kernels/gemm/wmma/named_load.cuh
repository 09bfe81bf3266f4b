// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads of WMMA fragments from shared memory, by an instruction that names the address space. load_matrix_sync() of
// BF16 and TF32 fragments becomes wmma.load with a generic address, which ptxas cannot turn into ldmatrix.
#pragma once

#include <perfcheck/ptx_sm80.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "fragments.cuh"

namespace perfcheck::wmma {

// PTX, "Warp-level matrix load instruction: wmma.load". Rows (or columns) must be aligned to the bytes of a lane's part
// of the fragment, here 16. The registers are those of nvcuda::wmma, whose load_matrix_sync() is this instruction.
// The "memory" clobber orders the loads after the barrier that publishes the tile.
#define PERFCHECK_WMMA_LOAD(matrix, layout, shape, type)                                                              \
  asm volatile("wmma.load." matrix ".sync.aligned." layout "." shape ".shared." type " {%0, %1, %2, %3}, [%4], %5;\n" \
               : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])                                           \
               : "r"(shared), "r"(stride)                                                                             \
               : "memory")

/// As PlainLoad, from shared memory.
struct NamedLoad {
  template <class Fragment, class Element>
  static __device__ __forceinline__ void load(Fragment& fragment, Element const* from, int stride) {
    if constexpr (std::is_same_v<Element, __nv_bfloat16> || std::is_same_v<Element, float>) {
      uint32_t part[4];
      load_parts(part, fragment, ptx::shared_address(from), stride);
      static_assert(sizeof(part) == sizeof(fragment.x));
      memcpy(fragment.x, part, sizeof(part));
    } else {
      api::load_matrix_sync(fragment, from, stride);  // nvcc names the address space itself
    }
  }

 private:
  using Parts = uint32_t (&)[4];
  static __device__ __forceinline__ void load_parts(Parts part, FragmentA<Bf16> const&, uint32_t shared, int stride) {
    PERFCHECK_WMMA_LOAD("a", "row", "m16n16k16", "bf16");
  }
  static __device__ __forceinline__ void load_parts(Parts part, FragmentB<Bf16, BLayout::row_major> const&,
                                                    uint32_t shared, int stride) {
    PERFCHECK_WMMA_LOAD("b", "row", "m16n16k16", "bf16");
  }
  static __device__ __forceinline__ void load_parts(Parts part, FragmentB<Bf16, BLayout::column_major> const&,
                                                    uint32_t shared, int stride) {
    PERFCHECK_WMMA_LOAD("b", "col", "m16n16k16", "bf16");
  }
  static __device__ __forceinline__ void load_parts(Parts part, FragmentA<Tf32> const&, uint32_t shared, int stride) {
    PERFCHECK_WMMA_LOAD("a", "row", "m16n16k8", "tf32");
  }
  static __device__ __forceinline__ void load_parts(Parts part, FragmentB<Tf32, BLayout::row_major> const&,
                                                    uint32_t shared, int stride) {
    PERFCHECK_WMMA_LOAD("b", "row", "m16n16k8", "tf32");
  }
  static __device__ __forceinline__ void load_parts(Parts part, FragmentB<Tf32, BLayout::column_major> const&,
                                                    uint32_t shared, int stride) {
    PERFCHECK_WMMA_LOAD("b", "col", "m16n16k8", "tf32");
  }
};
#undef PERFCHECK_WMMA_LOAD

}  // namespace perfcheck::wmma
