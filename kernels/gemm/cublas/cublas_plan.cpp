// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cublas_plan.h"

#include "cublas_gemm.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>

namespace perfcheck::library {
namespace {

cudaDataType_t data_type(Element element) {
  switch (element) {
    case Element::f64: return CUDA_R_64F;
    case Element::f32:
    case Element::tf32:
    case Element::tc14: return CUDA_R_32F;
    case Element::f16: return CUDA_R_16F;
    case Element::bf16: return CUDA_R_16BF;
    case Element::e4m3: return CUDA_R_8F_E4M3;
    case Element::e5m2: return CUDA_R_8F_E5M2;
    case Element::s8: return CUDA_R_8I;
    case Element::u8: return CUDA_R_8U;
    case Element::s32: return CUDA_R_32I;
    case Element::s4: return CUDA_R_4I;
  }
  throw std::logic_error("an element that cuBLAS has no name for");
}

cublasComputeType_t compute_type(GemmTypes const& types) {
  switch (types.accumulate) {
    case Element::f64: return CUBLAS_COMPUTE_64F;
    case Element::s32: return CUBLAS_COMPUTE_32I;
    case Element::f16: return CUBLAS_COMPUTE_16F;
    default: break;
  }
  // "Pedantic" forbids TF32 and the emulation by BF16, whatever the math mode and the device.
  if (types.compute == Element::f32) return CUBLAS_COMPUTE_32F_PEDANTIC;
  return types.compute == Element::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

template <class Value>
void set(Operation const& operation, cublasLtMatmulDescAttributes_t attribute, Value value) {
  PERFCHECK_CUBLAS(
      cublasLtMatmulDescSetAttribute(operation.get(), attribute, static_cast<void const*>(&value), sizeof(value)));
}

cublasLtEpilogue_t epilogue(Key const& key) {
  switch (key.activation) {
    case Activation::none: return key.bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
    case Activation::relu: return key.bias ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
    case Activation::gelu: return key.bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
    case Activation::gelu_erf:
    case Activation::silu: break;
  }
  throw std::logic_error("cuBLAS has no such activation");
}

/// Sets the layout of the scale factors of A and B, in the library's order of operands: B is its first.
void set_scaling(Operation const& operation, GemmScaling scaling) {
  auto const modes = [&](cublasLtMatmulMatrixScale_t first, cublasLtMatmulMatrixScale_t second) {
    set(operation, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, static_cast<int32_t>(first));
    set(operation, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, static_cast<int32_t>(second));
  };
  switch (scaling) {
    case GemmScaling::none:
    case GemmScaling::groups: return;
    case GemmScaling::tensor:
      modes(CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F, CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F);
      return;
    case GemmScaling::rows:
      modes(CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
      return;
    case GemmScaling::blocks:
      modes(CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F, CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F);
      return;
  }
}

Operation make_operation(Key const& key, cudaDataType_t factors) {
  cublasLtMatmulDesc_t operation = nullptr;
  PERFCHECK_CUBLAS(cublasLtMatmulDescCreate(&operation, compute_type(key.types), factors));
  Operation owner(operation);
  bool const row_major = key.b_layout == BLayout::row_major;
  set(owner, CUBLASLT_MATMUL_DESC_TRANSA, row_major ? CUBLAS_OP_N : CUBLAS_OP_T);
  if (key.bias || key.activation != Activation::none) set(owner, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue(key));
  set_scaling(owner, key.types.scaling);
  // Off by default: the library then moves partial sums to FP32.
  if (key.types.accumulate == Element::tc14) set(owner, CUBLASLT_MATMUL_DESC_FAST_ACCUM, int8_t{1});
  return owner;
}

/// The layout of a column-major matrix, or of a batch of them.
Layout make_layout(Element element, int rows, int columns, int64_t ld, int batch, int64_t stride) {
  cublasLtMatrixLayout_t layout = nullptr;
  PERFCHECK_CUBLAS(cublasLtMatrixLayoutCreate(&layout, data_type(element), static_cast<uint64_t>(rows),
                                              static_cast<uint64_t>(columns), ld));
  Layout owner(layout);
  if (batch > 1) {
    auto const set_layout = [&](cublasLtMatrixLayoutAttribute_t attribute, auto value) {
      PERFCHECK_CUBLAS(cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof(value)));
    };
    set_layout(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, int32_t{batch});
    set_layout(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
  }
  return owner;
}

/// Alignment of all rows of a matrix in bytes: the 256 of its base pointer, as far as the leading dimension preserves
/// it.
uint32_t row_alignment(int64_t ld, Element element) {
  return static_cast<uint32_t>(std::gcd(ld * format_of(element).bits / 8, int64_t{256}));
}

Preference make_preference(Key const& key) {
  cublasLtMatmulPreference_t preference = nullptr;
  PERFCHECK_CUBLAS(cublasLtMatmulPreferenceCreate(&preference));
  Preference owner(preference);
  auto const set_preference = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
    PERFCHECK_CUBLAS(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof(value)));
  };
  GemmTypes const& types = key.types;
  set_preference(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, uint64_t{key.workspace_bytes});
  set_preference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, row_alignment(key.ldb, types.b));
  set_preference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, row_alignment(key.lda, types.a));
  set_preference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, row_alignment(key.ldd, types.c));
  set_preference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, row_alignment(key.ldd, types.d));
  bool const sums_in_fp32 = types.accumulate == Element::f32 || types.accumulate == Element::tc14;
  if (format_of(types.d).bits <= 16 && sums_in_fp32) {
    // Partial sums of a split k stay in FP32, as such types promise.
    set_preference(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
  }
  return owner;
}

