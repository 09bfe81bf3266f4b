// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace perfcheck::device {

/// The demangled name without arguments and without the prefixes that nvcc gives to names in anonymous namespaces and,
/// in code that nvlink links, to static kernels: these change with every build.
std::string readable_kernel_name(std::string const& mangled);

}  // namespace perfcheck::device
