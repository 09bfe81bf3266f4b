// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "object_code.h"

#include "perfcheck/model/digest.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::device {
namespace {

std::string_view as_text(Bytes bytes) { return {reinterpret_cast<char const*>(bytes.data()), bytes.size()}; }

/// Code that runs before main(), such as the registration of a kernel, is not part of the kernel's work, and it holds
/// line numbers.
bool is_start_up(std::string_view section) {
  return section.starts_with(".text.startup") || section.starts_with(".text.exit");
}

bool is_code(ElfSection const& section) { return (section.flags & SHF_EXECINSTR) != 0 && !is_start_up(section.name); }

/// Data of the program itself, not for unwinding or debugging.
bool is_data(ElfSection const& section) {
  bool const is_kind = section.type == SHT_PROGBITS || section.type == SHT_NOBITS;
  return is_kind && (section.flags & SHF_ALLOC) != 0 && (section.flags & (SHF_EXECINSTR | SHF_MERGE)) == 0;
}

/// The value of a constant in a section whose equal entries the linker merges. The compiler renumbers such constants
/// whenever one is added, so the value counts and not the number.
std::string constant_at(ElfSection const& section, std::uint64_t at) {
  if ((section.flags & SHF_STRINGS) == 0) {
    return std::string(as_text(part(section.contents, at, section.entry_size)));
  }
  std::string_view const text = as_text(section.contents);
  return at < text.size() ? std::string(text.substr(at, text.find('\0', at) - at)) : std::string();
}

class Hashing {
 public:
  explicit Hashing(ElfImage const& image) : image_(image) {}

  ObjectCode run() {
    model::Digest code, data;
    bool has_code = false;
    for (std::size_t i = 0; i < image_.sections().size(); ++i) {
      ElfSection const& section = image_.sections()[i];
      if (is_code(section) && !section.contents.empty()) {
        add(section, i, code);
        has_code = true;
      }
    }
    for (std::size_t const i : referred_) {
      ElfSection const& section = image_.sections()[i];
      data.add(fmt::format("{} {}", section.name, section.size));
      data.add(as_text(section.contents));
    }
    return {.machine_code = has_code ? code.text() : "", .constants = referred_.empty() ? "" : data.text()};
  }

 private:
  void add(ElfSection const& section, std::size_t index, model::Digest& code) {
    code.add(section.name);
    code.add(as_text(section.contents));
    for (ElfRelocation const& relocation : image_.relocations_of(index)) {
      ElfSymbol const& symbol = image_.symbols()[relocation.symbol];
      ElfSection const& target = image_.sections()[symbol.section];
      code.add(fmt::format("{} {} {}", relocation.offset, relocation.type, relocation.addend));
      bool const is_numbered = symbol.name.starts_with(".L") && (target.flags & SHF_MERGE) != 0;
      code.add(is_numbered ? constant_at(target, symbol.value) : std::string(symbol.name));
      if (symbol.section != 0 && symbol.type == STT_SECTION) {
        code.add(target.name);
      }
      if (symbol.section != 0 && is_data(target)) {
        referred_.insert(symbol.section);
      }
    }
  }

  ElfImage const& image_;
  std::set<std::size_t> referred_;  ///< sections of data
};

}  // namespace

ObjectCode object_code(Bytes object) { return Hashing(ElfImage(object)).run(); }

}  // namespace perfcheck::device
