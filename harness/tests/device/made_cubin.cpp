// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "made_cubin.h"

#include <elf.h>

#include <cstring>

namespace perfcheck::device::testing {
namespace {

template <typename Value>
void append(Contents& bytes, Value const& value) {
  auto const* const first = reinterpret_cast<std::uint8_t const*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(Value));
}

void append(Contents& bytes, Contents const& more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

/// Adds a string to a string table; returns its offset.
std::uint32_t add_text(Contents& table, std::string const& text) {
  auto const at = static_cast<std::uint32_t>(table.size());
  table.insert(table.end(), text.begin(), text.end());
  table.push_back(0);
  return at;
}

struct Part {
  std::string name;
  std::uint32_t type;
  Contents contents;
  std::uint64_t size;
  std::uint32_t link, info;
};

/// An ELF file of these sections, with the table of section names added as the last one.
Contents elf_file(std::vector<Part> parts) {
  Contents names;
  std::vector<std::uint32_t> name_at;
  parts.push_back({".shstrtab", SHT_STRTAB, {}, 0, 0, 0});
  for (Part const& one : parts) name_at.push_back(add_text(names, one.name));
  parts.back().contents = names;
  parts.back().size = names.size();

  Contents bytes(sizeof(Elf64_Ehdr));
  std::vector<Elf64_Shdr> headers;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part const& one = parts[i];
    Elf64_Shdr header{};
    header.sh_name = name_at[i];
    header.sh_type = one.type;
    header.sh_offset = bytes.size();
    header.sh_size = one.type == SHT_NOBITS ? one.size : one.contents.size();
    header.sh_link = one.link;
    header.sh_info = one.info;
    headers.push_back(header);
    append(bytes, one.contents);
  }
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shoff = bytes.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<std::uint16_t>(headers.size());
  header.e_shstrndx = static_cast<std::uint16_t>(headers.size() - 1);
  std::memcpy(bytes.data(), &header, sizeof(header));
  for (Elf64_Shdr const& one : headers) append(bytes, one);
  return bytes;
}

}  // namespace

MadeCubin::MadeCubin() {
  sections_.push_back({"", SHT_NULL, {}, 0, 0, 0});
  symbols_.push_back({"", STT_NOTYPE, 0, 0, 0});
}

std::size_t MadeCubin::section(std::string const& name, Contents contents) {
  auto const size = contents.size();
  sections_.push_back({name, SHT_PROGBITS, std::move(contents), size, 0, 0});
  return sections_.size() - 1;
}

std::size_t MadeCubin::zeroed(std::string const& name, std::uint64_t size) {
  sections_.push_back({name, SHT_NOBITS, {}, size, 0, 0});
  return sections_.size() - 1;
}

std::size_t MadeCubin::symbol(Symbol symbol) {
  symbols_.push_back(std::move(symbol));
  return symbols_.size() - 1;
}

std::size_t MadeCubin::function(std::string const& name, Contents code) {
  auto const size = code.size();
  return symbol({name, STT_FUNC, section(".text." + name, std::move(code)), 0, size});
}

std::size_t MadeCubin::object(std::string const& name, std::size_t section, std::uint64_t begin, std::uint64_t size) {
  return symbol({name, STT_OBJECT, section, begin, size});
}

std::size_t MadeCubin::provided(std::string const& name) { return symbol({name, STT_FUNC, 0, 0, 0}); }
std::size_t MadeCubin::whole(std::size_t section) { return symbol({"", STT_SECTION, section, 0, 0}); }

void MadeCubin::refer(std::size_t section, std::uint64_t offset, std::size_t symbol, std::int64_t addend) {
  references_.push_back({section, offset, symbol, addend});
}

Contents MadeCubin::call_graph() const {
  Contents bytes;
  auto const pair = [&](std::uint64_t first, std::uint64_t second) {
    append(bytes, static_cast<std::uint32_t>(first));
    append(bytes, static_cast<std::uint32_t>(second));
  };
  pair(0, 0xffffffff);
  for (auto const& [caller, called] : calls_) pair(caller, called);
  pair(0, 0xfffffffe);
  for (auto const function : pointed_to_) pair(function, 1);
  pair(0, 0xfffffffd);
  for (auto const caller : through_pointers_) pair(caller, 1);
  pair(0, 0xfffffffc);
  return bytes;
}

Contents MadeCubin::bytes() const {
  std::vector<Part> parts;
  for (Section const& one : sections_) {
    parts.push_back({one.name, one.type, one.contents, one.size, one.link, one.info});
  }
  if (has_call_graph_) parts.push_back({".nv.callgraph", SHT_LOPROC + 1, call_graph(), 0, 0, 0});
  Contents names, table;
  for (Symbol const& one : symbols_) {
    Elf64_Sym entry{};
    entry.st_name = add_text(names, one.name);
    entry.st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_GLOBAL, one.type));
    entry.st_shndx = static_cast<std::uint16_t>(one.section);
    entry.st_value = one.value;
    entry.st_size = one.size;
    append(table, entry);
  }
  for (std::size_t section = 0; section < sections_.size(); ++section) {
    Contents relocations;
    for (Reference const& one : references_) {
      if (one.section != section) continue;
      append(relocations,
             Elf64_Rela{.r_offset = one.offset, .r_info = ELF64_R_INFO(one.symbol, 2), .r_addend = one.addend});
    }
    if (relocations.empty()) continue;
    parts.push_back(
        {".rela" + sections_[section].name, SHT_RELA, relocations, 0, 0, static_cast<std::uint32_t>(section)});
  }
  parts.push_back({".strtab", SHT_STRTAB, names, 0, 0, 0});
  parts.push_back({".symtab", SHT_SYMTAB, table, 0, static_cast<std::uint32_t>(parts.size() - 1), 0});
  return elf_file(std::move(parts));
}

Contents program_with(std::vector<Contents> const& cubins) {
  constexpr std::uint32_t kMagic = 0xba55ed50, kArchitecture = 90;
  constexpr std::uint16_t kContainerHeader = 16, kElf = 2;
  constexpr std::uint32_t kEntryHeader = 64;
  Contents fat;
  for (Contents const& cubin : cubins) {
    append(fat, kMagic);
    append(fat, std::uint16_t{1});
    append(fat, kContainerHeader);
    append(fat, std::uint64_t{kEntryHeader + cubin.size()});
    std::size_t const entry = fat.size();
    append(fat, kElf);
    append(fat, std::uint16_t{1});
    append(fat, kEntryHeader);
    append(fat, std::uint64_t{cubin.size()});
    append(fat, std::uint32_t{0});
    append(fat, std::uint32_t{0});
    append(fat, std::uint16_t{0});
    append(fat, std::uint16_t{9});
    append(fat, kArchitecture);
    fat.resize(entry + kEntryHeader);
    append(fat, cubin);
    fat.resize((fat.size() + 7) / 8 * 8);
  }
  auto const size = fat.size();
  return elf_file({{"", SHT_NULL, {}, 0, 0, 0}, {".nv_fatbin", SHT_PROGBITS, std::move(fat), size, 0, 0}});
}

}  // namespace perfcheck::device::testing
