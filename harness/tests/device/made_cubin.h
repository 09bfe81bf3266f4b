// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Hand-made programs with cubins, of the few sections that say what code and data a kernel can reach.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck::device::testing {

using Contents = std::vector<std::uint8_t>;

/// A cubin as nvcc and nvlink lay it out. The functions that add a section or a symbol return its index.
class MadeCubin {
 public:
  MadeCubin();

  std::size_t section(std::string const& name, Contents contents);
  /// A section of zeroed memory (SHT_NOBITS), without contents in the file.
  std::size_t zeroed(std::string const& name, std::uint64_t size);
  /// Adds the section ".text.<name>" and a symbol for it; returns the symbol.
  std::size_t function(std::string const& name, Contents code);
  std::size_t object(std::string const& name, std::size_t section, std::uint64_t begin, std::uint64_t size);
  /// An undefined symbol: a function that the driver provides.
  std::size_t provided(std::string const& name);
  /// A symbol for a whole section.
  std::size_t whole(std::size_t section);
  /// The section of a symbol.
  std::size_t section_of(std::size_t symbol) const { return symbols_.at(symbol).section; }
  Contents& contents(std::size_t section) { return sections_.at(section).contents; }

  /// Adds a relocation: a symbol's address goes to this offset of the section.
  void refer(std::size_t section, std::uint64_t offset, std::size_t symbol, std::int64_t addend = 0);
  /// Entries of the call graph.
  void call(std::size_t caller, std::size_t called) { calls_.emplace_back(caller, called); }
  void point_to(std::size_t function) { pointed_to_.push_back(function); }
  void call_through_pointer(std::size_t caller) { through_pointers_.push_back(caller); }
  void leave_out_call_graph() { has_call_graph_ = false; }

  Contents bytes() const;

 private:
  struct Section {
    std::string name;
    std::uint32_t type;
    Contents contents;
    std::uint64_t size;
    std::uint32_t link, info;
  };
  struct Symbol {
    std::string name;
    unsigned char type;
    std::size_t section;
    std::uint64_t value, size;
  };
  struct Reference {
    std::size_t section;
    std::uint64_t offset;
    std::size_t symbol;
    std::int64_t addend;
  };
  std::size_t symbol(Symbol symbol);
  Contents call_graph() const;

  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::vector<Reference> references_;
  std::vector<std::pair<std::size_t, std::size_t>> calls_;
  std::vector<std::size_t> pointed_to_, through_pointers_;
  bool has_call_graph_ = true;
};

/// An ELF file whose .nv_fatbin holds a container for each of these cubins, for sm_90.
Contents program_with(std::vector<Contents> const& cubins);

}  // namespace perfcheck::device::testing
