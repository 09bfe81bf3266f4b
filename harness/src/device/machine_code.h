// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes of the machine code that this very program holds, read from its own file: no disassembler is needed, and a
// kernel whose hash equals the baseline's cannot have become slower by its code.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace perfcheck::device {

/// 16 hexadecimal digits (FNV-1a, 64 bit) of the code of the kernel with this mangled name, as the device that reports
/// `binary_version` (major * 10 + minor) runs it. Empty when this program's file does not hold it (library kernels,
/// code compiled by the driver from PTX).
std::string machine_code_hash(std::string_view mangled_name, int binary_version);

/// Code hashes by "<architecture>:<mangled name>" of every uncompressed cubin in an ELF file with a .nv_fatbin section.
/// The fat binary container is described in CUDA's fatbinary_section.h and by its own headers: a 16-byte header with
/// the magic 0xba55ed50, then entries of which kind 2 holds an ELF image. Malformed parts are passed over.
std::map<std::string, std::string> machine_code_hashes(std::span<std::uint8_t const> elf_file);

}  // namespace perfcheck::device
