// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The matrices a GEMM kernel is tried on. Data depends on the problem and the seed, never on the kernel, so reference
// results are shared between kernels.
#pragma once

#include <perfcheck/gemm.h>

#include "perfcheck/verify/fill.h"
#include "perfcheck/verify/judge.h"

namespace perfcheck::gemm {

enum class Data {
  exact,          ///< small integers: every sum is exact in FP32
  long_sums,      ///< integers whose sums rise beyond what FP16 holds exactly and come back: FP32 stays exact
  signed_values,  ///< like N(0, 1), as is what is timed (verify/secret_data.h)
  positive,       ///< U[0, 1): rounding errors of one sign do not cancel
  one_hot_a,      ///< each row of A picks rows of B; every k is used
  one_hot_b,      ///< each column of B picks a column of A; every k is used
  rank_one,       ///< values that tell row and column of D
  wide_lines,     ///< signed, each row of A and each column of B far above or below 1: beyond the range of FP16
  wide_whole,     ///< signed, all of A far above or below 1, and all of B: for methods that mix rows or columns
};

struct DataSet {
  verify::Fill a, b, c;
};
DataSet data_set(Data data, GemmProblem const& problem, std::uint64_t seed);
/// False when the problem is too small for the data to say anything, or the types need no such check.
bool has_data(Data data, GemmProblem const& problem);
/// Whether all sums of the data are exact, so that results must be equal. Needs exact_factors().
bool is_exact(Data data);
/// The problem with alpha and beta replaced by 1 where they would make exact data inexact (not powers of two).
GemmProblem with_exact_factors(GemmProblem problem);

/// How far a result from signed or positive data may lie from the FP64 reference; equality for exact data.
verify::Bound bound_for(Data data, GemmProblem const& problem);

verify::Element element_of(GemmTypes types);
/// Shapes and strides of the matrices, without memory. C is shaped like D.
struct Shapes {
  verify::MatrixView a, b, d;
};
Shapes shapes_of(GemmProblem const& problem);

}  // namespace perfcheck::gemm
