// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "sparse.h"

#include <perfcheck/cuda_check.h>

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::gemm {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostBlocks = 1 << 14;
/// Threads per block of kernels that run before timed launches. With as many blocks as there are multiprocessors, each
/// is a single wave, which leaves the order of blocks in the following launches as it was fixed (device/block_order.h).
constexpr int kWaveThreads = 1024;

/// The indices of all sets.
struct Indices {
  std::uint8_t* data;  ///< of set 0
  std::int64_t set_bytes, row_stride, rows, columns;
  int operand;
};

/// Calls visit(byte, value that it must have) for all bytes of some sets.
template <class Visit>
__device__ void for_each_byte(Indices const& indices, verify::SetRange sets, std::uint64_t secret, Visit const& visit) {
  std::int64_t const of_a_set = indices.rows * indices.columns;
  for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < sets.count * of_a_set;
       at += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    int const set = sets.first + static_cast<int>(at / of_a_set);
    std::int64_t const row = at % of_a_set / indices.columns, byte = at % indices.columns;
    std::uint8_t* const data = indices.data + set * indices.set_bytes + row * indices.row_stride + byte;
    visit(*data, secret_indices(verify::secret_key(secret, set, indices.operand), row, byte));
  }
}

__global__ void __launch_bounds__(kWaveThreads)
    renew_kernel(Indices indices, verify::SetRange sets, std::uint64_t secret) {
  for_each_byte(indices, sets, secret, [](std::uint8_t& byte, std::uint8_t wanted) { byte = wanted; });
}

__global__ void __launch_bounds__(kWaveThreads) renew_from_kernel(Indices indices, std::uint64_t const* secret) {
  for_each_byte(indices, {0, 1}, *secret, [](std::uint8_t& byte, std::uint8_t wanted) { byte = wanted; });
}

__global__ void __launch_bounds__(kThreads)
    count_changed_kernel(Indices indices, verify::SetRange sets, std::uint64_t secret, unsigned long long* changed) {
  unsigned long long count = 0;
  for_each_byte(indices, sets, secret,
                [&](std::uint8_t byte, std::uint8_t wanted) { count += byte != wanted ? 1U : 0U; });
  if (count != 0) atomicAdd(changed, count);
}

__global__ void __launch_bounds__(kThreads)
    expand_kernel(verify::MatrixView kept, verify::MatrixView indices, verify::MatrixView dense) {
  for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; at < dense.size();
       at += static_cast<std::int64_t>(gridDim.x) * kThreads) {
    expand_element(kept, indices, dense, at / dense.columns, at % dense.columns);
  }
}

unsigned blocks_for(std::int64_t count) {
  return static_cast<unsigned>(std::clamp<std::int64_t>((count + kThreads - 1) / kThreads, 1, kMostBlocks));
}

Indices indices_in(verify::SecretMatrices const& matrices) {
  return {.data = static_cast<std::uint8_t*>(matrices.first.data),
          .set_bytes = matrices.set_bytes,
          .row_stride = matrices.first.row_stride,
          .rows = matrices.first.rows,
          .columns = matrices.first.columns,
          .operand = matrices.operand};
}

class CudaSparseEngine final : public SparseEngine {
 public:
  explicit CudaSparseEngine(device::Backend& backend)
      : backend_(backend), changed_(backend.allocate(sizeof(unsigned long long))) {
    if (backend.name() != "cuda") {
      throw std::logic_error("make_cuda_sparse_engine needs the CUDA backend, not " + backend.name());
    }
    int device = 0, multiprocessors = 0;
    PERFCHECK_CUDA(cudaGetDevice(&device));
    PERFCHECK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    one_wave_ = static_cast<unsigned>(multiprocessors);
  }

  void renew(verify::SecretMatrices const& indices, verify::SetRange sets, std::uint64_t secret) override {
    renew_kernel<<<one_wave_, kWaveThreads, 0, backend_.stream()>>>(indices_in(indices), sets, secret);
    backend_.check_launch();
  }
  void renew_from(verify::SecretMatrices const& indices, std::uint64_t const* secret) override {
    renew_from_kernel<<<one_wave_, kWaveThreads, 0, backend_.stream()>>>(indices_in(indices), secret);
    backend_.check_launch();
  }
  std::uint64_t count_changed(verify::SecretMatrices const& indices, verify::SetRange sets,
                              std::uint64_t secret) override {
    unsigned long long count = 0;
    backend_.copy_to_device(changed_.data(), &count, sizeof count);
    count_changed_kernel<<<blocks_for(sets.count * indices.first.size()), kThreads, 0, backend_.stream()>>>(
        indices_in(indices), sets, secret, static_cast<unsigned long long*>(changed_.data()));
    backend_.check_launch();
    backend_.copy_to_host(&count, changed_.data(), sizeof count);
    return count;
  }
  void expand(verify::MatrixView const& kept, verify::MatrixView const& indices,
              verify::MatrixView const& dense) override {
    expand_kernel<<<blocks_for(dense.size()), kThreads, 0, backend_.stream()>>>(kept, indices, dense);
    backend_.check_launch();
  }

 private:
  device::Backend& backend_;
  device::Memory changed_;
  unsigned one_wave_ = 1;  ///< blocks
};

}  // namespace

std::unique_ptr<SparseEngine> make_cuda_sparse_engine(device::Backend& backend) {
  return std::make_unique<CudaSparseEngine>(backend);
}

}  // namespace perfcheck::gemm
