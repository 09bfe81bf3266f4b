// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// PTX of compute capability 8.0 that CUDA C++ has no function for, each instruction once; and one conversion of 8.9.
// "PTX" in the comments is the PTX ISA manual, with the name of the section.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

namespace perfcheck::ptx {

/// The 32-bit address within shared memory that ldmatrix and cp.async take.
__device__ __forceinline__ uint32_t shared_address(void const* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// Asynchronous copies, global to shared memory. PTX, "Data Movement and Conversion Instructions: cp.async".
// Both addresses must be aligned to the size copied. With `valid` false nothing is read (the global address may lie
// anywhere) and zeros are written: the source size operand is 0, and the manual fills the rest of the copy with zeros.
// The "memory" clobber keeps the compiler from moving reads of the buffer being filled across the copy.

__device__ __forceinline__ void cp_async_4(uint32_t shared, void const* global, bool valid = true) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::"r"(shared), "l"(global), "r"(valid ? 4 : 0)
               : "memory");
}

__device__ __forceinline__ void cp_async_8(uint32_t shared, void const* global, bool valid = true) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;\n" ::"r"(shared), "l"(global), "r"(valid ? 8 : 0)
               : "memory");
}

/// Copies 16 bytes, bypassing the L1 cache; the first `valid_bytes` (0 to 16) are read, the rest is filled with zeros.
__device__ __forceinline__ void cp_async_16(uint32_t shared, void const* global, int valid_bytes = 16) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared), "l"(global), "r"(valid_bytes)
               : "memory");
}

/// Closes the calling thread's current group of copies. PTX, "cp.async.commit_group".
__device__ __forceinline__ void cp_async_commit() { asm volatile("cp.async.commit_group;\n" ::: "memory"); }

/// Waits until at most `kPending` of the calling thread's youngest groups are still in flight. Other threads see the
/// data only after a barrier. PTX, "cp.async.wait_group".
template <int kPending>
__device__ __forceinline__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(kPending) : "memory");
}

// Reads of shared memory at a 32-bit address. The "memory" clobber orders them after the barrier that publishes what is
// read.

__device__ __forceinline__ uint32_t read_shared_word(uint32_t shared) {
  uint32_t word = 0;
  asm volatile("ld.shared.b32 %0, [%1];\n" : "=r"(word) : "r"(shared) : "memory");
  return word;
}

__device__ __forceinline__ uint4 read_shared_quad(uint32_t shared) {
  uint4 quad;
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w)
               : "r"(shared)
               : "memory");
  return quad;
}

// Matrix loads. PTX, "Warp Level Matrix Load Instruction: ldmatrix". Lane 8i + r gives the address of row r (8 elements
// of 2 bytes, 16-byte aligned) of matrix i; lane l receives elements 2(l % 4) and 2(l % 4) + 1 of row l / 4 of matrix i
// in fragment[i]. The "memory" clobber orders the loads after the barrier that publishes the tile.

__device__ __forceinline__ void ldmatrix_x4(uint32_t (&fragment)[4], uint32_t shared) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]), "=r"(fragment[3])
               : "r"(shared)
               : "memory");
}

/// As ldmatrix_x4, each matrix transposed on the way.
__device__ __forceinline__ void ldmatrix_x4_trans(uint32_t (&fragment)[4], uint32_t shared) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]), "=r"(fragment[3])
               : "r"(shared)
               : "memory");
}

// Matrix multiply and accumulate, d += a * b for a 16 x 8 tile of d. PTX, "Warp Level Matrix Multiply-Accumulate
// Instructions: mma.sync", "Matrix Fragments for mma.m16n8k16 with floating point type" and "... for mma.m16n8k8".
// d[0], d[1] lie in row lane / 4, columns 2(lane % 4) and + 1; d[2], d[3] eight rows below.

/// `T` is the type of a and b, two elements to a register: __half or __nv_bfloat16.
template <class T>
__device__ __forceinline__ void mma_m16n8k16(float (&d)[4], uint32_t const (&a)[4], uint32_t b0, uint32_t b1) {
  static_assert(std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>);
  if constexpr (std::is_same_v<T, __half>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
}

/// TF32: operands are FP32 bit patterns whose low 13 bits the hardware ignores; round them first (cvt_rna_tf32).
__device__ __forceinline__ void mma_m16n8k8_tf32(float (&d)[4], uint32_t const (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// INT8, with INT32 sums that wrap around. PTX, "Matrix Fragments for mma.m16n8k32".
__device__ __forceinline__ void mma_m16n8k32_s8(int32_t (&d)[4], uint32_t const (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};\n"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// The same with half of the k. PTX, "Matrix Fragments for mma.m16n8k4": a[0] is of row lane / 4, a[1] of the one eight
/// below, b of column lane / 4, and all of k = lane % 4.
__device__ __forceinline__ void mma_m16n8k4_tf32(float (&d)[4], uint32_t const (&a)[2], uint32_t b) {
  asm volatile(
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b));
}

#if __CUDA_ARCH__ >= 890
/// Four E4M3 numbers as FP16 numbers, which is exact: the lower two in `low`, the lowest in its lower half. Of compute
/// capability 8.9. PTX, "Data Movement and Conversion Instructions: cvt".
__device__ __forceinline__ void cvt_f16x2_e4m3x2(uint32_t& low, uint32_t& high, uint32_t four) {
  asm("{\n"
      ".reg .b16 lower, upper;\n"
      "mov.b32 {lower, upper}, %2;\n"
      "cvt.rn.f16x2.e4m3x2 %0, lower;\n"
      "cvt.rn.f16x2.e4m3x2 %1, upper;\n"
      "}\n"
      : "=r"(low), "=r"(high)
      : "r"(four));
}
#endif

/// FP32 rounded to TF32, to nearest, ties away from zero. PTX, "Data Movement and Conversion Instructions: cvt".
__device__ __forceinline__ uint32_t cvt_rna_tf32(float value) {
  uint32_t rounded = 0;
  asm("cvt.rna.tf32.f32 %0, %1;\n" : "=r"(rounded) : "f"(value));
  return rounded;
}

/// threadIdx.x, asked for at this place: behind a loop that needs all registers, the compiler then computes what
/// follows from it anew, and keeps at most the index itself over the loop.
__device__ __forceinline__ int thread_index() {
  int index = 0;
  asm volatile("mov.u32 %0, %%tid.x;\n" : "=r"(index));
  return index;
}

/// A barrier of `threads` threads of the block, a multiple of 32. `id` is 1 to 15; __syncthreads() is 0. PTX,
/// "bar.sync".
__device__ __forceinline__ void named_barrier(int id, int threads) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(id), "r"(threads) : "memory");
}

}  // namespace perfcheck::ptx
