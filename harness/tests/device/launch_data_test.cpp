// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The hash of a kernel's arguments: every byte counts, an address counts as the kind of memory it points to, and the
// hash is the same in every process.
#include "launch_data.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace perfcheck::device {
namespace {

/// Made-up memory blocks of a process, each 1 MiB long, by their addresses.
struct Memories {
  std::map<std::uint64_t, MemoryKind> blocks;

  PlaceOf place_of() const {
    return [blocks = blocks](std::uint64_t word) -> std::optional<MemoryPlace> {
      for (auto const& [begin, kind] : blocks) {
        if (word >= begin && word - begin < (1 << 20)) return place_at(kind, word);
      }
      return std::nullopt;
    };
  }
};

/// A kernel's arguments, with four bytes of padding after `k`.
struct Arguments {
  int m = 1024, n = 512, k = 256;
  void const* a = nullptr;
  std::int64_t lda = 1024;
  float alpha = 1.5F;
  std::uint8_t last = 7;
};

Arguments zeroed_arguments() {
  Arguments arguments;
  std::memset(static_cast<void*>(&arguments), 0, sizeof(arguments));
  arguments.m = 1024;
  arguments.n = 512;
  arguments.k = 256;
  arguments.lda = 1024;
  arguments.alpha = 1.5F;
  arguments.last = 7;
  return arguments;
}

std::vector<std::uint8_t> bytes_of(void const* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::memcpy(bytes.data(), data, size);
  return bytes;
}

std::string hash_of(std::vector<std::uint8_t> const& bytes, PlaceOf const& place_of,
                    TensorMapFormat const& format = {}) {
  return arguments_hash({{0, bytes}}, place_of, format);
}

std::string hash_with_a(std::uint64_t address, Memories const& memories) {
  Arguments arguments = zeroed_arguments();
  arguments.a = reinterpret_cast<void const*>(address);
  return hash_of(bytes_of(&arguments, sizeof(arguments)), memories.place_of());
}

constexpr std::uint64_t kHere = 0x7f1200000000, kThere = 0x7fabc0000000;

TEST(Arguments, HaveTheSameHashWhereverTheirMemoryLies) {
  std::string const here = hash_with_a(kHere, {{{kHere, MemoryKind::device}}});
  EXPECT_EQ(here, hash_with_a(kThere + 4096, {{{kThere, MemoryKind::device}}}));
  EXPECT_NE(here, hash_with_a(kThere, {{{kThere, MemoryKind::managed}}})) << "other memory";
  EXPECT_NE(here, hash_with_a(kThere, {{{kThere, MemoryKind::host}}})) << "other memory";
  EXPECT_NE(here, hash_with_a(kHere + 4, {{{kHere, MemoryKind::device}}})) << "aligned to 4 bytes only";
  EXPECT_NE(here, hash_with_a(kHere, {})) << "a number that is not an address";
  EXPECT_NE(here, hash_with_a(0, {{{kHere, MemoryKind::device}}})) << "null";
}

TEST(Arguments, OfWhichAnyByteChangesHaveAnotherHash) {
  Memories const memories{{{kHere, MemoryKind::device}}};
  Arguments arguments = zeroed_arguments();
  arguments.a = reinterpret_cast<void const*>(kHere);
  auto const bytes = bytes_of(&arguments, sizeof(arguments));
  std::string const before = hash_of(bytes, memories.place_of());
  std::mt19937_64 random(1);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (at >= offsetof(Arguments, a) && at < offsetof(Arguments, lda)) continue;
    auto changed = bytes;
    changed[at] ^= static_cast<std::uint8_t>(1 + random() % 255);
    EXPECT_NE(hash_of(changed, memories.place_of()), before) << at;
  }
}

