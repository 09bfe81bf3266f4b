// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The emulated GPU itself: what it does, and the faults of kernels that it finds.
#include "simulator.h"
#include "copy_engine.h"
#include "cuda_names.h"
#include "memory_barrier.h"

#include <perfcheck/ptx_sm90.cuh>
#include <perfcheck/ptx_wgmma.cuh>

#include <gmock/gmock.h>

#include <numeric>
#include <vector>

namespace perfcheck::emulated {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Launch kOneBlock{.blocks = 1, .cluster = 1, .threads = 64, .shared_bytes = 4096};

auto fails_with(std::string const& text) { return ThrowsMessage<EmulationError>(HasSubstr(text)); }

/// A map of 16 rows of 32 numbers, in boxes of 8 rows.
CUtensorMap map_of(std::vector<float>& numbers, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  CUtensorMap map{};
  cuuint64_t const sizes[] = {32, numbers.size() / 32}, strides[] = {128};
  cuuint32_t const box[] = {32, 8}, steps[] = {1, 1};
  EXPECT_EQ(encode_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, numbers.data(), sizes, strides, box, steps,
                              CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
            CUDA_SUCCESS);
  return map;
}

/// What a kernel finds in shared memory that copies the box at row `row` there, before or after it waited for it.
std::vector<float> copied(CUtensorMap const& map, int row, bool waits) {
  std::vector<float> found(256);
  run(kOneBlock, [&] {
    std::uint32_t const barrier = shared_address(shared_memory() + 2048), to = shared_address(shared_memory());
    if (threadIdx.x == 0) {
      ptx::mbarrier_init(barrier, 1);
      ptx::mbarrier_arrive_expect_tx(barrier, 1024);
      ptx::tma_load(to, map, {0, row}, barrier);
    }
    __syncthreads();
    auto const* const numbers = reinterpret_cast<float const*>(shared_memory());
    auto const read = [&] {
      for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) found[i] = numbers[i];
    };
    if (!waits) read();
    ptx::mbarrier_wait(barrier, 0);
    if (waits) read();
  });
  return found;
}

TEST(EmulatedGpu, RunsEveryThreadOnce) {
  std::vector<int> calls(6 * 96);
  run({.blocks = 6, .cluster = 2, .threads = 96}, [&] { ++calls[blockIdx.x * blockDim.x + threadIdx.x]; });
  EXPECT_THAT(calls, Each(1));
}

TEST(EmulatedGpu, LetsThreadsMeetAtBarriers) {
  int arrived = 0;
  run(kOneBlock, [&] {
    ++arrived;
    __syncthreads();
    EXPECT_EQ(arrived, 64);
  });
}

TEST(EmulatedGpu, ThreadsThatDoNotWaitAreOvertaken) {
  bool overtaken = false;
  for (unsigned seed = 1; seed < 20; ++seed) {
    device().seed = seed;
    int arrived = 0;
    run(kOneBlock, [&] {
      ++arrived;
      __syncwarp();
      overtaken = overtaken || arrived != 64;
    });
  }
  EXPECT_TRUE(overtaken);
}

TEST(EmulatedGpu, CopiesBoxesAndFillsWhatLiesOutsideWithZeros) {
  std::vector<float> numbers(12 * 32);
  std::iota(numbers.begin(), numbers.end(), 1.0F);
  auto const found = copied(map_of(numbers), 8, true);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], i < 128 ? numbers[256 + i] : 0) << i;
}

TEST(EmulatedGpu, ExchangesPiecesAsTheSwizzleSays) {
  std::vector<float> numbers(16 * 32);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  auto const found = copied(map_of(numbers, CU_TENSOR_MAP_SWIZZLE_128B), 0, true);
  for (std::size_t row = 0; row < 8; ++row) {
    for (std::size_t piece = 0; piece < 8; ++piece) {
      EXPECT_EQ(found[row * 32 + (piece ^ row) * 4], numbers[row * 32 + piece * 4]) << row << " " << piece;
    }
  }
}

TEST(EmulatedGpu, DataThatIsNotWaitedForIsNotThereYet) {
  std::vector<float> numbers(16 * 32, 1.0F);
  bool missed = false;
  for (unsigned seed = 1; seed < 20; ++seed) {
    device().seed = seed;
    for (float const number : copied(map_of(numbers), 0, false)) missed = missed || std::isnan(number);
  }
  EXPECT_TRUE(missed);
}

