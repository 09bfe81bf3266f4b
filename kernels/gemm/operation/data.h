// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The matrices a GEMM kernel is tried on. Data depends on the problem and the seed, never on the kernel, so reference
// results are shared between kernels.
#pragma once

#include "operands.h"

#include "perfcheck/verify/epilogue.h"
#include "perfcheck/verify/fill.h"

namespace perfcheck::gemm {

enum class Data {
  exact,          ///< integers whose sums are exact: small ones, or any for integer types
  long_sums,      ///< integers whose sums rise beyond what FP16 holds exactly and come back: FP32 stays exact
  signed_values,  ///< like N(0, 1), as in timed launches (verify/secret_data.h); integers of any size
  positive,    ///< U[0, 1), or large integers: rounding errors of one sign do not cancel, sums are as large as can be
  one_hot_a,   ///< each row of A picks rows of B; every k is used
  one_hot_b,   ///< each column of B picks columns of A; every k is used
  rank_one,    ///< each element of D tells its row and column, as far as its sum has room for that
  wide_lines,  ///< signed, each row of A and each column of B far above or below 1: beyond the range of FP16
  wide_whole,  ///< signed, all of A far above or below 1, and all of B: for methods that mix rows or columns
};

struct DataSet {
  verify::Fill a, b, c, a_scales, b_scales, bias, residual;

  verify::Fill& of(Input input);
};
DataSet data_set(Data data, GemmProblem const& problem, std::uint64_t seed);
/// False when the problem is too small for the data to say anything, when its sums are too long for the accumulator, or
/// when the types need no such check.
bool has_data(Data data, GemmProblem const& problem);
/// Whether all sums of products are exact in the type that they are kept in.
bool sums_are_exact(Data data, GemmTypes const& types);
/// Whether results are exact, too, so that they must be equal. Needs with_exact_factors().
bool is_exact(Data data, GemmProblem const& problem);
/// The problem with an alpha and a beta other than 1 and 0 that the types allow.
GemmProblem with_other_factors(GemmProblem problem);
/// The problem with alpha and beta replaced by 1 where they would make exact data inexact (not powers of two).
GemmProblem with_exact_factors(GemmProblem problem);

/// How many products each element of D is the sum of.
int products_of_sum(GemmProblem const& problem);

/// How far a result may lie from the FP64 reference; equality for exact data.
verify::Bound bound_for(Data data, GemmProblem const& problem);

/// What is applied to the products, without the memory of C, bias and residual.
verify::Epilogue epilogue_of(GemmProblem const& problem);

}  // namespace perfcheck::gemm