TEST(Arguments, AreKeptApart) {
  std::vector<std::uint8_t> const bytes = {1, 2, 3, 4, 5, 6, 7, 8};
  auto const none = [](std::uint64_t) { return std::nullopt; };
  std::span const all(bytes);
  std::string const one = arguments_hash({{0, all}}, none, {});
  EXPECT_NE(one, arguments_hash({{0, all.first(4)}, {4, all.last(4)}}, none, {}));
  EXPECT_NE(arguments_hash({{0, all.first(2)}, {4, all.last(4)}}, none, {}),
            arguments_hash({{0, all.first(4)}, {4, all.last(2)}}, none, {}));
  EXPECT_NE(arguments_hash({}, none, {}), arguments_hash({{0, {}}}, none, {}));
}

TEST(Arguments, InWhichTwoLaunchesDifferDoNotCount) {
  Memories const memories{{{kHere, MemoryKind::device}, {kThere, MemoryKind::device}}};
  struct Value {
    std::uint32_t number, unwritten;
    std::uint64_t address;
    std::uint16_t last, seed;
  };
  auto const hash = [&](Value const& first, std::optional<Value> const& second) {
    auto const bytes = bytes_of(&first, 20);
    auto const again = second ? bytes_of(&*second, 20) : std::vector<std::uint8_t>();
    return arguments_hash({{0, bytes, again}}, memories.place_of(), {});
  };
  std::string const alone = hash({7, 0, kHere, 9, 0}, {});
  EXPECT_EQ(hash({7, 0, kHere, 9, 0}, Value{7, 0xa5a5a5a5, kThere, 9, 0xa5a5}), alone)
      << "bytes that differ between two launches must count as zeros";
  EXPECT_EQ(hash({7, 0x1234, kHere, 9, 3}, Value{7, 0xa5a5a5a5, kHere, 9, 0x400}), alone);
  EXPECT_NE(hash({8, 0, kHere, 9, 0}, Value{8, 0xa5a5a5a5, kThere, 9, 0xa5a5}), alone);
  EXPECT_NE(hash({7, 0, kHere + 4, 9, 0}, Value{7, 0xa5a5a5a5, kThere + 4, 9, 0xa5a5}), alone);
}

TEST(Arguments, HoldAddressesInAlignedWordsOnly) {
  Memories const memories{{{kHere, MemoryKind::device}}};
  auto const with_word_at = [&](std::size_t at, std::uint64_t word) {
    std::vector<std::uint8_t> bytes(24);
    std::memcpy(bytes.data() + at, &word, sizeof(word));
    return hash_of(bytes, memories.place_of());
  };
  EXPECT_EQ(with_word_at(8, kHere), with_word_at(8, kHere + 256));
  EXPECT_NE(with_word_at(4, kHere), with_word_at(4, kHere + 256));
  // An address is recognised by its offset among all arguments, not by that within its own argument.
  auto const word = bytes_of(&kHere, sizeof(kHere));
  auto const moved = bytes_of(std::array{kHere + 256}.data(), sizeof(kHere));
  EXPECT_EQ(arguments_hash({{8, word}}, memories.place_of(), {}),
            arguments_hash({{8, moved}}, memories.place_of(), {}));
  EXPECT_NE(arguments_hash({{4, word}}, memories.place_of(), {}),
            arguments_hash({{4, moved}}, memories.place_of(), {}));
}

/// A made-up encoder of a driver: the address is split over two words, with a property of the matrix in between.
std::optional<TensorMap> encode(std::uint64_t address, std::uint64_t width) {
  if (address >= std::uint64_t{1} << 49) return std::nullopt;  // too large for the encoding
  TensorMap map{};
  map[0] = (address >> 4 & 0xffffffff) << 20 | 0x5;
  map[1] = width << 32 | address >> 36;
  map[9] = width * 4;
  return map;
}

TensorMapFormat made_format() {
  return TensorMapFormat([](std::uint64_t address) { return encode(address, 64); });
}

TEST(TensorMaps, AreFoundOutFromTheEncoder) {
  TensorMapFormat const format = made_format();
  ASSERT_TRUE(format.is_known());
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::uint64_t const address = random() % (std::uint64_t{1} << 49) & ~std::uint64_t{15};
    auto const map = *encode(address, 96);
    EXPECT_EQ(format.address_in(map), address);
    EXPECT_EQ(format.without_address(map), format.without_address(*encode(kHere, 96)));
    EXPECT_NE(format.without_address(map), format.without_address(*encode(address, 97)));
  }
}

