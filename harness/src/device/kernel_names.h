// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace perfcheck::device {

/// Demangled, without arguments, and without what nvcc puts in front of names in anonymous namespaces and, in code that
/// is linked by nvlink, of static kernels: this changes with every build.
std::string readable_kernel_name(std::string const& mangled);

}  // namespace perfcheck::device
