// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_renewal.h"

#include "cuda_step_renewal.h"

#include "perfcheck/model/defences.h"

#include <perfcheck/cuda_check.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace perfcheck::verify {
namespace {

using device::ExclusiveState;

/// Elements of a line that one warp takes at a time. Each lane takes four groups of four, so that what is computed once
/// per line costs little.
constexpr unsigned kChunk = 512;
constexpr unsigned kPerLane = 4;

/// One input of all sets as lines of contiguous elements: rows, or columns of a matrix that is stored by columns.
struct Lines {
  char* data;
  std::int64_t set_bytes, line_bytes;
  std::uint32_t lines, length, chunks;
  SecretFormat format;
  int operand;
  bool by_rows;
  bool whole_vectors;  ///< lines are aligned so that four elements can be written at once
};

struct Tasks {
  Lines inputs[CudaRenewal::kMostMatrices];
  PoisonedMemory memory[CudaRenewal::kMostMemory];
  int input_count = 0, memory_count = 0;
  SetRange sets;
  std::uint64_t secret = 0;
};

__device__ Bits bits_at(Lines const& input, SecretKey const& key, std::uint32_t line, std::uint32_t at) {
  return secret_bits(input.format, key, input.by_rows ? line : at, input.by_rows ? at : line);
}

/// Calls visit(line address, key, line number, first element) for every group of four elements of all sets. Loops are
/// not unrolled: this code runs right before launches that are timed, and takes the place of their code in the
/// instruction cache (docs/design.md, "Code that stays small").
template <class Visit>
__device__ void for_each_group(Lines const& input, SetRange sets, std::uint64_t secret, Visit const& visit) {
  std::uint32_t const warps = gridDim.x * (blockDim.x / 32);
  std::uint32_t const per_set = input.lines * input.chunks;
#pragma unroll 1
  for (std::uint32_t unit = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
       unit < static_cast<std::uint32_t>(sets.count) * per_set; unit += warps) {
    int const set = sets.first + static_cast<int>(unit / per_set);
    std::uint32_t const line = unit % per_set / input.chunks;
    std::uint32_t const first = unit % per_set % input.chunks * kChunk;
    SecretKey const key = secret_key(secret, set, input.operand);
    char* const data = input.data + set * input.set_bytes + line * input.line_bytes;
    std::uint32_t const end = min(first + kChunk, input.length);
#pragma unroll 1
    for (std::uint32_t at = first + threadIdx.x % 32 * kPerLane; at < end; at += 32 * kPerLane) {
      visit(data, key, line, at);
    }
  }
}

/// Whether this is one of the formats that most kernels have, whose values one instruction rounds.
bool is_quick(SecretFormat const& format) {
  return !format.scales && (format.element == Element::f32 || format.element == Element::tf32 ||
                            format.element == Element::f16 || format.element == Element::bf16);
}

__device__ std::uint32_t quick_bits(Lines const& input, SecretKey const& key, std::uint32_t line, std::uint32_t at) {
  float const value = secret_value(key, input.by_rows ? line : at, input.by_rows ? at : line);
  if (input.format.element == Element::f16) return __half_as_ushort(__float2half_rn(value));
  if (input.format.element == Element::bf16) return __bfloat16_as_ushort(__float2bfloat16_rn(value));
  return __float_as_uint(value);
}

__device__ void write_quick_group(Lines const& input, char* data, SecretKey const& key, std::uint32_t line,
                                  std::uint32_t at) {
  bool const wide = verify::bits_of(input.format.element) == 32;
  std::uint32_t bits[kPerLane];
#pragma unroll
  for (std::uint32_t i = 0; i < kPerLane; ++i) bits[i] = quick_bits(input, key, line, at + i);
  if (!input.whole_vectors || at + kPerLane > input.length) {
#pragma unroll
    for (std::uint32_t i = 0; i < kPerLane; ++i) {
      if (at + i >= input.length) continue;
      if (wide) {
        reinterpret_cast<std::uint32_t*>(data)[at + i] = bits[i];
      } else {
        reinterpret_cast<std::uint16_t*>(data)[at + i] = static_cast<std::uint16_t>(bits[i]);
      }
    }
  } else if (wide) {
    reinterpret_cast<uint4*>(data)[at / kPerLane] = make_uint4(bits[0], bits[1], bits[2], bits[3]);
  } else {
    reinterpret_cast<uint2*>(data)[at / kPerLane] = make_uint2(bits[0] | bits[1] << 16U, bits[2] | bits[3] << 16U);
  }
}

/// Any format, element by element. Few problems have the formats that need it, so small code is worth more than speed.
__device__ void write_group(Lines const& input, char* data, SecretKey const& key, std::uint32_t line,
                            std::uint32_t at) {
  auto const width = static_cast<std::uint32_t>(verify::bits_of(input.format.element));
  bool const whole = input.whole_vectors && at + kPerLane <= input.length && width <= 16;
  std::uint32_t const end = min(at + kPerLane, input.length);
  std::uint64_t group = 0;
#pragma unroll 1
  for (std::uint32_t i = at; i < end; ++i) {
    Bits const bits = bits_at(input, key, line, i);
    if (whole) {
      group |= bits << (i - at) * width;
    } else {
      store_bits(input.format.element, data, i, bits);
    }
  }
  if (!whole) return;
  if (width == 16) reinterpret_cast<std::uint64_t*>(data)[at / kPerLane] = group;
  if (width == 8) reinterpret_cast<std::uint32_t*>(data)[at / kPerLane] = static_cast<std::uint32_t>(group);
  if (width == 4) reinterpret_cast<std::uint16_t*>(data)[at / kPerLane] = static_cast<std::uint16_t>(group);
}

__device__ void poison(PoisonedMemory const& memory) {
  std::size_t const vectors = memory.bytes / sizeof(uint4);
  auto const first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  std::size_t const step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  auto* const data = static_cast<uint4*>(memory.data);
#pragma unroll 2
  for (std::size_t at = first; at < vectors; at += step) {
    data[at] = make_uint4(memory.word, memory.word, memory.word, memory.word);
  }
  auto* const words = static_cast<std::uint32_t*>(memory.data);
#pragma unroll 1
  for (std::size_t at = vectors * 4 + first; at < memory.bytes / 4; at += step) words[at] = memory.word;
}

/// Each kernel exists twice: the one for quick formats alone stays small.
template <bool kQuick>
__device__ void write_inputs(Tasks const& tasks, std::uint64_t secret) {
#pragma unroll 1
  for (int i = 0; i < tasks.input_count; ++i) {
    Lines const& input = tasks.inputs[i];
    for_each_group(input, tasks.sets, secret,
                   [&](char* data, SecretKey const& key, std::uint32_t line, std::uint32_t at) {
                     if constexpr (kQuick) {
                       write_quick_group(input, data, key, line, at);
                     } else {
                       write_group(input, data, key, line, at);
                     }
                   });
  }
}

template <bool kQuick>
__device__ void renew_all(Tasks const& tasks) {
#pragma unroll 1
  for (int i = 0; i < tasks.memory_count; ++i) poison(tasks.memory[i]);
  write_inputs<kQuick>(tasks, tasks.secret);
}

template <bool kQuick>
__global__ void __launch_bounds__(device::kExclusiveThreads, device::kExclusiveBlocks)
    renew_kernel(__grid_constant__ Tasks const tasks, ExclusiveState* state, std::uint64_t* renewed_ns) {
  device::arrive_together(state);
  renew_all<kQuick>(tasks);
  // Leave together, so that no other kernel finds room while the last blocks still write.
  if (device::arrive_together(state)) *renewed_ns = device::global_nanoseconds();
}

/// For so long, a launch that does not wait can read what is not there yet.
constexpr std::uint64_t kLateNs = 250'000;
constexpr unsigned kLateBlocks = 8;

template <bool kQuick>
__global__ void __launch_bounds__(device::kExclusiveThreads) renew_late_kernel(__grid_constant__ Tasks const tasks) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
  std::uint64_t const end = device::global_nanoseconds() + kLateNs;
  while (device::global_nanoseconds() < end) {
  }
  renew_all<kQuick>(tasks);
}

