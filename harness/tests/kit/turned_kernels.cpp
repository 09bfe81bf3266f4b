// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "turned.h"

#include <cstring>

namespace {

using perfcheck::Element;
using turned::Args;
using turned::Problem;

template <class In, class Out>
void plain(Args const& args) {
  auto const* const x = static_cast<In const*>(args.x);
  auto const* const w = static_cast<In const*>(args.w);
  auto* const y = static_cast<Out*>(args.y);
  for (std::int64_t r = 0; r < args.problem.rows; ++r) {
    for (std::int64_t c = 0; c < args.problem.columns; ++c) {
      y[r * args.y_stride + c] = static_cast<Out>(x[c * args.x_stride + r]) * static_cast<Out>(w[c]);
    }
  }
}

/// Wrong: indexes w by row.
void factor_by_row(Args const& args) {
  auto const* const x = static_cast<float const*>(args.x);
  auto const* const w = static_cast<float const*>(args.w);
  auto* const y = static_cast<float*>(args.y);
  for (std::int64_t r = 0; r < args.problem.rows; ++r) {
    for (std::int64_t c = 0; c < args.problem.columns; ++c) {
      y[r * args.y_stride + c] = x[c * args.x_stride + r] * w[r % args.problem.columns];
    }
  }
}

std::size_t one_row(Problem const& problem) { return static_cast<std::size_t>(problem.columns) * sizeof(float); }

/// Copies w through the workspace, and writes `more` bytes more than it asked for.
template <std::size_t more>
void through_workspace(Args const& args) {
  std::memcpy(args.workspace, args.w, one_row(args.problem));
  std::memset(static_cast<char*>(args.workspace) + one_row(args.problem), 0, more);
  Args with_copy = args;
  with_copy.w = args.workspace;
  plain<float, float>(with_copy);
}

perfcheck::Refusal even_rows(Problem const& problem) {
  if (problem.rows % 2 != 0) return "rows must be even";
  return {};
}

}  // namespace

TURNED_KERNEL(plain, .reference = true, .launch = plain<float, float>);
TURNED_KERNEL(plain_s8, .element = Element::s8, .reference = true, .launch = plain<std::int8_t, std::int32_t>);
TURNED_KERNEL(also_reference, .reference = true, .accepts = even_rows, .launch = plain<float, float>);
TURNED_KERNEL(factor_by_row, .launch = factor_by_row);
TURNED_KERNEL(through_workspace, .workspace_bytes = one_row, .launch = through_workspace<0>);
TURNED_KERNEL(more_workspace, .workspace_bytes = one_row, .launch = through_workspace<4>);
