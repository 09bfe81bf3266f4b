// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensor maps, which tell the copy engine (TMA) of compute capability 9.0 how a tensor lies in memory.
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>
#include <perfcheck/cuda_check.h>
#include <perfcheck/tensor_layout.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace perfcheck {

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

/// What the copy engine takes elements of a format for. It moves bits, with one exception: TF32 is rounded on its way
/// to shared memory, to nearest even. Formats of 8 bits and fewer are bytes to it.
constexpr CUtensorMapDataType tensor_map_type(Element element) {
  ElementFormat const format = format_of(element);
  // Of the formats of 32 bits TF32 has it, of those of 16 bits FP16.
  bool const eleven_bits = format.precision == 11;
  switch (format.bits) {
    case 64: return format.integer ? CU_TENSOR_MAP_DATA_TYPE_INT64 : CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case 32:
      if (format.integer) return CU_TENSOR_MAP_DATA_TYPE_INT32;
      return eleven_bits ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case 16: return eleven_bits ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    default: return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  }
}

constexpr int bytes_of(CUtensorMapSwizzle swizzle) {
  switch (swizzle) {
    case CU_TENSOR_MAP_SWIZZLE_NONE: return 0;
    case CU_TENSOR_MAP_SWIZZLE_32B: return 32;
    case CU_TENSOR_MAP_SWIZZLE_64B: return 64;
    default: return 128;
  }
}

/// A map that copies boxes of `box` elements (each at most 256, rows of a multiple of 16 bytes), with zeros for what
/// lies outside the tensor. With a swizzle, a box's row must not be longer than the swizzle's bytes. Coordinates of
/// copies count elements; of packed formats, bytes along dimension 0. L2 reads `promotion` bytes from memory where it
/// misses a part of them: fewer where neighbours are fetched soon after anyway, since what is read twice as wide as it
/// is asked for costs bandwidth. Throws std::runtime_error, with the reason.
template <std::size_t kRank>
CUtensorMap make_tensor_map(TensorLayout<kRank> const& tensor, std::array<int, kRank> const& box,
                            CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE,
                            CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_256B) {
  Element const element = tensor.element;
  std::string const reason =
      why_no_tensor_map({tensor.data, element, tensor.sizes, tensor.strides, box, bytes_of(swizzle)});
  if (!reason.empty()) throw std::runtime_error("a tensor map: " + reason);
  // The engine counts bytes where elements are smaller than one.
  int const per_byte = format_of(element).bits < 8 ? 8 / format_of(element).bits : 1;
  cuuint64_t sizes[kRank], strides[kRank] = {};
  cuuint32_t lengths[kRank], steps[kRank];
  for (std::size_t i = 0; i < kRank; ++i) {
    sizes[i] = static_cast<cuuint64_t>(tensor.sizes[i] / (i == 0 ? per_byte : 1));
    lengths[i] = static_cast<cuuint32_t>(box[i] / (i == 0 ? per_byte : 1));
    steps[i] = 1;
    if (i > 0) strides[i - 1] = static_cast<cuuint64_t>(bytes_of(element, tensor.strides[i - 1]));
  }
  CUtensorMap map{};
  CUresult const result = tensor_map_encoder()(
      &map, tensor_map_type(element), static_cast<cuuint32_t>(kRank), const_cast<void*>(tensor.data), sizes, strides,
      lengths, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    throw std::runtime_error("a tensor map: cuTensorMapEncodeTiled refused a tensor of " + std::to_string(kRank) +
                             " dimensions of " + std::string(to_text(element)) + " (CUresult " +
                             std::to_string(result) + ")");
  }
  return map;
}

}  // namespace perfcheck