template <bool kQuick>
__global__ void __launch_bounds__(device::kExclusiveThreads, device::kExclusiveBlocks)
    renew_from_kernel(__grid_constant__ Tasks const tasks, std::uint64_t const* secret) {
  write_inputs<kQuick>(tasks, *secret);
}

__global__ void __launch_bounds__(device::kExclusiveThreads)
    count_changed_kernel(__grid_constant__ Tasks const tasks, unsigned long long* changed) {
  for (int i = 0; i < tasks.input_count; ++i) {
    Lines const& input = tasks.inputs[i];
    unsigned count = 0;
    for_each_group(input, tasks.sets, tasks.secret,
                   [&](char* data, SecretKey const& key, std::uint32_t line, std::uint32_t at) {
                     std::uint32_t const end = min(at + kPerLane, input.length);
                     for (; at < end; ++at) {
                       count += load_bits(input.format.element, data, at) != bits_at(input, key, line, at) ? 1U : 0U;
                     }
                   });
    if (count != 0) atomicAdd(changed, static_cast<unsigned long long>(count));
  }
}

Lines lines_of(SecretMatrices const& matrices) {
  MatrixView const& matrix = matrices.first;
  MatrixLines const lines = matrix.lines();
  std::int64_t const line_bytes = bytes_of(matrix.element, lines.stride);
  std::int64_t const vector_bytes = bytes_of(matrix.element, kPerLane);
  return {.data = static_cast<char*>(matrix.data),
          .set_bytes = matrices.set_bytes,
          .line_bytes = line_bytes,
          .lines = static_cast<std::uint32_t>(lines.count),
          .length = static_cast<std::uint32_t>(lines.length),
          .chunks = static_cast<std::uint32_t>((lines.length + kChunk - 1) / kChunk),
          .format = matrices.format(),
          .operand = matrices.operand,
          .by_rows = lines.by_rows,
          .whole_vectors = line_bytes % vector_bytes == 0 && matrices.set_bytes % vector_bytes == 0};
}

