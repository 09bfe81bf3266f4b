// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// An object file of its own, so that the kernel that calls it does not hold its code.
#include "callee.cuh"

namespace perfcheck::zoo {

#ifdef PERFCHECK_ZOO_SLOW
__device__ int length_of_parts(int k) { return k < 128 ? 8 : 128; }
#else
__device__ int length_of_parts(int k) { return (k + 7) / 8 * 8; }
#endif

}  // namespace perfcheck::zoo
