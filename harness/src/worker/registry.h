// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels that registered themselves in this program, checked and sorted.
#pragma once

#include <perfcheck/kernel.h>

#include <map>
#include <string>
#include <vector>

namespace perfcheck::worker {

/// Kernels of these operations, sorted by id. Throws std::logic_error, naming files and lines, when two kernels share
/// an id or one of `sources` (paths as compiled) registered nothing.
std::vector<KernelInfo const*> registered_kernels(std::vector<std::string> const& operations,
                                                  std::vector<std::string> const& sources);

/// Versions of the libraries that `kernels` call, by name.
std::map<std::string, std::string> library_versions(std::vector<KernelInfo const*> const& kernels);

/// "sm_80+", "sm_90a", "any" for lists.
std::string arch_text(Arch const& arch);

}  // namespace perfcheck::worker