/// Refuses an algorithm for FP32 that does anything but multiply and add in FP32, and an algorithm for wider sums that
/// adds in FP16.
Refusal check_numerics(cublasLtMatmulAlgo_t const& algorithm, GemmTypes const& types) {
  uint64_t flags = 0;
  std::size_t written = 0;
  PERFCHECK_CUBLAS(cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, &flags,
                                                     sizeof(flags), &written));
  bool const plain_fp32 =
      (flags & CUBLASLT_NUMERICAL_IMPL_FLAGS_OP_TYPE_MASK) == CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA &&
      (flags & CUBLASLT_NUMERICAL_IMPL_FLAGS_OP_INPUT_TYPE_MASK) == CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
  bool const sums_in_fp16 = (flags & CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_16F) != 0;
  bool const wrong = types.compute == Element::f32 ? !plain_fp32 : types.accumulate != Element::f16 && sums_in_fp16;
  if (!wrong) return {};
  return "cuBLAS chose an algorithm for " + to_text(types) +
         " that computes with other types (numerical implementation flags " + std::to_string(flags) + ")";
}

/// The type of alpha and beta: an integer only where the results are integers, too.
cudaDataType_t factor_type(GemmTypes const& types) {
  if (types.accumulate == Element::s32) return types.d == Element::s32 ? CUDA_R_32I : CUDA_R_32F;
  return data_type(types.accumulate);
}

/// Everything but the algorithm.
Plan describe(Key const& key, GemmFullArgs const& args) {
  GemmTypes const& types = key.types;
  cudaDataType_t const factors = factor_type(types);
  bool const row_major = key.b_layout == BLayout::row_major;
  Plan plan{.operation = make_operation(key, factors),
            .first = row_major ? make_layout(types.b, key.n, key.k, key.ldb, key.batch, key.b_stride)
                               : make_layout(types.b, key.k, key.n, key.ldb, key.batch, key.b_stride),
            .second = make_layout(types.a, key.k, key.m, key.lda, key.batch, key.a_stride),
            .result = make_layout(types.d, key.n, key.m, key.ldd, key.batch, key.d_stride),
            .algorithm = {},
            .factors = factors};
  set_pointers(plan.operation, args);  // without them, the library finds no algorithm for scaled rows and blocks
  return plan;
}

