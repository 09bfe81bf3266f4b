// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "copy_engine.h"

#include "memory_barrier.h"
#include "simulator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace perfcheck::emulated {
namespace {

constexpr int kMostDimensions = 5;
constexpr int kAlignment = 128;       // of a box in shared memory
constexpr int kPieceBytes = 16;       // that a swizzle exchanges
constexpr int kCoordinateBytes = 16;  // the first coordinate is a multiple of so many

/// What a map holds here instead of the driver's bits.
struct Tensor {
  unsigned char* data;
  cuuint64_t sizes[kMostDimensions];
  cuuint64_t strides[kMostDimensions - 1];  // in bytes
  std::uint16_t box[kMostDimensions];
  std::uint8_t rank, bytes, swizzle_bytes, rounds_to_tf32;
};
static_assert(sizeof(Tensor) <= sizeof(CUtensorMap));

int bytes_of(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8: return 1;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: return 2;
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32: return 4;
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64: return 8;
    default: return 0;
  }
}

int bytes_of(CUtensorMapSwizzle swizzle) {
  switch (swizzle) {
    case CU_TENSOR_MAP_SWIZZLE_32B: return 32;
    case CU_TENSOR_MAP_SWIZZLE_64B: return 64;
    case CU_TENSOR_MAP_SWIZZLE_128B: return 128;
    default: return 0;
  }
}

/// To nearest, ties to even.
void round_to_tf32(unsigned char* element) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, element, sizeof bits);
  bool const is_finite = (bits >> 23 & 0xFF) != 0xFF;
  if (is_finite) bits += 0xFFF + (bits >> 13 & 1);
  bits &= ~std::uint32_t{0x1FFF};
  std::memcpy(element, &bits, sizeof bits);
}

/// Where byte `offset` of a box lies: pieces of 16 bytes are exchanged within lines of the swizzle's length, by the
/// number of the line of 128 bytes.
std::uint32_t swizzled(std::uint32_t offset, std::uint32_t swizzle_bytes) {
  if (swizzle_bytes == 0) return offset;
  std::uint32_t const pieces = swizzle_bytes / kPieceBytes;
  return offset ^ (offset / 128 % pieces * kPieceBytes);
}

using Place = std::array<int, kMostDimensions>;

/// Calls visit(offset in the box, address of the element or null if it lies outside) for each element of a box.
template <class Visit>
void for_box(Tensor const& tensor, Place const& at, Visit const& visit) {
  Place within{};
  int const rank = tensor.rank, bytes = tensor.bytes;
  for (std::uint32_t offset = 0;; offset += static_cast<std::uint32_t>(bytes)) {
    unsigned char* element = tensor.data;
    bool inside = true;
    for (int d = 0; d < rank; ++d) {
      std::int64_t const place = at[d] + within[d];
      inside = inside && place >= 0 && place < static_cast<std::int64_t>(tensor.sizes[d]);
      element += place * (d == 0 ? bytes : static_cast<std::int64_t>(tensor.strides[d - 1]));
    }
    visit(offset, inside ? element : nullptr);
    int d = 0;
    while (d < rank && ++within[d] == tensor.box[d]) within[d++] = 0;
    if (d == rank) return;
  }
}

/// The box to shared address `to`; the swizzle counts addresses. `block` is where address 0 would be.
void copy_box(Tensor const& tensor, Place const& at, unsigned char* block, std::uint32_t to) {
  for_box(tensor, at, [&](std::uint32_t offset, unsigned char const* from) {
    unsigned char element[8] = {};
    if (from != nullptr) std::memcpy(element, from, tensor.bytes);
    if (tensor.rounds_to_tf32 != 0) round_to_tf32(element);
    std::memcpy(block + swizzled(to + offset, tensor.swizzle_bytes), element, tensor.bytes);
  });
}

/// A copy's place and size, checked.
struct Box {
  Tensor tensor;
  Place at{};
  int bytes = 0;

  Box(CUtensorMap const& map, std::span<int const> place) : tensor() {
    std::memcpy(&tensor, &map, sizeof tensor);
    if (place.size() != tensor.rank) fail("a copy has other dimensions than its tensor map");
    if (place[0] * tensor.bytes % kCoordinateBytes != 0) fail("a copy's first coordinate is no multiple of 16 bytes");
    bytes = tensor.bytes;
    for (int d = 0; d < tensor.rank; ++d) bytes *= tensor.box[d];
    std::ranges::copy(place, at.begin());
  }
};

void load_to(int rank, Box const& box, std::uint32_t to, std::uint32_t barrier) {
  unsigned char* const first = at_shared_of(rank, to, box.bytes, kAlignment);
  copy_later(rank, [=, block = first - to, counter = MemoryBarrier(barrier, rank)] {
    copy_box(box.tensor, box.at, block, to);
    counter.receive(box.bytes);
  });
}

}  // namespace

CUresult encode_tensor_map(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* data,
                           cuuint64_t const* sizes, cuuint64_t const* strides, cuuint32_t const* box,
                           cuuint32_t const* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                           CUtensorMapL2promotion /*promotion*/, CUtensorMapFloatOOBfill fill) {
  Tensor tensor{.data = static_cast<unsigned char*>(data),
                .sizes = {},
                .strides = {},
                .box = {},
                .rank = static_cast<std::uint8_t>(rank),
                .bytes = static_cast<std::uint8_t>(bytes_of(type)),
                .swizzle_bytes = static_cast<std::uint8_t>(bytes_of(swizzle)),
                .rounds_to_tf32 = type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32};
  bool const steps_are_one = std::all_of(steps, steps + rank, [](cuuint32_t step) { return step == 1; });
  if (rank < 1 || rank > kMostDimensions || tensor.bytes == 0 || !steps_are_one ||
      interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) {
    return CUDA_ERROR_NOT_SUPPORTED;  // not emulated
  }
  for (cuuint32_t d = 0; d < rank; ++d) {
    tensor.sizes[d] = sizes[d];
    tensor.box[d] = static_cast<std::uint16_t>(box[d]);
    if (d > 0) tensor.strides[d - 1] = strides[d - 1];
  }
  std::memcpy(map, &tensor, sizeof tensor);
  return CUDA_SUCCESS;
}

void load(CUtensorMap const& map, std::span<int const> at, std::uint32_t to, std::uint32_t barrier) {
  touch_global_memory();
  load_to(rank_in_cluster(), Box(map, at), to, barrier);
}

void load_to_blocks(CUtensorMap const& map, std::span<int const> at, std::uint32_t to, std::uint32_t barrier,
                    std::uint32_t blocks) {
  touch_global_memory();
  for (int rank = 0; blocks >> rank != 0; ++rank) {
    if ((blocks >> rank & 1) != 0) load_to(rank, Box(map, at), to, barrier);
  }
}

void store(CUtensorMap const& map, std::span<int const> at, std::uint32_t from) {
  touch_global_memory();
  Box const box(map, at);
  unsigned char const* const block = at_shared(from, box.bytes, kAlignment) - from;
  do_when_waited(Late::stores, [=] {
    for_box(box.tensor, box.at, [&](std::uint32_t offset, unsigned char* to) {
      if (to != nullptr) std::memcpy(to, block + swizzled(from + offset, box.tensor.swizzle_bytes), box.tensor.bytes);
    });
  });
}

}  // namespace perfcheck::emulated
