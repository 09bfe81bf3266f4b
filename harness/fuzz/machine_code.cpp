// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that hold machine code of kernels.
#include "machine_code.h"

#include "support/property.h"

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  for (auto const& [name, hash] : device::machine_code_hashes({data, size})) {
    fuzz::require(name.find(':') != std::string::npos, "code is named by architecture and kernel");
    fuzz::require(hash.size() == 16 && hash.find_first_not_of("0123456789abcdef") == std::string::npos,
                  "a hash is 16 hexadecimal digits");
  }
  return 0;
}