TEST(EmulatedGpu, CpAsyncArrivesWhenItsGroupIsWaitedFor) {
  std::vector<uint4> const source(2, uint4{7, 7, 7, 7});
  run({.blocks = 1, .cluster = 1, .threads = 32, .shared_bytes = 1024}, [&] {
    auto* const words = reinterpret_cast<unsigned*>(shared_memory());
    if (threadIdx.x != 0) return;
    for (unsigned i = 0; i < 2; ++i) {
      ptx::cp_async_16(shared_address(words + i * 4), &source[i], 12);
      ptx::cp_async_commit();
    }
    ptx::cp_async_wait<1>();
    EXPECT_EQ(words[0], 7U);
    EXPECT_EQ(words[3], 0U);  // of which 12 bytes were valid
    EXPECT_EQ(words[4], ~0U);
    ptx::cp_async_wait<0>();
    EXPECT_EQ(words[4], 7U);
  });
}

TEST(EmulatedGpu, ReadsSharedMemoryOfOtherBlocksOfACluster) {
  run({.blocks = 4, .cluster = 2, .threads = 32, .shared_bytes = 1024}, [] {
    if (threadIdx.x == 0) *reinterpret_cast<float*>(shared_memory()) = static_cast<float>(blockIdx.x);
    ptx::cluster_barrier();
    unsigned const other = 1 - blockIdx.x % 2;
    EXPECT_EQ(ptx::read_cluster_quad(shared_address(shared_memory()), other).x, blockIdx.x / 2 * 2 + other);
    ptx::cluster_barrier();
  });
}

TEST(EmulatedGpu, NamesWhatThreadsWaitForForEver) {
  EXPECT_THAT(
      [] {
        run(kOneBlock, [] {
          if (threadIdx.x < 32) __syncthreads();
        });
      },
      fails_with("threads wait for ever: thread 0 of block 0 for a barrier of the block"));
  EXPECT_THAT(
      [] {
        run(kOneBlock, [] {
          std::uint32_t const barrier = shared_address(shared_memory());
          if (threadIdx.x == 0) ptx::mbarrier_init(barrier, 2);
          __syncthreads();
          if (threadIdx.x == 0) ptx::mbarrier_arrive(barrier);
          ptx::mbarrier_wait(barrier, 0);
        });
      },
      fails_with("for a barrier in shared memory"));
}

TEST(EmulatedGpu, NamesFaultsOfKernels) {
  EXPECT_THAT([] { run(kOneBlock, [] { at_shared(1024 + 4096, 4, 4); }); }, fails_with("lies outside"));
  EXPECT_THAT([] { run(kOneBlock, [] { ptx::read_shared_word(1026); }); }, fails_with("is not aligned"));
  EXPECT_THAT(
      [] {
        run(kOneBlock, [] {
          int local = 0;
          shared_address(&local);
        });
      },
      fails_with("does not point"));
  EXPECT_THAT(
      [] {
        run(kOneBlock, [] {
          std::uint32_t fragment[4];
          threadIdx.x % 2 == 0 ? __syncwarp() : ptx::ldmatrix_x4(fragment, 1024);
        });
      },
      fails_with("lanes of a warp diverge"));
  EXPECT_THAT(
      [] {
        run(kOneBlock, [] {
          std::uint32_t const barrier = shared_address(shared_memory());
          ptx::mbarrier_init(barrier, 1);
          MemoryBarrier(barrier).arrive();
          MemoryBarrier(barrier).init(0);
          MemoryBarrier(barrier).arrive();
        });
      },
      fails_with("more arrivals"));
  EXPECT_THAT([] { run({.blocks = 3, .cluster = 2, .threads = 32}, [] {}); }, fails_with("whole clusters"));
}

TEST(EmulatedGpu, NamesADependentLaunchThatDoesNotWaitForTheOneInFront) {
  std::vector<float> numbers(512);
  CUtensorMap const map = map_of(numbers);
  auto const store = [&](bool dependent, bool waits) {
    return [&map, dependent, waits] {
      run({.blocks = 1, .cluster = 1, .threads = 32, .shared_bytes = 1024, .dependent = dependent}, [&] {
        if (waits) ptx::wait_for_launches_before();
        if (threadIdx.x == 0) {
          ptx::tma_store(map, {0, 0}, shared_address(shared_memory()));
          ptx::tma_store_commit();
          ptx::tma_store_wait_read<0>();
        }
      });
    };
  };
  EXPECT_THAT(store(true, false), fails_with("before it has waited for the launches in front"));
  EXPECT_NO_THROW(store(true, true)());
  EXPECT_NO_THROW(store(false, false)());
}