TEST(TensorMaps, OfADriverWithoutAnEncoderAreNotKnown) {
  EXPECT_FALSE(TensorMapFormat().is_known());
  EXPECT_FALSE(TensorMapFormat([](std::uint64_t) { return std::nullopt; }).is_known());
  EXPECT_FALSE(TensorMapFormat([](std::uint64_t) { return TensorMap{}; }).is_known()) << "which ignores the address";
}

std::string hash_with_map(std::uint64_t address, std::uint64_t width, Memories const& memories,
                          TensorMapFormat const& format = made_format()) {
  struct {
    std::uint64_t in_front = 5;
    std::uint64_t padding[7] = {};
    TensorMap map;
    std::uint64_t behind = 6;
  } arguments{.map = *encode(address, width)};
  return hash_of(bytes_of(&arguments, sizeof(arguments)), memories.place_of(), format);
}

TEST(Arguments, WithATensorMapHaveTheSameHashWhereverItsTensorLies) {
  Memories const here{{{kHere, MemoryKind::device}}}, there{{{kThere, MemoryKind::device}}};
  std::string const before = hash_with_map(kHere, 64, here);
  EXPECT_EQ(hash_with_map(kThere + 512, 64, there), before);
  EXPECT_NE(hash_with_map(kHere, 65, here), before) << "another tensor";
  auto const one = *encode(kHere, 64), other = *encode(kHere + 4096, 64);
  auto const bytes = bytes_of(&one, sizeof(one)), again = bytes_of(&other, sizeof(other));
  EXPECT_EQ(arguments_hash({{0, bytes, again}}, here.place_of(), made_format()),
            arguments_hash({{0, bytes}}, here.place_of(), made_format()))
      << "the same map in two launches, on two tensors";
  EXPECT_NE(hash_with_map(kHere + 16, 64, here), before) << "another alignment";
  EXPECT_NE(hash_with_map(kThere, 64, {{{kThere, MemoryKind::managed}}}), before) << "in other memory";
  EXPECT_NE(hash_with_map(kThere, 64, here), before) << "an address of unknown memory must count as a number";
  EXPECT_NE(hash_with_map(kHere, 64, here, {}), hash_with_map(kThere, 64, there, {}))
      << "without a known format, the addresses must count as numbers";
}

/// A hash of addresses and values of this process: a block on the heap, a variable on the stack, a function.
std::string hash_here() {
  auto const heap = std::make_unique<int[]>(1000);
  int const local = 0;
  std::uint64_t const words[] = {reinterpret_cast<std::uint64_t>(heap.get()), 4096, 0x0000020000000400,
                                 reinterpret_cast<std::uint64_t>(&local) & ~std::uint64_t{15},
                                 reinterpret_cast<std::uint64_t>(&hash_here) & ~std::uint64_t{15}};
  return hash_of(bytes_of(words, sizeof(words)), [](std::uint64_t word) -> std::optional<MemoryPlace> {
    return is_readable_here(word) ? std::optional(place_at(MemoryKind::host, word)) : std::nullopt;
  });
}

/// Prints the hash, for the test below, which runs this program again.
TEST(ArgumentsOfThisProcess, DISABLED_Printed) { std::printf("hash %s\n", hash_here().c_str()); }

TEST(ArgumentsOfThisProcess, HaveTheSameHashInAnotherProcess) {
  std::string const command = std::filesystem::read_symlink("/proc/self/exe").string() +
                              " --gtest_also_run_disabled_tests --gtest_filter='*DISABLED_Printed'";
  std::unique_ptr<FILE, int (*)(FILE*)> const output(popen(command.c_str(), "r"), pclose);
  ASSERT_NE(output, nullptr);
  std::string text;
  for (int c = 0; (c = std::fgetc(output.get())) != EOF;) text += static_cast<char>(c);
  EXPECT_NE(text.find("hash " + hash_here() + "\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace perfcheck::device
