// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Sections, symbols and relocations of a 64-bit ELF image from any source: unreadable parts are left out, and nothing
// is read beyond the end of the image.
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
  std::uint64_t entry_size = 0;  ///< if the section is a table, or holds entries that a linker merges if equal
};

struct ElfSymbol {
  std::string_view name;
  unsigned char type = 0;  ///< STT_...
  /// Index into sections(); 0 for none, as for undefined symbols.
  std::size_t section = 0;
  std::uint64_t value = 0, size = 0;  ///< value: offset in its section, in files that are not linked for an address
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

  /// In the order of the file; unreadable sections are empty. No sections if the image is not 64-bit ELF.
  std::vector<ElfSection> const& sections() const { return sections_; }
  /// The symbols of the first symbol table, in its order.
  std::vector<ElfSymbol> const& symbols() const { return symbols_; }
  /// The relocations of a section in the order of offsets, except those without a symbol.
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
