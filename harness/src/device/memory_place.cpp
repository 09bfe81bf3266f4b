// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "memory_place.h"

#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

namespace perfcheck::device {
namespace {

int full_alignment(MemoryKind kind) { return kind == MemoryKind::host ? 16 : 256; }

char const* name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device: return "device";
    case MemoryKind::managed: return "managed";
    case MemoryKind::host: return "host";
  }
  return "unknown";
}

}  // namespace

std::string MemoryPlace::text() const {
  std::string const memory = fmt::format("{} memory", name_of(kind));
  return alignment == full_alignment(kind) ? memory : fmt::format("{} aligned to {} bytes", memory, alignment);
}

MemoryPlace place_at(MemoryKind kind, std::uint64_t address) {
  auto const full = static_cast<std::uint64_t>(full_alignment(kind));
  std::uint64_t const lowest_bit = address & (~address + 1);
  return {kind, static_cast<int>(lowest_bit == 0 ? full : std::min(lowest_bit, full))};
}

bool is_readable_here(std::uint64_t address) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 32;
  if (address < kLeast) return false;
  // The operating system reads in place of this process, which would crash at an invalid address. The answer is no for
  // memory that only a device can read, and where a sandbox forbids the call.
  char byte = 0;
  iovec const here{&byte, 1};
  iovec const there{reinterpret_cast<void*>(address), 1};  // NOLINT(performance-no-int-to-ptr): read by the kernel
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

}  // namespace perfcheck::device
