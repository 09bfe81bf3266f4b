// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_step_renewal.h"

#include "perfcheck/model/defences.h"

#include <perfcheck/device/exclusive.cuh>

#include <algorithm>

namespace perfcheck::verify {
namespace {

/// One input of one set, as lines of contiguous elements: rows, or columns of a matrix that is stored by columns.
struct Lines {
  char* data = nullptr;
  std::int64_t line_bytes = 0;
  std::uint32_t lines = 0, length = 0;
  SecretKey key;  ///< of the set: mixed on the host, because that is 1 KB of code
  bool by_rows = true;
};

/// secret_bits() of a format that is known when this is compiled, without scales.
template <Element kElement>
__device__ Bits bits_at(SecretKey const& key, std::uint32_t row, std::uint32_t column) {
  if constexpr (kElement == Element::s8) {
    return detail::secret_integer(kElement, secret_words(key, row, column).x);
  } else {
    return detail::encode_secret(kElement, secret_value(key, row, column));
  }
}

/// A block takes a line at a time. Small, not fast: it writes one set, up to 24 times in a case.
template <Element kElement>
__global__ void __launch_bounds__(device::kExclusiveThreads, device::kExclusiveBlocks)
    write_lines_kernel(__grid_constant__ Lines const input) {
#pragma unroll 1
  for (std::uint32_t line = blockIdx.x; line < input.lines; line += gridDim.x) {
    char* const data = input.data + line * input.line_bytes;
#pragma unroll 1
    for (std::uint32_t at = threadIdx.x; at < input.length; at += device::kExclusiveThreads) {
      Bits const bits = bits_at<kElement>(input.key, input.by_rows ? line : at, input.by_rows ? at : line);
      store_bits(kElement, data, at, bits);
    }
  }
}

__global__ void __launch_bounds__(device::kExclusiveThreads, device::kExclusiveBlocks)
    write_words_kernel(std::uint32_t* data, std::size_t words, std::uint32_t word) {
#pragma unroll 1
  for (std::size_t at = static_cast<std::size_t>(blockIdx.x) * device::kExclusiveThreads + threadIdx.x; at < words;
       at += static_cast<std::size_t>(gridDim.x) * device::kExclusiveThreads) {
    data[at] = word;
  }
}

/// The kernel for a format; null if there is none.
auto kernel_for(SecretFormat const& format) -> decltype(&write_lines_kernel<Element::f32>) {
  if (format.scales) return nullptr;
  switch (format.element) {
    case Element::f32: return write_lines_kernel<Element::f32>;
    case Element::tf32: return write_lines_kernel<Element::tf32>;
    case Element::f16: return write_lines_kernel<Element::f16>;
    case Element::bf16: return write_lines_kernel<Element::bf16>;
    case Element::e4m3: return write_lines_kernel<Element::e4m3>;
    case Element::s8: return write_lines_kernel<Element::s8>;
    default: return nullptr;
  }
}

Lines lines_of(SecretMatrices const& matrices, int set, std::uint64_t secret) {
  MatrixView const matrix = matrices.of(set);
  MatrixLines const lines = matrix.lines();
  return {.data = static_cast<char*>(matrix.data),
          .line_bytes = bytes_of(matrix.element, lines.stride),
          .lines = static_cast<std::uint32_t>(lines.count),
          .length = static_cast<std::uint32_t>(lines.length),
          .key = secret_key(secret, set, matrices.operand),
          .by_rows = lines.by_rows};
}

}  // namespace

bool enqueue_step_renewal(unsigned blocks, cudaStream_t stream, std::span<SecretMatrices const> inputs, int set,
                          std::uint64_t secret, std::span<PoisonedMemory const> poisoned) {
  if (!std::ranges::all_of(inputs, [](auto const& input) { return kernel_for(input.format()) != nullptr; })) {
    return false;
  }
  for (SecretMatrices const& input : inputs) {
    if (input.first.size() == 0) continue;
    kernel_for(input.format())<<<blocks, device::kExclusiveThreads, 0, stream>>>(lines_of(input, set, secret));
  }
  if (!model::applies(model::Defence::poison)) return true;
  for (PoisonedMemory const& memory : poisoned) {
    write_words_kernel<<<blocks, device::kExclusiveThreads, 0, stream>>>(static_cast<std::uint32_t*>(memory.data),
                                                                         memory.bytes / 4, memory.word);
  }
  return true;
}

}  // namespace perfcheck::verify
