// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the compiler made of a CPU kernel's file, as hashes. Of the object, not of the program: there, a function's
// bytes hold how far away it lies from what it refers to, which changes with every other file. docs/file-formats.md
// says what enters them.
#pragma once

#include "elf_image.h"

#include <string>

namespace perfcheck::device {

/// Each hash is 16 hexadecimal digits (FNV-1a, 64 bit); empty where there is nothing of it.
struct ObjectCode {
  std::string machine_code;  ///< of its functions; empty where the file holds none, as that of a link-time optimiser
  std::string constants;     ///< of the data that its functions refer to
};

/// Of an ELF object (.o). Empty hashes for what is none.
ObjectCode object_code(Bytes object);

}  // namespace perfcheck::device
