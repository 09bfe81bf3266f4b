// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "turned.h"

#include <perfcheck/cuda_check.h>

namespace {

using perfcheck::Element;
using turned::Args;

/// Does not write the last `left_out` elements of y.
template <class In, class Out>
__global__ void turned_elements(Args args, std::int64_t left_out) {
  std::int64_t const at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= args.problem.rows * args.problem.columns - left_out) return;
  std::int64_t const r = at / args.problem.columns, c = at % args.problem.columns;
  static_cast<Out*>(args.y)[r * args.y_stride + c] =
      static_cast<Out>(static_cast<In const*>(args.x)[c * args.x_stride + r]) *
      static_cast<Out>(static_cast<In const*>(args.w)[c]);
}

template <class In, class Out, int left_out = 0>
void launch(Args const& args) {
  auto const count = args.problem.rows * args.problem.columns;
  turned_elements<In, Out><<<static_cast<unsigned>((count + 255) / 256), 256, 0, args.stream>>>(args, left_out);
  PERFCHECK_CUDA(cudaGetLastError());
}

}  // namespace

TURNED_KERNEL(plain, .launch = launch<float, float>);
TURNED_KERNEL(plain_s8, .element = Element::s8, .launch = launch<std::int8_t, std::int32_t>);
TURNED_KERNEL(last_element_left_out, .launch = launch<float, float, 1>);
