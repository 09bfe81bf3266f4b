// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a kernel's machine code can reach in its cubin: functions that it calls, and data that these refer to.
#pragma once

#include "call_graph.h"
#include "elf_image.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::device {

/// 16 hexadecimal digits (FNV-1a, 64 bit) of bytes.
std::string hash_of(Bytes bytes);

/// A cubin, parsed once for all of its kernels. The image must outlive it.
class Cubin {
 public:
  explicit Cubin(Bytes image);

  /// A function with a section of its own: a kernel, or a function that was compiled separately.
  struct Function {
    std::string name;  ///< mangled
    std::size_t section;
  };
  std::vector<Function> const& functions() const { return functions_; }
  std::string code_hash(std::size_t section) const { return hash_of(image_.sections()[section].contents); }

  /// Hashes of what the code of one section can reach outside of it.
  struct Reach {
    std::string called;  ///< of functions; empty when there are none
    /// Of the compiler's constants and initial contents of variables, with how they refer to each other; sizes of
    /// variables without contents. Without the module's constant memory.
    std::string data;
  };
  Reach reach_of(std::size_t section) const;

  /// The module's constant memory as it is loaded: `__constant__` variables.
  struct Variable {
    std::string name;
    std::uint64_t offset, size;
  };
  Bytes constant_memory() const;
  std::vector<Variable> constants() const;
  /// Offsets in it at which addresses are filled in on loading.
  std::vector<std::uint64_t> addresses_in_constants() const;

 private:
  friend class ReachWalk;

  std::vector<std::size_t> const& banks_of(std::string_view function) const;

  ElfImage image_;
  CallGraph calls_;
  std::vector<Function> functions_;
  /// Sections of constants by the function that owns them, or "" for those of the whole module.
  std::map<std::string_view, std::vector<std::size_t>> banks_;
};

}  // namespace perfcheck::device