Tasks tasks_of(std::span<SecretMatrices const> matrices, SetRange sets, std::uint64_t secret,
               std::span<PoisonedMemory const> poisoned) {
  if (matrices.size() > CudaRenewal::kMostMatrices || poisoned.size() > CudaRenewal::kMostMemory) {
    throw std::logic_error("a set of buffers has more inputs or outputs than one renewal can write");
  }
  Tasks tasks;
  tasks.sets = sets;
  tasks.secret = secret;
  for (auto const& input : matrices) {
    if (input.first.size() != 0) tasks.inputs[tasks.input_count++] = lines_of(input);
  }
  if (model::applies(model::Defence::poison)) {
    for (auto const& memory : poisoned) tasks.memory[tasks.memory_count++] = memory;
  }
  return tasks;
}

bool are_quick(Tasks const& tasks) {
  return std::all_of(tasks.inputs, tasks.inputs + tasks.input_count,
                     [](Lines const& input) { return is_quick(input.format); });
}

}  // namespace

void CudaRenewal::HostMemoryFreer::operator()(std::uint64_t* data) const {
  if (!device::device_is_abandoned()) (void)cudaFreeHost(data);
}

CudaRenewal::CudaRenewal(device::Backend& backend)
    : backend_(backend),
      state_(backend.allocate(sizeof(ExclusiveState))),
      changed_(backend.allocate(sizeof(std::uint64_t))),
      blocks_(std::min(device::exclusive_blocks(renew_kernel<true>), device::exclusive_blocks(renew_kernel<false>))) {
  if (blocks_ == 0) {
    throw device::DeviceError("the kernel that renews inputs cannot take all thread slots of this device", false);
  }
  void* data = nullptr;
  PERFCHECK_CUDA(cudaHostAlloc(&data, sizeof(std::uint64_t), cudaHostAllocMapped));
  renewed_ns_.reset(new (data) std::uint64_t(0));
  ExclusiveState const none;
  backend.copy_to_device(state_.data(), &none, sizeof none);
}

void CudaRenewal::enqueue(std::span<SecretMatrices const> matrices, SetRange sets, std::uint64_t secret,
                          std::span<PoisonedMemory const> poisoned) {
  Tasks const tasks = tasks_of(matrices, sets, secret, poisoned);
  auto* const kernel = are_quick(tasks) ? renew_kernel<true> : renew_kernel<false>;
  kernel<<<blocks_, device::kExclusiveThreads, 0, backend_.stream()>>>(
      tasks, static_cast<ExclusiveState*>(state_.data()), renewed_ns_.get());
  backend_.check_launch();
}

void CudaRenewal::enqueue_step(std::span<SecretMatrices const> matrices, int set, std::uint64_t secret,
                               std::span<PoisonedMemory const> poisoned) {
  if (!enqueue_step_renewal(blocks_, backend_.stream(), matrices, set, secret, poisoned)) {
    enqueue(matrices, {set, 1}, secret, poisoned);
  }
  backend_.check_launch();
}

void CudaRenewal::enqueue_late(std::span<SecretMatrices const> matrices, SetRange sets, std::uint64_t secret,
                               std::span<PoisonedMemory const> poisoned) {
  Tasks const tasks = tasks_of(matrices, sets, secret, poisoned);
  auto* const kernel = are_quick(tasks) ? renew_late_kernel<true> : renew_late_kernel<false>;
  kernel<<<kLateBlocks, device::kExclusiveThreads, 0, backend_.stream()>>>(tasks);
  backend_.check_launch();
}

void CudaRenewal::enqueue_from(std::span<SecretMatrices const> matrices, std::uint64_t const* secret) {
  Tasks const tasks = tasks_of(matrices, {0, 1}, 0, {});
  auto* const kernel = are_quick(tasks) ? renew_from_kernel<true> : renew_from_kernel<false>;
  kernel<<<blocks_, device::kExclusiveThreads, 0, backend_.stream()>>>(tasks, secret);
  backend_.check_launch();
}

std::uint64_t CudaRenewal::count_changed(std::span<SecretMatrices const> matrices, SetRange sets,
                                         std::uint64_t secret) {
  std::uint64_t changed = 0;
  backend_.copy_to_device(changed_.data(), &changed, sizeof changed);
  count_changed_kernel<<<blocks_, device::kExclusiveThreads, 0, backend_.stream()>>>(
      tasks_of(matrices, sets, secret, {}), static_cast<unsigned long long*>(changed_.data()));
  backend_.check_launch();
  backend_.copy_to_host(&changed, changed_.data(), sizeof changed);
  return changed;
}

bool CudaRenewal::was_alone() {
  ExclusiveState state;
  backend_.copy_to_host(&state, state_.data(), sizeof state);
  return state.timed_out == 0;
}

}  // namespace perfcheck::verify
