// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of kernels/common's: the same functions, with the instructions emulated. Products execute when the thread
// that started them has committed them and the tensor cores get to it, which is at a drawn time, in the order of the
// commits.
#pragma once

#include "memory_barrier.h"
#include "products.h"
#include "tensor_memory.h"

#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tensor_descriptors.cuh>

#include <cstring>
#include <vector>

// As where a kernel that includes this is compiled for such a device.
#define __CUDA_ARCH_FEAT_SM100_ALL 1  // NOLINT(bugprone-reserved-identifier): CUDA reserved it

namespace perfcheck::ptx {

inline void tensor_memory_allocate(uint32_t shared, int columns) {
  emulated::together("tcgen05.alloc", nullptr, [shared, columns](emulated::Operands const& /*lanes*/) {
    uint32_t const address = emulated::allocate_tensor_memory(columns);
    std::memcpy(emulated::at_shared(shared, sizeof address, sizeof address), &address, sizeof address);
  });
}
inline void tensor_memory_free(uint32_t address, int columns) {
  emulated::together("tcgen05.dealloc", nullptr, [address, columns](emulated::Operands const& /*lanes*/) {
    emulated::free_tensor_memory(address, columns);
  });
}

/// The operands of an instruction descriptor of kind f16, and what else it must say.
struct InstructionSizes {
  int m = 0, n = 0;
  explicit InstructionSizes(uint32_t instruction)
      : m(static_cast<int>(instruction >> 24 & 0x1F) * 16), n(static_cast<int>(instruction >> 17 & 0x3F) * 8) {
    if (instruction != (1U << 4 | static_cast<uint32_t>(n / 8) << 17 | static_cast<uint32_t>(m / 16) << 24)) {
      emulated::fail("an instruction descriptor of something else than FP16 along k with FP32 sums");
    }
    if (m != 128 || n % 16 != 0 || n < 16 || n > 256) emulated::fail("tcgen05.mma has no such shape");
  }
};

inline void check_tile_descriptor(uint64_t descriptor) {
  constexpr uint64_t kFixed = 1, kSwizzleOf128Bytes = 2;
  if ((descriptor >> 46 & 7) != kFixed || descriptor >> 61 != kSwizzleOf128Bytes || (descriptor >> 49 & 0xFFF) != 0) {
    emulated::fail("a descriptor of a tile that tcgen05 does not read");
  }
}

inline void tensor_multiply_f16(uint32_t sums, uint64_t a, uint64_t b, uint32_t instruction, bool add) {
  InstructionSizes const sizes(instruction);
  check_tile_descriptor(a);
  check_tile_descriptor(b);
  emulated::start_product([sums, sizes, add, rows = emulated::OperandTile(a, sizes.m, 2, false),
                           columns = emulated::OperandTile(b, sizes.n, 2, false)](emulated::TensorMemory& memory) {
    constexpr int kK = kTensorStepBytes / 2;
    std::vector<float> of_b(static_cast<std::size_t>(sizes.n) * kK);
    for (int column = 0; column < sizes.n; ++column) {
      for (int k = 0; k < kK; ++k) {
        of_b[static_cast<std::size_t>(column * kK + k)] = emulated::number_at<__half>(columns.at(column, k));
      }
    }
    for (int row = 0; row < sizes.m; ++row) {
      float of_a[kK];
      for (int k = 0; k < kK; ++k) of_a[k] = emulated::number_at<__half>(rows.at(row, k));
      for (int column = 0; column < sizes.n; ++column) {
        float products = 0;
        for (int k = 0; k < kK; ++k) products += of_a[k] * of_b[static_cast<std::size_t>(column * kK + k)];
        float& sum = memory.at(sums + (static_cast<uint32_t>(row) << 16) + static_cast<uint32_t>(column));
        sum = (add ? sum : 0.0F) + products;
      }
    }
  });
}

inline void tensor_commit(uint32_t barrier) { emulated::commit_products(barrier); }
inline void tensor_fence_before_telling() {}
inline void tensor_fence_after_told() {}

inline void tensor_read(float (&words)[32], uint32_t address) {
  int const thread = thread_index();
  if (static_cast<int>(address >> 16) != thread / 32 % 4 * 32) {
    emulated::fail("a warp reads lanes of tensor memory that it does not reach");
  }
  __syncwarp();
  uint32_t const lane = static_cast<uint32_t>(thread % 32) << 16;
  for (uint32_t i = 0; i < 32; ++i) words[i] = emulated::present_tensor_memory().at(address + lane + i);
}

}  // namespace perfcheck::ptx
