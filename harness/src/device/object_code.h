// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes of what the compiler made of a CPU kernel's file. They are of the object, not of the program: in the program a
// function's bytes hold its distance from what it refers to, which changes with every other file. docs/file-formats.md
// says what enters them.
#pragma once

#include "elf_image.h"

#include <string>

namespace perfcheck::device {

/// Each hash is 16 hexadecimal digits (FNV-1a, 64 bit); empty if there is nothing to hash.
struct ObjectCode {
  std::string machine_code;  ///< of its functions; empty if the file holds none, as with link-time optimisation
  std::string constants;     ///< of the data that its functions refer to
};

/// Hashes of an ELF object (.o); empty ones for other files.
ObjectCode object_code(Bytes object);

}  // namespace perfcheck::device
