// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which kernels the present device can run.
#pragma once

#include <perfcheck/device_attribute.h>
#include <perfcheck/kernel.h>

namespace perfcheck {

/// Whether kernels for `arch` run on the present device. Throws what PERFCHECK_CUDA throws.
inline bool runs_here(Arch const& arch) {
  int const present =
      device_attribute(cudaDevAttrComputeCapabilityMajor) * 10 + device_attribute(cudaDevAttrComputeCapabilityMinor);
  int const wanted = arch.major * 10 + arch.minor;
  return arch.exact ? present == wanted : present >= wanted;
}

}  // namespace perfcheck
