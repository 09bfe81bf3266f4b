// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_renewal.h"
#include "cuda_seizure.h"
#include "perfcheck/verify/engine.h"

#include <perfcheck/cuda_check.h>

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::verify {
namespace {

constexpr int kThreads = 256;

/// What a search leaves in device memory. All fields start at the neutral value of their atomic operation.
struct DeviceResult {
  unsigned long long count = 0;
  long long first_row = INT64_MAX, last_row = -1, first_column = INT64_MAX, last_column = -1;
  unsigned long long worst_bits = 0;  ///< of a double >= 0: their order is that of the bits
  unsigned long long sum = 0;
};

__device__ void note(DeviceResult* result, std::int64_t row, std::int64_t column) {
  atomicAdd(&result->count, 1ULL);
  atomicMin(&result->first_row, static_cast<long long>(row));
  atomicMax(&result->last_row, static_cast<long long>(row));
  atomicMin(&result->first_column, static_cast<long long>(column));
  atomicMax(&result->last_column, static_cast<long long>(column));
}

/// Position of step `at` through a matrix: neighbouring threads take neighbours in memory.
struct Position {
  std::int64_t row, column;
};
__device__ Position position(MatrixView const& matrix, std::int64_t at) {
  if (matrix.column_stride == 1) return {at / matrix.columns, at % matrix.columns};
  return {at % matrix.rows, at / matrix.rows};
}

__device__ std::int64_t first_step() { return static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; }
__device__ std::int64_t stride() { return static_cast<std::int64_t>(gridDim.x) * kThreads; }

__global__ void __launch_bounds__(kThreads) fill_kernel(MatrixView matrix, Fill fill) {
  for (std::int64_t at = first_step(); at < matrix.size(); at += stride()) {
    auto [row, column] = position(matrix, at);
    MatrixLines const lines = matrix.lines();
    std::int64_t& place = lines.by_rows ? column : row;
    // Two elements of four bits share a byte, which one thread has to write.
    std::int64_t const together = bits_of(matrix.element) == 4 ? 2 : 1;
    if (place % together != 0) continue;
    for (std::int64_t const end = min(place + together, lines.length); place < end; ++place) {
      double const value = value_at(fill, matrix.rows, matrix.columns, row, column);
      store_bits(matrix.element, matrix.data, matrix.index(row, column), encode(matrix.element, value));
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    fill_words_kernel(std::uint32_t* data, std::uint32_t word, std::int64_t words) {
  for (std::int64_t at = first_step(); at < words; at += stride()) data[at] = word;
}

__global__ void __launch_bounds__(kThreads)
    fingerprint_kernel(unsigned char const* data, std::int64_t bytes, DeviceResult* result) {
  std::uint64_t sum = 0;
  std::int64_t const whole = bytes / 8;
  auto const* words = reinterpret_cast<std::uint64_t const*>(data);
  for (std::int64_t at = first_step(); at < whole; at += stride()) {
    sum += fingerprint_word(static_cast<std::uint64_t>(at), words[at]);
  }
  if (first_step() == 0 && bytes % 8 != 0) {
    std::uint64_t last = 0;
    for (std::int64_t i = whole * 8; i < bytes; ++i) {
      last |= static_cast<std::uint64_t>(data[i]) << (8 * (i - whole * 8));
    }
    sum += fingerprint_word(static_cast<std::uint64_t>(whole), last);
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffU, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(&result->sum, static_cast<unsigned long long>(sum));
}

__global__ void __launch_bounds__(kThreads) find_other_kernel(MatrixView matrix, Bits bits, DeviceResult* result) {
  for (std::int64_t at = first_step(); at < matrix.size(); at += stride()) {
    auto const [row, column] = position(matrix, at);
    if (load_bits(matrix.element, matrix.data, matrix.index(row, column)) != bits) note(result, row, column);
  }
}

__global__ void __launch_bounds__(kThreads) find_different_kernel(MatrixView x, MatrixView y, DeviceResult* result) {
  for (std::int64_t at = first_step(); at < x.size(); at += stride()) {
    auto const [row, column] = position(x, at);
    if (load_bits(x.element, x.data, x.index(row, column)) != load_bits(y.element, y.data, y.index(row, column))) {
      note(result, row, column);
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    compare_kernel(MatrixView matrix, Expectation expectation, DeviceResult* result) {
  double worst = 0;
  for (std::int64_t at = first_step(); at < matrix.size(); at += stride()) {
    auto const [row, column] = position(matrix, at);
    auto const expected = expected_at(expectation, matrix.columns, row, column);
    auto const bits = load_bits(matrix.element, matrix.data, matrix.index(row, column));
    auto const judgement = judge(matrix.element, bits, expected, expectation.bound);
    if (judgement.wrong) note(result, row, column);
    if (judgement.error_over_bound > worst) worst = judgement.error_over_bound;
  }
  auto bits = static_cast<unsigned long long>(__double_as_longlong(worst));
  for (int offset = 16; offset > 0; offset /= 2) {
    auto const other = __shfl_down_sync(0xffffffffU, bits, offset);
    if (other > bits) bits = other;
  }
  if (threadIdx.x % 32 == 0 && bits != 0) atomicMax(&result->worst_bits, bits);
}

__global__ void __launch_bounds__(kThreads)
    chain_kernel(ulonglong2 const* data, std::int64_t pairs, std::uint64_t const* secret, std::uint64_t* next) {
  std::uint64_t const before = *secret;
  std::uint64_t sum = 0;
#pragma unroll 1  // small, like all code that runs between launches that are timed
  for (std::int64_t at = first_step(); at < pairs; at += stride()) {
    ulonglong2 const pair = data[at];
    auto const index = static_cast<std::uint64_t>(at) * 2;
    sum += chained_word(before, index, pair.x) + chained_word(before, index + 1, pair.y);
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffU, sum, offset);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(next), static_cast<unsigned long long>(sum));
  }
}

class CudaEngine final : public Engine {
 public:
  explicit CudaEngine(device::Backend& backend)
      : backend_(backend), result_(backend.allocate(sizeof(DeviceResult))), renewal_(backend), seizure_(backend) {
    if (backend.name() != "cuda") {
      throw std::logic_error("make_cuda_engine needs the CUDA backend, not " + backend.name());
    }
    int device = 0;
    int multiprocessors = 0;
    PERFCHECK_CUDA(cudaGetDevice(&device));
    PERFCHECK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    most_blocks_ = 16 * multiprocessors;
  }

  void fill(MatrixView const& matrix, Fill const& fill) override {
    if (matrix.size() == 0) return;
    fill_kernel<<<blocks(matrix.size()), kThreads, 0, backend_.stream()>>>(matrix, fill);
    backend_.check_launch();
  }

  void fill_words(void* data, std::uint32_t word, std::size_t bytes) override {
    auto const words = static_cast<std::int64_t>(bytes / sizeof word);
    if (words == 0) return;
    fill_words_kernel<<<blocks(words), kThreads, 0, backend_.stream()>>>(static_cast<std::uint32_t*>(data), word,
                                                                         words);
    backend_.check_launch();
  }

  void copy(void* to, void const* from, std::size_t bytes) override {
    PERFCHECK_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, backend_.stream()));
  }

  std::uint64_t fingerprint(void const* data, std::size_t bytes) override {
    auto const size = static_cast<std::int64_t>(bytes);
    return collect([&](DeviceResult* result) {
             fingerprint_kernel<<<blocks(size / 8 + 1), kThreads, 0, backend_.stream()>>>(
                 static_cast<unsigned char const*>(data), size, result);
           })
        .sum;
  }

  Found find_other(MatrixView const& matrix, Bits bits) override {
    if (matrix.size() == 0) return {};
    return found(collect([&](DeviceResult* result) {
      find_other_kernel<<<blocks(matrix.size()), kThreads, 0, backend_.stream()>>>(matrix, bits, result);
    }));
  }

  Found find_different(MatrixView const& x, MatrixView const& y) override {
    return found(collect([&](DeviceResult* result) {
      find_different_kernel<<<blocks(x.size()), kThreads, 0, backend_.stream()>>>(x, y, result);
    }));
  }

  Comparison compare(MatrixView const& matrix, Expectation const& expectation) override {
    auto const result = collect([&](DeviceResult* device_result) {
      compare_kernel<<<blocks(matrix.size()), kThreads, 0, backend_.stream()>>>(matrix, expectation, device_result);
    });
    return {found(result), detail::same_bits<double>(result.worst_bits)};
  }

  void renew(std::span<SecretMatrices const> inputs, SetRange sets, std::uint64_t secret,
             std::span<PoisonedMemory const> poisoned) override {
    renewal_.enqueue(inputs, sets, secret, poisoned);
  }
  void renew_step(std::span<SecretMatrices const> inputs, int set, std::uint64_t secret,
                  std::span<PoisonedMemory const> poisoned) override {
    renewal_.enqueue_step(inputs, set, secret, poisoned);
  }
  void renew_late(std::span<SecretMatrices const> inputs, SetRange sets, std::uint64_t secret,
                  std::span<PoisonedMemory const> poisoned) override {
    renewal_.enqueue_late(inputs, sets, secret, poisoned);
  }
  void renew_from(std::span<SecretMatrices const> inputs, std::uint64_t const* secret) override {
    renewal_.enqueue_from(inputs, secret);
  }
  void chain(void const* data, std::size_t bytes, std::uint64_t const* secret, std::uint64_t* next) override {
    auto const pairs = static_cast<std::int64_t>(bytes / sizeof(ulonglong2));
    chain_kernel<<<blocks(pairs), kThreads, 0, backend_.stream()>>>(static_cast<ulonglong2 const*>(data), pairs, secret,
                                                                    next);
    backend_.check_launch();
  }
  std::uint64_t count_changed(std::span<SecretMatrices const> inputs, SetRange sets, std::uint64_t secret) override {
    return renewal_.count_changed(inputs, sets, secret);
  }
  void seize(void* to, void const* from, std::size_t bytes) override { seizure_.enqueue(to, from, bytes); }
  std::uint64_t seized_ns() override { return seizure_.seized_ns(); }
  std::uint64_t renewed_ns() override { return renewal_.renewed_ns(); }
  bool was_alone() override { return renewal_.was_alone() && seizure_.was_alone(); }

 private:
  /// Enough blocks to fill the device; each thread takes every (blocks * kThreads)-th element.
  unsigned blocks(std::int64_t elements) const {
    return static_cast<unsigned>(std::clamp<std::int64_t>((elements + kThreads - 1) / kThreads, 1, most_blocks_));
  }

  /// Resets the result, launches, and waits for the result.
  template <class Launch>
  DeviceResult collect(Launch const& launch) {
    DeviceResult result;
    backend_.copy_to_device(result_.data(), &result, sizeof result);
    launch(static_cast<DeviceResult*>(result_.data()));
    backend_.check_launch();
    backend_.copy_to_host(&result, result_.data(), sizeof result);
    backend_.synchronize();
    return result;
  }

  static Found found(DeviceResult const& result) {
    return {result.count, result.first_row, result.last_row, result.first_column, result.last_column};
  }

  device::Backend& backend_;
  device::Memory result_;
  CudaRenewal renewal_;
  CudaSeizure seizure_;
  int most_blocks_ = 1;
};

}  // namespace

std::unique_ptr<Engine> make_cuda_engine(device::Backend& backend) { return std::make_unique<CudaEngine>(backend); }

}  // namespace perfcheck::verify