TEST(EmulatedGpu, AParityIsZeroOrOne) {
  auto const wait_for = [](std::uint32_t parity) {
    run(kOneBlock, [&] {
      std::uint32_t const barrier = ptx::shared_address(shared_memory());
      if (threadIdx.x != 0) return;
      ptx::mbarrier_init(barrier, 1);
      ptx::mbarrier_wait(barrier, parity);
    });
  };
  EXPECT_NO_THROW(wait_for(1));
  EXPECT_THAT([&] { wait_for(2); }, fails_with("a parity is 0 or 1"));
}

TEST(EmulatedGpu, RegistersOfAProductStayUntilItIsWaitedFor) {
  Launch const launch{.blocks = 1, .cluster = 1, .threads = 128, .shared_bytes = 4096};
  auto const multiply = [](bool waits) {
    float sums[4] = {};
    std::uint32_t rows[4] = {};
    ptx::wgmma<float, 8, false>(sums, rows, ptx::tile_descriptor(shared_address(shared_memory()), 0, 1024), false);
    ptx::wgmma_commit();
    if (waits) ptx::wgmma_wait<0>();
    rows[0] = 1;
    ptx::wgmma_wait<0>();
  };
  EXPECT_NO_THROW(run(launch, [&] { multiply(true); }));
  EXPECT_THAT([&] { run(launch, [&] { multiply(false); }); }, fails_with("registers that wgmma may still read"));
}

TEST(EmulatedGpu, SharedMemoryEndsWithItsBlock) {
  auto const read_other = [](bool waits) {
    run({.blocks = 2, .cluster = 2, .threads = 32, .shared_bytes = 1024}, [&] {
      ptx::cluster_barrier();
      if (blockIdx.x == 0) {
        for (int i = 0; i < 100; ++i) yield("nothing");
        ptx::read_cluster_quad(shared_address(shared_memory()), 1);
      }
      if (waits) ptx::cluster_barrier();
    });
  };
  EXPECT_NO_THROW(read_other(true));
  EXPECT_THAT([&] { read_other(false); }, fails_with("block 1 has ended, and its shared memory with it"));

  std::vector<float> numbers(16 * 32);
  CUtensorMap const map = map_of(numbers);
  auto const copy_and_leave = [&] {
    for (device().seed = 1; device().seed < 20; ++device().seed) {
      run(kOneBlock, [&] {
        if (threadIdx.x == 0) ptx::tma_load(1024, map, {0, 0}, 1024 + 2048);
      });
    }
  };
  EXPECT_THAT(copy_and_leave, fails_with("a copy arrives in block 0, which has ended"));
}

TEST(EmulatedGpu, CopiesToSeveralBlocksOfAClusterAndCountsInEach) {
  std::vector<float> numbers(16 * 32);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  CUtensorMap const map = map_of(numbers);
  run({.blocks = 3, .cluster = 3, .threads = 32, .shared_bytes = 4096}, [&] {
    std::uint32_t const barrier = shared_address(shared_memory() + 2048), to = shared_address(shared_memory());
    bool const receives = blockIdx.x != 1;
    if (threadIdx.x == 0 && receives) ptx::mbarrier_init(barrier, 1);
    ptx::cluster_barrier();
    if (threadIdx.x == 0 && receives) ptx::mbarrier_arrive_expect_tx(barrier, 1024);
    if (threadIdx.x == 0 && rank_in_cluster() == 1) ptx::tma_load_multicast(to, map, {0, 8}, barrier, 0b101);
    if (receives) ptx::mbarrier_wait(barrier, 0);
    float const first = *reinterpret_cast<float const*>(shared_memory());
    EXPECT_TRUE(receives ? first == 256 : std::isnan(first)) << first;
    ptx::cluster_barrier();
  });
}

