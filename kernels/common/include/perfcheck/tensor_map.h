// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensor maps, which tell the copy engine (TMA) of compute capability 9.0 how a matrix lies in memory.
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>
#include <perfcheck/cuda_check.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace perfcheck {

/// A matrix of FP32 whose rows are contiguous: `rows` x `columns`, `ld` elements from row to row.
struct MatrixF32 {
  void const* data = nullptr;  ///< aligned to 16 bytes
  int rows = 0, columns = 0;
  int64_t ld = 0;  ///< a multiple of 4
};

/// The driver's cuTensorMapEncodeTiled, found through the runtime so that programs need not link the driver.
inline PFN_cuTensorMapEncodeTiled_v12000 tensor_map_encoder() {
  static PFN_cuTensorMapEncodeTiled_v12000 const encoder = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    PERFCHECK_CUDA(
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found));
    if (found != cudaDriverEntryPointSuccess) {
      throw std::runtime_error("the NVIDIA driver has no cuTensorMapEncodeTiled; it must be of CUDA 12.0 or newer");
    }
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
  }();
  return encoder;
}

/// A map that copies boxes of `box_rows` x `box_columns` (each at most 256; box_columns a multiple of 4), with zeros
/// for what lies outside the matrix. With a swizzle, a box's row must not be longer than the swizzle's bytes.
inline CUtensorMap make_tensor_map(MatrixF32 const& matrix, int box_rows, int box_columns,
                                   CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  CUtensorMap map{};
  cuuint64_t const sizes[] = {static_cast<cuuint64_t>(matrix.columns), static_cast<cuuint64_t>(matrix.rows)};
  cuuint64_t const strides[] = {static_cast<cuuint64_t>(matrix.ld) * sizeof(float)};
  cuuint32_t const box[] = {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows)};
  cuuint32_t const steps[] = {1, 1};
  CUresult const result = tensor_map_encoder()(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<void*>(matrix.data),
                                               sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    throw std::runtime_error("cuTensorMapEncodeTiled refused a matrix of " + std::to_string(matrix.rows) + " x " +
                             std::to_string(matrix.columns) + " with " + std::to_string(matrix.ld) +
                             " elements from row to row (CUresult " + std::to_string(result) + ")");
  }
  return map;
}

}  // namespace perfcheck
