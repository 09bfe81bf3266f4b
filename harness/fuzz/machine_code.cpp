// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that hold machine code of kernels.
#include "machine_code.h"
#include "launch_data.h"

#include "support/property.h"

#include <string>

using namespace perfcheck;

namespace {

void require_hash(std::string const& hash) {
  fuzz::require(hash.size() == 16 && hash.find_first_not_of("0123456789abcdef") == std::string::npos,
                "a hash is 16 hexadecimal digits");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const nothing = [](std::string const&, std::span<std::uint8_t>) { return false; };
  for (auto const& [name, code] : device::kernel_codes({data, size})) {
    fuzz::require(name.find(':') != std::string::npos, "code is named by architecture and kernel");
    require_hash(code.machine_code);
    require_hash(code.data);
    if (!code.called_code.empty()) require_hash(code.called_code);
    require_hash(device::constants_hash(code, nothing, [](std::uint64_t) { return std::nullopt; }));
  }
  return 0;
}
