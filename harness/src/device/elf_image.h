// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Sections, symbols and relocations of a 64-bit ELF image that comes from anywhere: what cannot be read is left out,
// and nothing is read beyond its end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace perfcheck::device {

using Bytes = std::span<std::uint8_t const>;

/// `size` bytes at an offset; empty when the bytes end before.
Bytes part(Bytes bytes, std::uint64_t offset, std::uint64_t size);

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;  ///< SHT_...
  std::uint64_t size = 0;
  Bytes contents;                ///< empty where the file holds none, as for zeroed memory
  std::uint64_t flags = 0;       ///< SHF_...
  std::uint64_t entry_size = 0;  ///< in a section that is a table, or of which a linker merges equal entries
};

struct ElfSymbol {
  std::string_view name;
  unsigned char type = 0;  ///< STT_...
  /// Index into sections(); 0 for none, as of an undefined one.
  std::size_t section = 0;
  std::uint64_t value = 0, size = 0;  ///< where it begins in its section, in files that are not linked for an address
};

struct ElfRelocation {
  std::uint64_t offset = 0;  ///< in its section
  std::uint32_t type = 0;
  std::size_t symbol = 0;  ///< index into symbols()
  std::int64_t addend = 0;
};

/// Views of an image that must outlive it.
class ElfImage {
 public:
  explicit ElfImage(Bytes image);

  /// By their numbers in the file; unreadable ones are empty. None for what is no 64-bit ELF image.
  std::vector<ElfSection> const& sections() const { return sections_; }
  /// Of the first symbol table, by their numbers in it.
  std::vector<ElfSymbol> const& symbols() const { return symbols_; }
  /// What is filled in into a section when it is loaded, in the order of offsets; none that names no symbol.
  std::vector<ElfRelocation> const& relocations_of(std::size_t section) const;
  std::optional<std::size_t> find(std::string_view section) const;

 private:
  void read_sections(Bytes image);
  void read_symbols(Bytes table, Bytes names);
  void read_relocations(Bytes table, std::size_t of);

  std::vector<ElfSection> sections_;
  std::vector<ElfSymbol> symbols_;
  std::vector<std::vector<ElfRelocation>> relocations_;
  std::size_t relocations_left_ = 0;
};

}  // namespace perfcheck::device
