// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "elf_image.h"

#include "read_at.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace perfcheck::device {
namespace {

std::string_view text_at(Bytes texts, std::uint64_t offset) {
  if (offset >= texts.size()) return {};
  auto const* text = reinterpret_cast<char const*>(texts.data()) + offset;
  return {text, strnlen(text, texts.size() - offset)};
}

}  // namespace

Bytes part(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) return {};
  return bytes.subspan(offset, size);
}

ElfImage::ElfImage(Bytes image) { read_sections(image); }

void ElfImage::read_sections(Bytes image) {
  auto const header = read_at<Elf64_Ehdr>(image, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) return;
  auto const entry_of = [&](std::uint64_t index) {
    return read_at<Elf64_Shdr>(image, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  auto const names_entry = entry_of(header->e_shstrndx);
  if (!names_entry) return;
  Bytes const names = part(image, names_entry->sh_offset, names_entry->sh_size);
  auto const contents = [&](Elf64_Shdr const& entry) {
    return entry.sh_type == SHT_NOBITS ? Bytes() : part(image, entry.sh_offset, entry.sh_size);
  };
  sections_.resize(header->e_shnum);
  relocations_.resize(header->e_shnum);
  bool has_symbols = false;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    auto const entry = entry_of(i);
    if (!entry || entry->sh_name >= names.size()) continue;
    sections_[i] = {text_at(names, entry->sh_name),
                    entry->sh_type,
                    entry->sh_size,
                    contents(*entry),
                    entry->sh_flags,
                    entry->sh_entsize};
    if (entry->sh_type == SHT_SYMTAB && !has_symbols) {
      auto const texts = entry_of(entry->sh_link);
      read_symbols(sections_[i].contents, texts ? contents(*texts) : Bytes());
      has_symbols = true;
    }
  }
  // Relocations come last, because their tables may precede the symbols in the file. A valid file holds no more
  // relocations than fit into it; in others, as many tables as there are sections could share the same bytes.
  relocations_left_ = image.size() / sizeof(Elf64_Rela);
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    auto const entry = entry_of(i);
    if (entry && entry->sh_type == SHT_RELA && entry->sh_info < sections_.size()) {
      read_relocations(sections_[i].contents, entry->sh_info);
    }
  }
}

void ElfImage::read_symbols(Bytes table, Bytes names) {
  for (std::uint64_t at = 0; auto const entry = read_at<Elf64_Sym>(table, at); at += sizeof(Elf64_Sym)) {
    bool const has_section = entry->st_shndx != SHN_UNDEF && entry->st_shndx < sections_.size();
    symbols_.push_back({.name = text_at(names, entry->st_name),
                        .type = static_cast<unsigned char>(ELF64_ST_TYPE(entry->st_info)),
                        .section = has_section ? entry->st_shndx : std::size_t{0},
                        .value = entry->st_value,
                        .size = entry->st_size});
  }
}

void ElfImage::read_relocations(Bytes table, std::size_t of) {
  auto& relocations = relocations_[of];
  for (std::uint64_t at = 0; auto const entry = read_at<Elf64_Rela>(table, at); at += sizeof(Elf64_Rela)) {
    if (relocations_left_ == 0) break;
    --relocations_left_;
    std::size_t const symbol = ELF64_R_SYM(entry->r_info);
    if (symbol >= symbols_.size()) continue;
    relocations.push_back({.offset = entry->r_offset,
                           .type = static_cast<std::uint32_t>(ELF64_R_TYPE(entry->r_info)),
                           .symbol = symbol,
                           .addend = entry->r_addend});
  }
  std::stable_sort(relocations.begin(), relocations.end(),
                   [](ElfRelocation const& one, ElfRelocation const& other) { return one.offset < other.offset; });
}

std::vector<ElfRelocation> const& ElfImage::relocations_of(std::size_t section) const {
  static std::vector<ElfRelocation> const none;
  return section < relocations_.size() ? relocations_[section] : none;
}

std::optional<std::size_t> ElfImage::find(std::string_view section) const {
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (sections_[i].name == section) return i;
  }
  return std::nullopt;
}

}  // namespace perfcheck::device
