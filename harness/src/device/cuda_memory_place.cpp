// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_memory_place.h"

#include <optional>

namespace perfcheck::device {
namespace {

std::optional<MemoryKind> kind_of(std::uint64_t address) {
  cudaPointerAttributes attributes{};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): found among arguments, as a number
  if (cudaPointerGetAttributes(&attributes, reinterpret_cast<void const*>(address)) != cudaSuccess) {
    (void)cudaGetLastError();  // some drivers refuse what is no address
    return std::nullopt;
  }
  switch (attributes.type) {
    case cudaMemoryTypeDevice: return MemoryKind::device;
    case cudaMemoryTypeManaged: return MemoryKind::managed;
    case cudaMemoryTypeHost: return MemoryKind::host;
    default: return std::nullopt;
  }
}

}  // namespace

PlaceOf cuda_place_of(cudaStream_t stream) {
  return [handle = reinterpret_cast<std::uint64_t>(stream)](std::uint64_t word) -> std::optional<MemoryPlace> {
    if (word == 0) return std::nullopt;
    if (auto const kind = kind_of(word)) return place_at(*kind, word);
    if (word == handle || is_readable_here(word)) return place_at(MemoryKind::host, word);
    return std::nullopt;
  };
}

}  // namespace perfcheck::device
