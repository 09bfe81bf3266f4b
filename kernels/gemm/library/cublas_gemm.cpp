// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cublas_gemm.h"

#include <cublasLt.h>
#include <perfcheck/cuda_check.h>

#include <compare>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perfcheck::library {
namespace {

[[noreturn]] void throw_cublas_error(cublasStatus_t status, char const* expression, int line) {
  throw std::runtime_error(std::string(expression) + ": " + cublasLtGetStatusName(status) + " (" +
                           cublasLtGetStatusString(status) + ") at " + __FILE__ + ":" + std::to_string(line));
}

#define PERFCHECK_CUBLAS(expression)                                                                       \
  do {                                                                                                     \
    if (cublasStatus_t const perfcheck_status = (expression); perfcheck_status != CUBLAS_STATUS_SUCCESS) { \
      throw_cublas_error(perfcheck_status, #expression, __LINE__);                                         \
    }                                                                                                      \
  } while (false)

/// Owner of an object of cuBLASLt. A failed destruction leaves nothing to do.
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

Handle make_handle() {
  cublasLtHandle_t handle = nullptr;
  PERFCHECK_CUBLAS(cublasLtCreate(&handle));
  return Handle(handle);
}

Operation make_operation(cublasComputeType_t compute, cublasOperation_t transpose_first) {
  cublasLtMatmulDesc_t operation = nullptr;
  PERFCHECK_CUBLAS(cublasLtMatmulDescCreate(&operation, compute, CUDA_R_32F));
  Operation owner(operation);
  PERFCHECK_CUBLAS(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transpose_first,
                                                  sizeof(transpose_first)));
  return owner;
}

/// A column-major matrix.
Layout make_layout(cudaDataType_t type, int rows, int columns, int64_t ld) {
  cublasLtMatrixLayout_t layout = nullptr;
  PERFCHECK_CUBLAS(
      cublasLtMatrixLayoutCreate(&layout, type, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns), ld));
  return Layout(layout);
}

/// How a GemmTypes is said to cuBLAS.
struct Types {
  cudaDataType_t data;
  cublasComputeType_t compute;
  int bytes;
};

Types cublas_types(GemmTypes types) {
  switch (types) {
    // "Pedantic" forbids TF32 and the emulation by BF16, whatever the math mode and the device.
    case GemmTypes::f32: return {CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC, 4};
    case GemmTypes::tf32: return {CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 4};
    case GemmTypes::f16: return {CUDA_R_16F, CUBLAS_COMPUTE_32F, 2};
    case GemmTypes::bf16: return {CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2};
  }
  throw std::logic_error("not a GemmTypes");
}

/// Everything the choice of an algorithm depends on.
struct Key {
  int device;
  GemmTypes types;
  BLayout b_layout;
  int m, n, k;
  int64_t lda, ldb, ldd;
  std::size_t workspace_bytes;
  auto operator<=>(Key const&) const = default;
};

/// A problem as cuBLAS knows it. Row-major D = A * B is, read column by column, D^T = B^T * A^T, so the library's first
/// operand is B and its second is A.
struct Plan {
  Operation operation;
  Layout first, second, result;
  cublasLtMatmulAlgo_t algorithm;
};

/// Alignment of all rows of a matrix in bytes: that of its base pointer, 256, as far as the leading dimension keeps it.
uint32_t row_alignment(int64_t ld, int element_bytes) {
  return static_cast<uint32_t>(std::gcd(ld * element_bytes, int64_t{256}));
}

Preference make_preference(Key const& key, Types const& types) {
  cublasLtMatmulPreference_t preference = nullptr;
  PERFCHECK_CUBLAS(cublasLtMatmulPreferenceCreate(&preference));
  Preference owner(preference);
  auto const set = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
    PERFCHECK_CUBLAS(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof(value)));
  };
  set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, uint64_t{key.workspace_bytes});
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, row_alignment(key.ldb, types.bytes));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, row_alignment(key.lda, types.bytes));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, row_alignment(key.ldd, types.bytes));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, row_alignment(key.ldd, types.bytes));
  if (types.bytes == 2) {  // partial sums of a split k stay in FP32, as "FP32 accumulate" promises
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
  }
  return owner;
}

/// Throws if an algorithm for FP32 does anything but multiply and add FP32, or one for other types adds in FP16.
void check_numerics(cublasLtMatmulAlgo_t const& algorithm, GemmTypes types) {
  uint64_t flags = 0;
  std::size_t written = 0;
  PERFCHECK_CUBLAS(cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, &flags,
                                                     sizeof(flags), &written));
  bool const plain_fp32 =
      (flags & CUBLASLT_NUMERICAL_IMPL_FLAGS_OP_TYPE_MASK) == CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA &&
      (flags & CUBLASLT_NUMERICAL_IMPL_FLAGS_OP_INPUT_TYPE_MASK) == CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
  bool const sums_in_fp16 = (flags & CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_16F) != 0;
  if (types == GemmTypes::f32 ? !plain_fp32 : sums_in_fp16) {
    throw std::runtime_error("cuBLAS chose an algorithm for " + std::string(to_text(types)) +
                             " that computes with other types (numerical implementation flags " +
                             std::to_string(flags) + ")");
  }
}

