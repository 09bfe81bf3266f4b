// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The device function that callee_in_another_object.cu calls.
#pragma once

namespace perfcheck::zoo {

/// How many columns of A and rows of B, of k in total, are multiplied before the sums are added to D in memory. A
/// multiple of 8.
__device__ int length_of_parts(int k);

}  // namespace perfcheck::zoo
