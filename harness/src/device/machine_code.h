// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What this program's own file holds of a kernel, read without a disassembler: hashes of its machine code and of what
// that calls and refers to. docs/file-formats.md says what enters them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::device {

/// Constant memory of the module that a kernel belongs to, as the file holds it.
struct ConstantMemory {
  struct Variable {
    std::string name;  ///< as the compiler made it
    std::uint64_t offset, size;
  };
  std::vector<std::uint8_t> contents;
  std::vector<Variable> variables;
  std::vector<std::uint64_t> addresses;  ///< offsets of words that are filled in when it is loaded
};

/// Each hash is 16 hexadecimal digits (FNV-1a, 64 bit).
struct KernelCode {
  std::string machine_code;  ///< of its own code
  std::string called_code;   ///< of the functions that it calls outside of that; empty where it calls none
  std::string data;  ///< of compiler's constants and of initial contents of variables, as far as it refers to them
  /// One entry, or none if its module has no constant memory. A function that several modules hold, such as an instance
  /// of a template, has one for each, because its name does not tell which of them runs. Its called_code and data are
  /// then of all that differ, too.
  std::vector<std::shared_ptr<ConstantMemory const>> constants;
};

/// The code of the kernel with this mangled name, as the device that reports `binary_version` (major * 10 + minor) runs
/// it. Null if this program's file does not hold it (library kernels, code compiled by the driver from PTX).
KernelCode const* own_kernel_code(std::string_view mangled_name, int binary_version);

/// Kernels, and separately compiled functions, by "<architecture>:<mangled name>", of every uncompressed cubin in an
/// ELF file with a .nv_fatbin section. The fat binary container is described in CUDA's fatbinary_section.h and by its
/// own headers: a 16-byte header with the magic 0xba55ed50, then entries of which kind 2 holds an ELF image. Malformed
/// parts are skipped.
std::map<std::string, KernelCode> kernel_codes(std::span<std::uint8_t const> elf_file);

}  // namespace perfcheck::device
