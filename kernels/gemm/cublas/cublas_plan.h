// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A problem in cuBLASLt's terms, prepared once: descriptors, and the algorithm that the library recommends, or another
// of its list.
#pragma once

#include <perfcheck/gemm.h>

#include <cublasLt.h>

#include <compare>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace perfcheck::library {

/// Throws std::runtime_error with the library's message if the status is not success.
void check_cublas(cublasStatus_t status, char const* expression, char const* file, int line);

#define PERFCHECK_CUBLAS(expression) ::perfcheck::library::check_cublas((expression), #expression, __FILE__, __LINE__)

/// Owner of an object of cuBLASLt. Ignores a failed destruction: there is nothing to be done about it.
template <class Pointer, cublasStatus_t (*kDestroy)(Pointer)>
struct Destroy {
  using pointer = Pointer;
  void operator()(Pointer object) const noexcept { (void)kDestroy(object); }
};
template <class Pointer, cublasStatus_t (*kDestroy)(Pointer)>
using Owner = std::unique_ptr<std::remove_pointer_t<Pointer>, Destroy<Pointer, kDestroy>>;

using Handle = Owner<cublasLtHandle_t, cublasLtDestroy>;
using Operation = Owner<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using Layout = Owner<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Preference = Owner<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

/// Everything the choice of an algorithm depends on.
struct Key {
  int device;
  GemmTypes types;
  BLayout b_layout;
  int m, n, k;
  int64_t lda, ldb, ldd;
  std::size_t workspace_bytes;
  int batch;
  int64_t a_stride, b_stride, d_stride;
  bool bias;
  Activation activation;
  auto operator<=>(Key const&) const = default;
};

/// Row-major D = A * B is, read column by column, D^T = B^T * A^T, so the library's first operand is B and its second
/// is A.
struct Plan {
  Operation operation;
  Layout first, second, result;
  cublasLtMatmulAlgo_t algorithm;
  cudaDataType_t factors;  ///< type of alpha and beta
};

Handle make_handle();
/// With the algorithm that the library recommends. Throws std::runtime_error when it has none, or one that computes
/// with other types than it should.
Plan make_plan(cublasLtHandle_t handle, Key const& key, GemmFullArgs const& args);

/// An algorithm that the library recommends for a problem.
struct Recommended {
  cublasLtMatmulAlgo_t algorithm;
  Refusal refusal;  ///< why it cannot be used; empty if it can
};
/// Up to kMostHeuristics of them, in the library's order, which it expects to be that of their speed. The first is that
/// of make_plan().
std::vector<Recommended> recommended(cublasLtHandle_t handle, Key const& key, GemmFullArgs const& args);
/// With this algorithm.
Plan make_plan(Key const& key, GemmFullArgs const& args, cublasLtMatmulAlgo_t const& algorithm);
/// Sets the addresses of bias and scale factors, which may differ from launch to launch.
void set_pointers(Operation const& operation, GemmFullArgs const& args);

}  // namespace perfcheck::library
