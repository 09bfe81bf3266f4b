// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a recorded launch tells of itself: each thing that makes it another launch shows, and where its memory lies does
// not.
#include "gpu_test.h"
#include "perfcheck/device/backend.h"
#include "told_kernels.h"

#include <perfcheck/cuda_check.h>
#include <perfcheck/tensor_map.h>

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>

namespace perfcheck::device {
namespace {

using model::LaunchAttributes;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Told : public ::testing::Test {
 protected:
  void SetUp() override {
    PERFCHECK_NEEDS_GPU();
    backend_ = make_cuda_backend(0);
    memory_ = backend_->allocate(1 << 20);
    other_memory_ = backend_->allocate(1 << 20);
  }

  /// Of the first kernel of what `enqueue` records.
  LaunchAttributes of(std::function<void()> const& enqueue) const {
    enqueue();  // once outside of a recording
    auto const launches = backend_->record({.launches = 1, .launch = [&](int) { enqueue(); }})->attributes();
    return launches.at(0);
  }
  LaunchAttributes of_told(void const* data, int number) const {
    return of([&] { PERFCHECK_CUDA(enqueue_told(data, number, stream())); });
  }
  Stream stream() const { return backend_->stream(); }

  std::unique_ptr<Backend> backend_;
  Memory memory_, other_memory_;
};

TEST_F(Told, ArgumentsAreTheSameWhereverTheirMemoryLies) {
  auto const here = of_told(memory_.data(), 7);
  EXPECT_EQ(here.arguments.size(), 16U) << "the driver told no arguments";
  EXPECT_EQ(of_told(other_memory_.data(), 7).arguments, here.arguments);
  EXPECT_EQ(of_told(memory_.bytes_at(4096), 7).arguments, here.arguments);
  EXPECT_NE(of_told(memory_.bytes_at(4), 7).arguments, here.arguments) << "aligned to 4 bytes only";
  EXPECT_NE(of_told(memory_.data(), 8).arguments, here.arguments);
  EXPECT_NE(of_told(nullptr, 7).arguments, here.arguments);
  void* managed = nullptr;
  PERFCHECK_CUDA(cudaMallocManaged(&managed, 4096));
  EXPECT_NE(of_told(managed, 7).arguments, here.arguments);
  PERFCHECK_CUDA(cudaFree(managed));
  void* pinned = nullptr;
  PERFCHECK_CUDA(cudaHostAlloc(&pinned, 4096, cudaHostAllocMapped));
  EXPECT_NE(of_told(pinned, 7).arguments, here.arguments);
  PERFCHECK_CUDA(cudaFreeHost(pinned));
}

TEST_F(Told, TensorMapsAreTheSameWhereverTheirTensorLies) {
  auto const with_map = [&](void const* data, int box_rows) {
    TensorLayout<2> const matrix{.data = data, .element = Element::f32, .sizes = {64, 64}, .strides = {64}};
    auto const map = make_tensor_map(matrix, {16, box_rows});
    return of([&] { PERFCHECK_CUDA(enqueue_with_map(map, stream())); }).arguments;
  };
  std::string const here = with_map(memory_.data(), 16);
  EXPECT_EQ(with_map(other_memory_.data(), 16), here);
  EXPECT_EQ(with_map(memory_.bytes_at(8192), 16), here);
  EXPECT_NE(with_map(memory_.data(), 32), here) << "another box";
  EXPECT_NE(with_map(memory_.bytes_at(16), 16), here) << "aligned to 16 bytes only";
}

TEST_F(Told, ConstantsAreWhatTheDeviceHolds) {
  if (backend_->info().compute_capability != "9.0") GTEST_SKIP() << "this build holds machine code for 9.0 only";
  auto* const out = static_cast<float*>(memory_.data());
  auto const with = [&](float value) {
    PERFCHECK_CUDA(write_constant(value, stream()));
    return of([&] { PERFCHECK_CUDA(enqueue_constant(out, stream())); }).constants;
  };
  std::string const as_in_the_file = of([&] { PERFCHECK_CUDA(enqueue_constant(out, stream())); }).constants;
  EXPECT_EQ(as_in_the_file.size(), 16U) << "this program's file does not hold the kernel uncompressed";
  EXPECT_NE(with(3), as_in_the_file);
  EXPECT_EQ(with(2), as_in_the_file);
}

TEST_F(Told, AttributesAreToldInWords) {
  EXPECT_EQ(of_told(memory_.data(), 1).attributes, "default");
  PERFCHECK_CUDA(set_carveout_of_told(100));
  EXPECT_THAT(of_told(memory_.data(), 1).attributes, HasSubstr("shared memory carve-out 100"));
  PERFCHECK_CUDA(set_carveout_of_told(-1));
  EXPECT_EQ(of_told(memory_.data(), 1).attributes, "default");
  int major = 0;
  PERFCHECK_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (major < 9) return;  // no clusters
  auto const in_clusters =
      of([&] { PERFCHECK_CUDA(enqueue_told_in_clusters(memory_.data(), 4, 2, stream())); }).attributes;
  EXPECT_THAT(in_clusters, HasSubstr("cluster 2x1x1"));
}

TEST_F(Told, MemsetsAndCopiesAreToldInWordsAndTheirOrderIsHashed) {
  auto const launch = [&] { PERFCHECK_CUDA(enqueue_told(memory_.data(), 1, stream())); };
  auto const set = [&] { PERFCHECK_CUDA(cudaMemsetAsync(memory_.data(), 0xff, 64, stream())); };
  auto const copy = [&] {
    PERFCHECK_CUDA(cudaMemcpyAsync(other_memory_.data(), memory_.data(), 4096, cudaMemcpyDeviceToDevice, stream()));
  };
  auto const alone = of(launch);
  EXPECT_EQ(alone.other_nodes, "none");
  auto const behind_set = of([&] { set(), launch(); });
  EXPECT_THAT(behind_set.other_nodes, AllOf(HasSubstr("memset "), HasSubstr(" in device memory")));
  EXPECT_NE(behind_set.graph, alone.graph);
  auto const in_front_of_set = of([&] { launch(), set(); });
  EXPECT_EQ(in_front_of_set.other_nodes, behind_set.other_nodes);
  EXPECT_NE(in_front_of_set.graph, behind_set.graph);
  EXPECT_EQ(of([&] { copy(), launch(); }).other_nodes, "copy 4096 B from device memory to device memory");
  EXPECT_THAT(of([&] { copy(), set(), launch(); }).other_nodes, HasSubstr("device memory, memset "));
  EXPECT_EQ(of(launch).graph, alone.graph);
}

}  // namespace
}  // namespace perfcheck::device
