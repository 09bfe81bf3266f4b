// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensor memory and tcgen05 on the emulated GPU: what they do, and the faults of kernels that are found.
#include "tensor_memory.h"
#include "cuda_names.h"

#include <perfcheck/ptx_sm90.cuh>
#include <perfcheck/ptx_tcgen05.cuh>

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

namespace perfcheck::emulated {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kColumns = 32, kM = 128, kN = 16;
constexpr std::uint32_t kInstruction = ptx::f16_instruction(kM, kN);
constexpr int kBytesA = kM * 128, kBytesB = kN * 128;
/// Tiles of A and B, and behind them a barrier and the address of tensor memory.
constexpr Launch kLaunch{.blocks = 1, .cluster = 1, .threads = 128, .shared_bytes = kBytesA + kBytesB + 16};

auto fails_with(std::string const& text) { return ThrowsMessage<EmulationError>(HasSubstr(text)); }

class EmulatedTensorMemory : public testing::Test {
 protected:
  void TearDown() override { forget_tensor_memory(); }

  static std::uint32_t barrier() { return shared_address(shared_memory()) + kBytesA + kBytesB; }
  static std::uint32_t address() {
    std::uint32_t value = 0;
    std::memcpy(&value, shared_memory() + kBytesA + kBytesB + 8, sizeof value);
    return value;
  }

  static float b(int column, int k) { return static_cast<float>(column + 16 * k); }

  /// Allocates, fills the tiles, and calls `use` in each thread. Row r of A is a one at k = r modulo 64.
  static void launch(std::function<void()> const& use) {
    run(kLaunch, [&] {
      if (threadIdx.x == 0) ptx::mbarrier_init(barrier(), 1);
      if (threadIdx.x < 32) ptx::tensor_memory_allocate(barrier() + 8, kColumns);
      for (int line = static_cast<int>(threadIdx.x); line < kM + kN; line += 128) {
        for (int k = 0; k < 64; ++k) {
          auto const value = static_cast<__half>(line < kM ? (k == line % 64 ? 1.0F : 0.0F) : b(line - kM, k));
          int const at = line * 128 + k * 2, swizzled = at ^ (line % 8 * 16);
          std::memcpy(shared_memory() + swizzled, &value, sizeof value);
        }
      }
      __syncthreads();
      use();
      __syncthreads();
      if (threadIdx.x < 32) ptx::tensor_memory_free(address(), kColumns);
    });
  }
  static std::uint64_t descriptor_a() { return ptx::tensor_tile_descriptor(shared_address(shared_memory()), 1024); }
  static std::uint64_t descriptor_b() {
    return ptx::tensor_tile_descriptor(shared_address(shared_memory()) + kBytesA, 1024);
  }
  /// All of the 64 numbers along k.
  static void multiply() {
    for (int step = 0; step < 4; ++step) {
      ptx::tensor_multiply_f16(address(), descriptor_a() + step * 2, descriptor_b() + step * 2, kInstruction, step > 0);
    }
  }
  static void read(float (&words)[32]) {
    ptx::tensor_read(words, address() + (static_cast<std::uint32_t>(threadIdx.x) / 32 * 32 << 16));
  }
};

TEST_F(EmulatedTensorMemory, RowRIsLaneRAndColumnsFollow) {
  launch([] {
    if (threadIdx.x == 0) {
      multiply();
      ptx::tensor_commit(barrier());
    }
    ptx::mbarrier_wait(barrier(), 0);
    float words[32];
    read(words);
    for (int column = 0; column < kN; ++column) {
      EXPECT_EQ(words[column], b(column, static_cast<int>(threadIdx.x) % 64));
    }
    EXPECT_TRUE(std::isnan(words[kN])) << "columns behind the sums stay as they were";
  });
}

TEST_F(EmulatedTensorMemory, SumsAreThereWhenTheBarrierSaysSoAndNotBefore) {
  launch([] {
    if (threadIdx.x == 0) {
      multiply();
      EXPECT_TRUE(std::isnan(present_tensor_memory().at(address())));
      ptx::tensor_commit(barrier());
      EXPECT_TRUE(std::isnan(present_tensor_memory().at(address())));
    }
    ptx::mbarrier_wait(barrier(), 0);
    EXPECT_FALSE(std::isnan(present_tensor_memory().at(address())));
  });
}

TEST_F(EmulatedTensorMemory, DescriptorsOfWgmmaOrOtherSizesAreNamed) {
  auto const with = [](std::uint64_t clear, std::uint32_t instruction) {
    launch([&] {
      if (threadIdx.x == 0) {
        ptx::tensor_multiply_f16(address(), descriptor_a() & ~clear, descriptor_b(), instruction, false);
      }
    });
  };
  EXPECT_THAT([&] { with(std::uint64_t{1} << 46, kInstruction); }, fails_with("a tile that tcgen05 does not read"));
  forget_tensor_memory();
  EXPECT_THAT([&] { with(std::uint64_t{3} << 61, kInstruction); }, fails_with("a tile that tcgen05 does not read"));
  forget_tensor_memory();
  EXPECT_THAT([&] { with(0, kInstruction | 1U << 7); }, fails_with("something else than FP16"));
  forget_tensor_memory();
  EXPECT_THAT([&] { with(0, ptx::f16_instruction(64, kN)); }, fails_with("no such shape"));
  forget_tensor_memory();
  EXPECT_THAT([&] { with(0, ptx::f16_instruction(kM, 24)); }, fails_with("no such shape"));
}

TEST_F(EmulatedTensorMemory, SumsOutsideOfWhatWasAllocatedAreNamed) {
  EXPECT_THAT(
      [] {
        launch([] {
          if (threadIdx.x == 0) {
            ptx::tensor_multiply_f16(address() + kColumns - 8, descriptor_a(), descriptor_b(), kInstruction, false);
            ptx::tensor_commit(barrier());
          }
          ptx::mbarrier_wait(barrier(), 0);
        });
      },
      fails_with("an address outside of tensor memory"));
}

TEST_F(EmulatedTensorMemory, AWarpThatReadsOthersLanesIsNamed) {
  EXPECT_THAT(
      [] {
        launch([] {
          float words[32];
          ptx::tensor_read(words, address());
        });
      },
      fails_with("a warp reads lanes of tensor memory that it does not reach"));
}

TEST_F(EmulatedTensorMemory, WhatIsNotGivenBackIsNamed) {
  run(kLaunch, [] {
    if (threadIdx.x < 32) ptx::tensor_memory_allocate(barrier() + 8, kColumns);
  });
  EXPECT_THAT([] { launch([] {}); }, fails_with("allocated before, and not freed"));
  EXPECT_NO_THROW(launch([] {}));
}

TEST_F(EmulatedTensorMemory, GivingItBackWhileProductsUseItIsNamed) {
  EXPECT_THAT(
      [] {
        launch([] {
          if (threadIdx.x == 0) multiply();
        });
      },
      fails_with("freed while products may use it"));
}

TEST_F(EmulatedTensorMemory, ColumnsAreAPowerOfTwo) {
  EXPECT_THAT([] { run(kLaunch, [] { ptx::tensor_memory_allocate(barrier(), 48); }); }, fails_with("powers of two"));
}

}  // namespace
}  // namespace perfcheck::emulated
