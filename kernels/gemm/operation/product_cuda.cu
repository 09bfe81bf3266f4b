// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// FP64 products on a CUDA device: a plain tiled kernel, and cuBLAS's FP64 where the plain kernel would take too long.
#include "product.h"

#include <perfcheck/cuda_check.h>

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace perfcheck::gemm {
namespace {

constexpr int kTile = 16;
constexpr int kThreads = 256;
constexpr unsigned kMostBlocks = 1U << 14U;
/// Number of multiply-adds from which on cuBLAS is used; the plain kernel takes a few milliseconds for as many.
constexpr double kManyMultiplyAdds = 2e9;

/// Sizes of one matrix of a batch, and the distance to B's next one.
struct Sizes {
  std::int64_t m, n, k;
  std::int64_t b_rows, b_columns;  ///< from one matrix of B to the next
  std::int64_t tile_rows, tile_columns;
};

/// One thread per element of the product, 16 x 16 tiles of a and b in shared memory. Edges are filled with zeros, which
/// only meet elements outside of the product. Blocks take tiles of one matrix after the other.
__global__ void __launch_bounds__(kTile* kTile)
    product_kernel(Factor a, Factor b, Sizes sizes, double* product, float* scale) {
  __shared__ double a_tile[kTile][kTile];
  __shared__ double b_tile[kTile][kTile + 1];
  std::int64_t const matrix = blockIdx.x / (sizes.tile_rows * sizes.tile_columns);
  std::int64_t const tile = blockIdx.x % (sizes.tile_rows * sizes.tile_columns);
  std::int64_t const row = tile / sizes.tile_columns * kTile + threadIdx.y;
  std::int64_t const column = tile % sizes.tile_columns * kTile + threadIdx.x;
  std::int64_t const a_row = matrix * sizes.m + row;
  std::int64_t const b_row0 = matrix * sizes.b_rows, b_column0 = matrix * sizes.b_columns;
  // Neighbouring threads read neighbouring elements of b, whichever way it is stored.
  bool const by_rows = b.elements.column_stride == 1;
  int const b_k = by_rows ? threadIdx.y : threadIdx.x;
  int const b_n = by_rows ? threadIdx.x : threadIdx.y;
  std::int64_t const b_column = tile % sizes.tile_columns * kTile + b_n;

  double sum = 0;
  double sum_of_absolutes = 0;
  for (std::int64_t first = 0; first < sizes.k; first += kTile) {
    bool const in_a = row < sizes.m && first + threadIdx.x < sizes.k;
    bool const in_b = first + b_k < sizes.k && b_column < sizes.n;
    a_tile[threadIdx.y][threadIdx.x] = in_a ? a.at(a_row, first + threadIdx.x) : 0;
    b_tile[b_k][b_n] = in_b ? b.at(b_row0 + first + b_k, b_column0 + b_column) : 0;
    __syncthreads();
    int const depth = static_cast<int>(min(static_cast<std::int64_t>(kTile), sizes.k - first));
    for (int k = 0; k < depth; ++k) {
      double const left = a_tile[threadIdx.y][k];
      double const right = b_tile[k][threadIdx.x];
      sum += left * right;
      sum_of_absolutes += fabs(left * right);
    }
    __syncthreads();
  }
  if (row < sizes.m && column < sizes.n) {
    product[a_row * sizes.n + column] = sum;
    if (scale != nullptr) scale[a_row * sizes.n + column] = static_cast<float>(sum_of_absolutes);
  }
}

__device__ std::int64_t first_step() { return static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; }
__device__ std::int64_t stride() { return static_cast<std::int64_t>(gridDim.x) * kThreads; }

/// Widens a matrix to FP64, its lines (rows, or columns when it is stored by columns) contiguous and without gaps.
__global__ void __launch_bounds__(kThreads) widen_kernel(Factor factor, double* out) {
  bool const by_rows = factor.elements.column_stride == 1;
  std::int64_t const length = by_rows ? factor.elements.columns : factor.elements.rows;
  for (std::int64_t at = first_step(); at < factor.elements.size(); at += stride()) {
    std::int64_t const line = at / length;
    std::int64_t const place = at % length;
    out[at] = by_rows ? factor.at(line, place) : factor.at(place, line);
  }
}

__global__ void __launch_bounds__(kThreads) absolute_kernel(double* values, std::int64_t count) {
  for (std::int64_t at = first_step(); at < count; at += stride()) values[at] = fabs(values[at]);
}

__global__ void __launch_bounds__(kThreads) narrow_kernel(double const* values, float* out, std::int64_t count) {
  for (std::int64_t at = first_step(); at < count; at += stride()) out[at] = static_cast<float>(values[at]);
}

void check_cublas(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw device::DeviceError(std::string("FP64 reference: ") + what + ": " + cublasGetStatusString(status), false);
  }
}

class Cublas {
 public:
  explicit Cublas(cudaStream_t stream) {
    check_cublas(cublasCreate(&handle_), "cublasCreate");
    if (auto const status = cublasSetStream(handle_, stream); status != CUBLAS_STATUS_SUCCESS) {
      (void)cublasDestroy(handle_);
      check_cublas(status, "cublasSetStream");
    }
  }
  ~Cublas() { (void)cublasDestroy(handle_); }
  Cublas(Cublas const&) = delete;
  Cublas& operator=(Cublas const&) = delete;

  /// out(m, n) = a(m, k) * b(k, n), rows contiguous, b by rows or by columns. cuBLAS thinks in columns: a matrix with
  /// contiguous rows is the transpose of what it sees, so it is asked for b^T * a^T.
  void multiply(double const* a, double const* b, bool b_by_rows, int m, int n, int k, double* out) {
    double const one = 1;
    double const zero = 0;
    check_cublas(cublasDgemm(handle_, b_by_rows ? CUBLAS_OP_N : CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, &one, b,
                             b_by_rows ? n : k, a, k, &zero, out, n),
                 "cublasDgemm");
  }

 private:
  cublasHandle_t handle_ = nullptr;
};

class CudaProductEngine final : public ProductEngine {
 public:
  explicit CudaProductEngine(device::Backend& backend) : backend_(backend) {
    if (backend.name() != "cuda") {
      throw std::logic_error("make_cuda_product_engine needs the CUDA backend, not " + backend.name());
    }
  }

  void multiply(Factor const& a, Factor const& b, RowParts const& parts, double* product, float* scale) override {
    auto const [left, right] = pair_of(a, b, parts, 0);
    std::int64_t const m = left.elements.rows, n = right.elements.columns, k = left.elements.columns;
    if (!parts.grouped && takes_little(m, n, k)) {
      multiply_plainly(a, b, {.m = m, .n = n, .k = k}, parts.count, product, scale);
      return;
    }
    for (int part = 0; part < parts.count; ++part) {
      auto const pair = pair_of(a, b, parts, part);
      std::int64_t const at = parts.first(part) * n;
      multiply_pair(pair.a, pair.b, product + at, scale == nullptr ? nullptr : scale + at);
    }
  }

 private:
  /// Whether there is little enough work for the plain kernel.
  static bool takes_little(std::int64_t m, std::int64_t n, std::int64_t k) {
    double const multiply_adds = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    return multiply_adds < kManyMultiplyAdds || std::min(m, n) < kTile;
  }

  void multiply_pair(Factor const& a, Factor const& b, double* product, float* scale) {
    std::int64_t const m = a.elements.rows, n = b.elements.columns, k = a.elements.columns;
    if (!takes_little(m, n, k)) return multiply_with_cublas(a, b, product, scale);
    multiply_plainly(a, b, {.m = m, .n = n, .k = k}, 1, product, scale);
  }

  void multiply_plainly(Factor const& a, Factor const& b, Sizes sizes, int batch, double* product, float* scale) {
    bool const by_rows = b.elements.column_stride == 1;
    sizes.b_rows = by_rows ? sizes.k : 0;
    sizes.b_columns = by_rows ? 0 : sizes.n;
    sizes.tile_rows = (sizes.m + kTile - 1) / kTile;
    sizes.tile_columns = (sizes.n + kTile - 1) / kTile;
    auto const tiles = static_cast<unsigned>(batch * sizes.tile_rows * sizes.tile_columns);
    product_kernel<<<tiles, dim3(kTile, kTile), 0, backend_.stream()>>>(a, b, sizes, product, scale);
    backend_.check_launch();
  }

  void multiply_with_cublas(Factor const& left, Factor const& right, double* product, float* scale) {
    if (!cublas_) cublas_ = std::make_unique<Cublas>(backend_.stream());
    verify::MatrixView const &a = left.elements, &b = right.elements;
    std::int64_t const count = a.rows * b.columns;
    auto const m = static_cast<int>(a.rows);
    auto const n = static_cast<int>(b.columns);
    auto const k = static_cast<int>(a.columns);
    bool const b_by_rows = b.column_stride == 1;
    auto const a_memory = backend_.allocate(doubles(a.size()));
    auto const b_memory = backend_.allocate(doubles(b.size()));
    auto* const a64 = static_cast<double*>(a_memory.data());
    auto* const b64 = static_cast<double*>(b_memory.data());
    auto const stream = backend_.stream();
    widen_kernel<<<blocks(a.size()), kThreads, 0, stream>>>(left, a64);
    backend_.check_launch();
    widen_kernel<<<blocks(b.size()), kThreads, 0, stream>>>(right, b64);
    backend_.check_launch();
    cublas_->multiply(a64, b64, b_by_rows, m, n, k, product);
    if (scale != nullptr) {
      auto const scale_memory = backend_.allocate(doubles(count));
      auto* const scale64 = static_cast<double*>(scale_memory.data());
      absolute_kernel<<<blocks(a.size()), kThreads, 0, stream>>>(a64, a.size());
      backend_.check_launch();
      absolute_kernel<<<blocks(b.size()), kThreads, 0, stream>>>(b64, b.size());
      backend_.check_launch();
      cublas_->multiply(a64, b64, b_by_rows, m, n, k, scale64);
      narrow_kernel<<<blocks(count), kThreads, 0, stream>>>(scale64, scale, count);
      backend_.check_launch();
      backend_.synchronize();  // before scale64 is freed
    }
    backend_.synchronize();  // before a64 and b64 are freed
  }

  static std::size_t doubles(std::int64_t count) { return static_cast<std::size_t>(count) * sizeof(double); }
  static unsigned blocks(std::int64_t count) {
    return static_cast<unsigned>(std::clamp<std::int64_t>((count + kThreads - 1) / kThreads, 1, kMostBlocks));
  }

  device::Backend& backend_;
  std::unique_ptr<Cublas> cublas_;
};

}  // namespace

std::unique_ptr<ProductEngine> make_cuda_product_engine(device::Backend& backend) {
  return std::make_unique<CudaProductEngine>(backend);
}

}  // namespace perfcheck::gemm