TEST(EmulatedGpu, ArrivesAtBarriersOfOtherBlocks) {
  run({.blocks = 2, .cluster = 2, .threads = 32, .shared_bytes = 1024}, [] {
    std::uint32_t const barrier = shared_address(shared_memory());
    if (threadIdx.x == 0) ptx::mbarrier_init(barrier, 1);
    ptx::cluster_barrier();
    if (threadIdx.x == 0) ptx::mbarrier_arrive_at(barrier, 1 - blockIdx.x);
    ptx::mbarrier_wait(barrier, 0);
    ptx::cluster_barrier();
  });
}

// A kernel that writes to shared memory again must have waited.
TEST(EmulatedGpu, StoresOfTheEngineReadSharedMemoryAsLateAsTheyMay) {
  std::vector<float> numbers(12 * 32);
  CUtensorMap const map = map_of(numbers);
  auto const store = [&](bool waits) {
    run(kOneBlock, [&] {
      if (threadIdx.x != 0) return;
      auto* const box = reinterpret_cast<float*>(shared_memory());
      std::fill_n(box, 256, 1.0F);
      ptx::tma_store(map, {0, 8}, shared_address(box));
      ptx::tma_store_commit();
      if (waits) ptx::tma_store_wait_read<0>();
      std::fill_n(box, 256, 2.0F);
      ptx::tma_store_wait_read<0>();
    });
    return numbers;
  };
  EXPECT_EQ(store(false)[256], 2);
  std::vector<float> const stored = store(true);
  for (std::size_t i = 0; i < stored.size(); ++i) EXPECT_EQ(stored[i], i < 256 ? 0 : 1) << i;  // 8 rows lie outside
  EXPECT_THAT(
      [&] {
        run(kOneBlock, [&] {
          if (threadIdx.x != 0) return;
          ptx::tma_store(map, {0, 0}, shared_address(shared_memory()));
          ptx::tma_store_commit();
        });
      },
      fails_with("ends while its stores still read shared memory"));
}

TEST(EmulatedGpu, StmatrixIsLdmatrixTheOtherWayRound) {
  run(kOneBlock, [] {
    std::uint32_t const address = shared_address(shared_memory() + threadIdx.x / 32 * 1024 + threadIdx.x % 32 * 16);
    std::uint32_t fragment[4], found[4];
    for (unsigned i = 0; i < 4; ++i) fragment[i] = threadIdx.x * 4 + i;
    ptx::stmatrix_x4(address, fragment);
    ptx::ldmatrix_x4(found, address);
    EXPECT_THAT(found, testing::ElementsAreArray(fragment));
  });
}

/// The first sum of each lane of a warpgroup: one column of ones times rows of ones, whose first element changes after
/// the product was begun, and before or after it was waited for.
float product_of_ones(int pending) {
  float sum = 0;
  run({.blocks = 2, .cluster = 2, .threads = 128, .shared_bytes = 10240}, [&] {
    auto* const elements = reinterpret_cast<__half*>(shared_memory());
    std::fill_n(elements, 4096, __float2half(1));
    __syncthreads();
    std::uint32_t const a = shared_address(elements);  // 64 rows of 128 bytes, and another eight for B
    float sums[4];
    ptx::wgmma<__half, 8, false>(sums, ptx::tile_descriptor(a, 0, 1024), ptx::tile_descriptor(a, 0, 1024), false);
    ptx::wgmma_commit();
    ptx::wgmma_commit();
    if (pending == 1) ptx::wgmma_wait<1>();
    __syncthreads();
    if (threadIdx.x == 0) elements[0] = __float2half(5);
    __syncthreads();
    ptx::wgmma_wait<0>();
    if (threadIdx.x == 1) sum = sums[0];
  });
  return sum;
}

TEST(EmulatedGpu, ProductsOfWgmmaReadSharedMemoryUntilTheyAreWaitedFor) {
  EXPECT_EQ(product_of_ones(1), 16);
  EXPECT_EQ(product_of_ones(2), 20);
}

TEST(EmulatedGpu, CopiesOfTheEngineBeginAtMultiplesOf16Bytes) {
  std::vector<float> numbers(16 * 32);
  CUtensorMap const map = map_of(numbers);
  EXPECT_THAT([&] { run(kOneBlock, [&] { ptx::tma_load(1024, map, {2, 0}, 1024 + 2048); }); },
              fails_with("no multiple of 16 bytes"));
}

}  // namespace
}  // namespace perfcheck::emulated
