// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Included in front of every kernel of a build (-include): each barrier of a block is passed twice. A regression whose
// size is not known in advance: perfcheck_event_timer measures it, and `perfcheck ab` must find the same.
#pragma once

#include <cuda_runtime.h>

#define __syncthreads() (__syncthreads(), __syncthreads())
