// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "memory_place.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>

namespace perfcheck::device {
namespace {

TEST(MemoryPlace, TellsKindAndAlignment) {
  EXPECT_EQ(place_at(MemoryKind::device, 0x7f0000000100).text(), "device memory");
  EXPECT_EQ(place_at(MemoryKind::device, 0x7f0000001000).text(), "device memory");
  EXPECT_EQ(place_at(MemoryKind::device, 0x7f0000000084).text(), "device memory aligned to 4 bytes");
  EXPECT_EQ(place_at(MemoryKind::managed, 0x7f0000000080).text(), "managed memory aligned to 128 bytes");
  EXPECT_EQ(place_at(MemoryKind::host, 0x7f0000000010).text(), "host memory");
  EXPECT_EQ(place_at(MemoryKind::host, 0x7f0000001000).text(), "host memory")
      << "of host memory only an alignment of 16 counts, which malloc guarantees";
  EXPECT_EQ(place_at(MemoryKind::host, 0x7f0000000011).text(), "host memory aligned to 1 bytes");
}

TEST(Readable, IsWhatThisProcessCanReadAndNoNumberBelow4GiB) {
  int const local = 0;
  EXPECT_TRUE(is_readable_here(reinterpret_cast<std::uint64_t>(&local)));
  for (std::uint64_t const number : {0ULL, 1ULL, 4096ULL, 0x400000ULL, 0xffffffffULL, 0x0000040000000400ULL,
                                     0x3ff0000000000000ULL, 0xffffffffffffffffULL}) {
    EXPECT_FALSE(is_readable_here(number)) << number;
  }
  void* const reserved = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(reserved, MAP_FAILED);
  EXPECT_FALSE(is_readable_here(reinterpret_cast<std::uint64_t>(reserved))) << "reserved memory is not readable";
  munmap(reserved, 4096);
}

}  // namespace
}  // namespace perfcheck::device
