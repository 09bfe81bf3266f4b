// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Included in front of every kernel of a build (-include): each barrier of a block is passed twice. A regression that
// nobody put a number on; perfcheck_event_timer says what it costs, and `perfcheck ab` must find the same.
#pragma once

#include <cuda_runtime.h>

#define __syncthreads() (__syncthreads(), __syncthreads())
