// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The call graph of a cubin, from its section .nv.callgraph: pairs of symbol numbers of 32 bits each, in parts that
// begin with a pair of 0 and a mark. The format is undocumented; it was derived from files that nvcc 12.8 and 13.0 and
// their nvlink made.
#pragma once

#include "elf_image.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace perfcheck::device {

class CallGraph {
 public:
  explicit CallGraph(ElfImage const& image);

  /// False if there is no such section or its form is unknown: then any function may call any other.
  bool is_known() const { return known_; }
  /// Symbols that the code of a section calls by name.
  std::vector<std::size_t> const& called_by(std::size_t section) const;
  bool calls_through_pointers(std::size_t section) const { return through_pointers_.contains(section); }
  /// Symbols of functions whose address is taken.
  std::vector<std::size_t> const& pointed_to() const { return pointed_to_; }

 private:
  bool read(Bytes contents, std::vector<ElfSymbol> const& symbols);

  bool known_ = false;
  std::map<std::size_t, std::vector<std::size_t>> calls_;
  std::set<std::size_t> through_pointers_;
  std::vector<std::size_t> pointed_to_;
};

}  // namespace perfcheck::device