Plan make_plan(cublasLtHandle_t handle, Key const& key) {
  Types const types = cublas_types(key.types);
  bool const row_major = key.b_layout == BLayout::row_major;
  Plan plan{.operation = make_operation(types.compute, row_major ? CUBLAS_OP_N : CUBLAS_OP_T),
            .first = row_major ? make_layout(types.data, key.n, key.k, key.ldb)
                               : make_layout(types.data, key.k, key.n, key.ldb),
            .second = make_layout(types.data, key.k, key.m, key.lda),
            .result = make_layout(types.data, key.n, key.m, key.ldd),
            .algorithm = {}};
  Preference const preference = make_preference(key, types);
  cublasLtMatmulHeuristicResult_t choice{};
  int choices = 0;
  PERFCHECK_CUBLAS(cublasLtMatmulAlgoGetHeuristic(handle, plan.operation.get(), plan.first.get(), plan.second.get(),
                                                  plan.result.get(), plan.result.get(), preference.get(), 1, &choice,
                                                  &choices));
  if (choices == 0) throw std::runtime_error("cuBLAS has no algorithm for this problem");
  PERFCHECK_CUBLAS(choice.state);
  check_numerics(choice.algo, key.types);
  plan.algorithm = choice.algo;
  return plan;
}

/// Handles and plans of the process.
class Plans {
 public:
  /// Runs `use(handle, plan)` for the plan of `key`.
  template <class Use>
  void with(Key const& key, Use const& use) {
    std::scoped_lock const lock(mutex_);
    Handle& handle = handles_[key.device];
    if (!handle) handle = make_handle();
    auto plan = plans_.find(key);
    if (plan == plans_.end()) plan = plans_.emplace(key, make_plan(handle.get(), key)).first;
    use(handle.get(), plan->second);
  }

 private:
  std::mutex mutex_;
  std::map<int, Handle> handles_;
  std::map<Key, Plan> plans_;
};

/// Lives until the process ends and is not destroyed then: the CUDA driver and cuBLAS may be gone before this library's
/// static objects, and destroying a handle then crashes.
Plans& plans() {
  static Plans* const plans = std::make_unique<Plans>().release();
  return *plans;
}

/// Value of an environment variable that is set and neither empty nor "0".
char const* switched_on(char const* variable) {
  char const* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string_view(value) != "0" ? value : nullptr;
}

/// "13.1.0" of 130100.
std::string version() {
  std::size_t const number = cublasLtGetVersion();
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." + std::to_string(number % 100);
}

}  // namespace

LibraryInfo const kCublas{.name = "cuBLAS", .version = version};

std::size_t cublas_workspace_bytes(GemmProblem const& /*problem*/) { return kCublasWorkspaceBytes; }

Refusal refuse_overrides(GemmProblem const& problem) {
  char const* const tf32 = std::getenv("NVIDIA_TF32_OVERRIDE");
  if (problem.types == GemmTypes::f32) {
    for (char const* const variable : {"NVIDIA_TF32_OVERRIDE", "CUBLAS_EMULATE_SINGLE_PRECISION"}) {
      if (char const* const value = switched_on(variable)) {
        return std::string("the environment variable ") + variable + "=" + value +
               " lets cuBLAS compute FP32 with other types; unset it";
      }
    }
  } else if (problem.types == GemmTypes::tf32 && tf32 != nullptr && std::string_view(tf32) == "0") {
    return "the environment variable NVIDIA_TF32_OVERRIDE=0 keeps cuBLAS from using TF32; unset it";
  }
  return {};
}

void cublas_gemm(GemmTypes types, GemmArgs const& args) {
  int device = 0;
  PERFCHECK_CUDA(cudaGetDevice(&device));
  Key const key{.device = device,
                .types = types,
                .b_layout = args.b_layout,
                .m = args.m,
                .n = args.n,
                .k = args.k,
                .lda = args.lda,
                .ldb = args.ldb,
                .ldd = args.ldd,
                .workspace_bytes = args.workspace_bytes};
  void const* const c = args.beta == 0.0F ? args.d : args.c;  // not read when beta is 0, but may not be null
  plans().with(key, [&](cublasLtHandle_t handle, Plan const& plan) {
    PERFCHECK_CUBLAS(cublasLtMatmul(handle, plan.operation.get(), &args.alpha, args.b, plan.first.get(), args.a,
                                    plan.second.get(), &args.beta, c, plan.result.get(), args.d, plan.result.get(),
                                    &plan.algorithm, args.workspace, args.workspace_bytes, args.stream));
  });
}

}  // namespace perfcheck::library
