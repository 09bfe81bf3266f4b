// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The tensor cores of compute capability 10.0 (sm_100a). "PTX" in the comments is the PTX ISA manual, "TensorCore 5th
// Generation Family Instructions" (9.7.16 in PTX ISA 9.1), with the name of the section.
//
// Sums are in tensor memory: 128 lanes of 512 columns of 32 bits per multiprocessor ("Tensor Memory"). An address holds
// the lane in its upper and the column in its lower 16 bits ("Tensor Memory Addressing"). Everything here is of one
// block (cta_group::1).
#pragma once

#include <perfcheck/tensor_descriptors.cuh>

#include <cstdint>

namespace perfcheck::ptx {

/// Allocates columns of tensor memory, a power of two from 32 to 512, and writes their address to shared memory. Waits
/// while another block of the multiprocessor holds them. To be executed by a whole warp, once in a block: nobody may
/// allocate after that. PTX, "tcgen05.alloc, tcgen05.dealloc, tcgen05.relinquish_alloc_permit".
__device__ __forceinline__ void tensor_memory_allocate(uint32_t shared, int columns) {
  asm volatile(
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;\n"
      "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n" ::"r"(shared),
      "r"(columns)
      : "memory");
}

/// Gives them back, which a block must do before it ends. To be executed by a whole warp.
__device__ __forceinline__ void tensor_memory_free(uint32_t address, int columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;\n" ::"r"(address), "r"(columns) : "memory");
}

/// sums += A * B, or sums = A * B unless `add`, over 32 bytes of k. One thread starts it, and it executes at some time,
/// behind those of the same shape and sums that the thread has started before ("Pipelined tcgen05 Instructions").
/// Operands are at descriptors (tensor_tile_descriptor()); `instruction` says how many sums there are. With 128 rows,
/// row r of the sums is lane r, and column c is c columns behind the address ("Data Path Layout D"). PTX,
/// "tcgen05.mma".
__device__ __forceinline__ void tensor_multiply_f16(uint32_t sums, uint64_t a, uint64_t b, uint32_t instruction,
                                                    bool add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %4, 0;\n"
      "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, add;\n"
      "}\n" ::"r"(sums),
      "l"(a), "l"(b), "r"(instruction), "r"(static_cast<uint32_t>(add))
      : "memory");
}

/// Lets the barrier know, as an arrival, when all that the thread has started so far is done: operands are read, sums
/// are written. PTX, "tcgen05.commit".
__device__ __forceinline__ void tensor_commit(uint32_t barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];\n" ::"r"(barrier)
               : "memory");
}

/// Orders what a thread does with tensor memory before this with what others do after they have been told, and what it
/// does after having been told. PTX, "tcgen05.fence" and "Canonical synchronization patterns".
__device__ __forceinline__ void tensor_fence_before_telling() {
  asm volatile("tcgen05.fence::before_thread_sync;\n" ::: "memory");
}
__device__ __forceinline__ void tensor_fence_after_told() {
  asm volatile("tcgen05.fence::after_thread_sync;\n" ::: "memory");
}

/// Reads 32 columns of one lane for each thread of a warp: thread l gets lane 32 (w % 4) + l if it is in warp w, whose
/// first lane `address` names; a warp can reach no others. Waits until they have been read: the instruction is
/// asynchronous, and nothing may use its registers before. PTX, "tcgen05.ld" (.32x32b) and "tcgen05.wait".
__device__ __forceinline__ void tensor_read(float (&words)[32], uint32_t address) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, "
      "%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, [%32];\n"
      "tcgen05.wait::ld.sync.aligned;\n"
      : "=f"(words[0]), "=f"(words[1]), "=f"(words[2]), "=f"(words[3]), "=f"(words[4]), "=f"(words[5]), "=f"(words[6]),
        "=f"(words[7]), "=f"(words[8]), "=f"(words[9]), "=f"(words[10]), "=f"(words[11]), "=f"(words[12]),
        "=f"(words[13]), "=f"(words[14]), "=f"(words[15]), "=f"(words[16]), "=f"(words[17]), "=f"(words[18]),
        "=f"(words[19]), "=f"(words[20]), "=f"(words[21]), "=f"(words[22]), "=f"(words[23]), "=f"(words[24]),
        "=f"(words[25]), "=f"(words[26]), "=f"(words[27]), "=f"(words[28]), "=f"(words[29]), "=f"(words[30]),
        "=f"(words[31])
      : "r"(address)
      : "memory");
}

}  // namespace perfcheck::ptx
