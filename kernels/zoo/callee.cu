// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A separate object file, so that the calling kernel's machine code does not contain the function's.
#include "callee.cuh"

namespace perfcheck::zoo {

#ifdef PERFCHECK_ZOO_SLOW
__device__ int length_of_parts(int k) { return k < 128 ? 8 : 128; }
#else
__device__ int length_of_parts(int k) { return (k + 7) / 8 * 8; }
#endif

}  // namespace perfcheck::zoo