/// At most `most` algorithms, those that the library expects to be the fastest first.
std::vector<cublasLtMatmulHeuristicResult_t> ask(cublasLtHandle_t handle, Key const& key, Plan const& plan, int most) {
  Preference const preference = make_preference(key);
  std::vector<cublasLtMatmulHeuristicResult_t> results(static_cast<std::size_t>(most));
  int found = 0;
  cublasStatus_t const status = cublasLtMatmulAlgoGetHeuristic(handle, plan.operation.get(), plan.first.get(),
                                                               plan.second.get(), plan.result.get(), plan.result.get(),
                                                               preference.get(), most, results.data(), &found);
  // How the library says that it has none: cuBLAS documentation, cublasLtMatmulAlgoGetHeuristic().
  if (status != CUBLAS_STATUS_NOT_SUPPORTED) PERFCHECK_CUBLAS(status);
  results.resize(static_cast<std::size_t>(found));
  return results;
}

Refusal refusal_of(cublasLtMatmulHeuristicResult_t const& result, GemmTypes const& types) {
  if (result.state != CUBLAS_STATUS_SUCCESS) {
    return std::string("cuBLAS says of the algorithm that it recommends: ") + cublasLtGetStatusString(result.state);
  }
  return check_numerics(result.algo, types);
}

}  // namespace

void check_cublas(cublasStatus_t status, char const* expression, char const* file, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(expression) + ": " + cublasLtGetStatusName(status) + " (" +
                           cublasLtGetStatusString(status) + ") at " + file + ":" + std::to_string(line));
}

Handle make_handle() {
  cublasLtHandle_t handle = nullptr;
  PERFCHECK_CUBLAS(cublasLtCreate(&handle));
  return Handle(handle);
}

void set_pointers(Operation const& operation, GemmFullArgs const& args) {
  auto const point = [&](cublasLtMatmulDescAttributes_t attribute, void const* data) {
    if (data != nullptr) set(operation, attribute, data);
  };
  point(CUBLASLT_MATMUL_DESC_BIAS_POINTER, args.bias);
  point(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, args.b_scales);
  point(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, args.a_scales);
}

Plan make_plan(Key const& key, GemmFullArgs const& args, cublasLtMatmulAlgo_t const& algorithm) {
  Plan plan = describe(key, args);
  plan.algorithm = algorithm;
  return plan;
}

Plan make_plan(cublasLtHandle_t handle, Key const& key, GemmFullArgs const& args) {
  Plan plan = describe(key, args);
  std::vector<cublasLtMatmulHeuristicResult_t> const first = ask(handle, key, plan, 1);
  if (first.empty()) throw std::runtime_error("cuBLAS has no algorithm for this problem");
  if (Refusal const refusal = refusal_of(first.front(), key.types)) throw std::runtime_error(*refusal);
  plan.algorithm = first.front().algo;
  return plan;
}

std::vector<Recommended> recommended(cublasLtHandle_t handle, Key const& key, GemmFullArgs const& args) {
  Plan const plan = describe(key, args);
  std::vector<cublasLtMatmulHeuristicResult_t> results = ask(handle, key, plan, 1);
  for (cublasLtMatmulHeuristicResult_t const& result : ask(handle, key, plan, kMostHeuristics)) {
    auto const same = [&](cublasLtMatmulHeuristicResult_t const& other) {
      return std::memcmp(&other.algo, &result.algo, sizeof(result.algo)) == 0;
    };
    if (std::none_of(results.begin(), results.end(), same)) results.push_back(result);
  }
  std::vector<Recommended> list;
  for (cublasLtMatmulHeuristicResult_t const& result : results) {
    list.push_back({.algorithm = result.algo, .refusal = refusal_of(result, key.types)});
  }
  return list;
}

}  // namespace perfcheck::library
