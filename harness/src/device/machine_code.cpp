// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "machine_code.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <vector>

namespace perfcheck::device {
namespace {

using Bytes = std::span<std::uint8_t const>;

/// A value at an offset, or nothing when the bytes end before.
template <typename Value>
std::optional<Value> read_at(Bytes bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Value)) {
    return std::nullopt;
  }
  Value value;
  std::memcpy(&value, bytes.data() + offset, sizeof(Value));
  return value;
}

Bytes part(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) {
    return {};
  }
  return bytes.subspan(offset, size);
}

/// Calls visit(name, contents) for every section of a 64-bit ELF image.
void for_each_section(Bytes image, std::function<void(std::string_view, Bytes)> const& visit) {
  auto const header = read_at<Elf64_Ehdr>(image, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) {
    return;
  }
  auto const section = [&](std::uint64_t index) {
    return read_at<Elf64_Shdr>(image, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  auto const names_section = section(header->e_shstrndx);
  if (!names_section) {
    return;
  }
  Bytes const names = part(image, names_section->sh_offset, names_section->sh_size);
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    auto const entry = section(i);
    if (!entry || entry->sh_type == SHT_NOBITS || entry->sh_name >= names.size()) {
      continue;
    }
    auto const* name = reinterpret_cast<char const*>(names.data()) + entry->sh_name;
    visit({name, strnlen(name, names.size() - entry->sh_name)}, part(image, entry->sh_offset, entry->sh_size));
  }
}

std::string fnv1a(Bytes bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (auto const byte : bytes) {
    hash = (hash ^ byte) * 0x100000001b3ULL;
  }
  return fmt::format("{:016x}", hash);
}

struct FatHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t payload_bytes;
};

/// The leading fields of an entry; the rest of its header is skipped by header_bytes.
struct FatEntry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;
  std::uint32_t compressed_bytes, options_offset;
  std::uint16_t minor, major;
  std::uint32_t architecture;
};

constexpr std::uint32_t kFatMagic = 0xba55ed50;
constexpr std::uint16_t kKindElf = 2;
constexpr std::string_view kCodeSection = ".text.";

void hash_cubin(Bytes cubin, std::uint32_t architecture, std::map<std::string, std::string>& hashes) {
  for_each_section(cubin, [&](std::string_view name, Bytes code) {
    if (name.starts_with(kCodeSection)) {
      hashes[fmt::format("{}:{}", architecture, name.substr(kCodeSection.size()))] = fnv1a(code);
    }
  });
}

/// Containers stand one behind the other, each aligned to 8 bytes.
void hash_fat_binaries(Bytes section, std::map<std::string, std::string>& hashes) {
  std::uint64_t at = 0;
  while (auto const header = read_at<FatHeader>(section, at)) {
    if (header->magic != kFatMagic || header->header_bytes < sizeof(FatHeader)) {
      at += 8;
      continue;
    }
    Bytes const entries = part(section, at + header->header_bytes, header->payload_bytes);
    std::uint64_t inside = 0;
    while (auto const entry = read_at<FatEntry>(entries, inside)) {
      if (entry->header_bytes < sizeof(FatEntry)) {
        break;
      }
      if (entry->kind == kKindElf) {
        hash_cubin(part(entries, inside + entry->header_bytes, entry->payload_bytes), entry->architecture, hashes);
      }
      if (entry->payload_bytes > entries.size()) {
        break;
      }
      inside += entry->header_bytes + entry->payload_bytes;
    }
    at += header->header_bytes + entries.size();
    at = (at + 7) / 8 * 8;
  }
}

std::map<std::string, std::string> read_own_hashes() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::vector<std::uint8_t> const bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return machine_code_hashes(bytes);
}

}  // namespace

std::map<std::string, std::string> machine_code_hashes(Bytes elf_file) {
  std::map<std::string, std::string> hashes;
  for_each_section(elf_file, [&](std::string_view name, Bytes contents) {
    if (name == ".nv_fatbin") {
      hash_fat_binaries(contents, hashes);
    }
  });
  return hashes;
}

std::string machine_code_hash(std::string_view mangled_name, int binary_version) {
  static std::map<std::string, std::string> const own = read_own_hashes();
  auto const found = own.find(fmt::format("{}:{}", binary_version, mangled_name));
  return found == own.end() ? std::string() : found->second;
}

}  // namespace perfcheck::device
