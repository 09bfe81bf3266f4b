// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of combined.cu, for those that launch them where they cannot do the work themselves.
#pragma once

#include <perfcheck/gemm.h>

namespace perfcheck::mma {

/// Multiplies matrices of the types `Row` of ring_types.cuh. Takes any problem, on compute capability 8.0 and later.
template <class Row>
void launch_combined(GemmArgs const& args);

}  // namespace perfcheck::mma
