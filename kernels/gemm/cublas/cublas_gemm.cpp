// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cublas_gemm.h"

#include "cublas_plan.h"

#include <perfcheck/cuda_check.h>

#include <cuda_fp16.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace perfcheck::library {
namespace {

/// Handles and plans of the process.
class Plans {
 public:
  /// Runs `use(handle, plan)` for the plan of `key`.
  template <class Use>
  void with(Key const& key, GemmFullArgs const& args, Use const& use) {
    std::scoped_lock const lock(mutex_);
    Handle& handle = handles_[key.device];
    if (!handle) handle = make_handle();
    auto plan = plans_.find(key);
    if (plan == plans_.end()) plan = plans_.emplace(key, make_plan(handle.get(), key, args)).first;
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

/// alpha or beta in the type that the library wants.
class FactorValue {
 public:
  FactorValue(float value, cudaDataType_t type) {
    switch (type) {
      case CUDA_R_64F: set(static_cast<double>(value)); return;
      case CUDA_R_32I: set(static_cast<int32_t>(value)); return;
      case CUDA_R_16F: set(__float2half(value)); return;
      default: set(value);
    }
  }
  void const* data() const { return bytes_; }

 private:
  template <class Value>
  void set(Value value) {
    std::memcpy(bytes_, &value, sizeof(value));
  }
  alignas(8) unsigned char bytes_[8] = {};
};

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
  } else if (problem.types.compute == Element::tf32 && tf32 != nullptr && std::string_view(tf32) == "0") {
    return "the environment variable NVIDIA_TF32_OVERRIDE=0 keeps cuBLAS from using TF32; unset it";
  }
  return {};
}

Refusal refuse_fused_unaligned(GemmProblem const& problem) {
  bool const fused = problem.bias || problem.activation != Activation::none;
  if (fused && (problem.lda % 8 != 0 || problem.ldb % 8 != 0 || problem.ldd % 8 != 0 || problem.n % 8 != 0)) {
    return "cuBLAS rounds to 16 bits in front of bias and activation where rows are not aligned to 16 bytes";
  }
  return {};
}

Refusal refuse_unaligned(GemmProblem const& problem) {
  if (problem.b_layout != BLayout::column_major) return "cuBLAS wants eight-bit A and B contiguous along k (nt)";
  int const d_bytes = format_of(problem.types.d).bits / 8;
  if (problem.lda % 16 != 0 || problem.ldb % 16 != 0 || problem.ldd * d_bytes % 16 != 0 || problem.n % 16 != 0 ||
      problem.k % 16 != 0) {
    return "cuBLAS wants rows of eight-bit types aligned to 16 bytes, and n and k multiples of 16";
  }
  return {};
}

Refusal refuse_blocks(GemmProblem const& problem) {
  if (auto refusal = refuse_unaligned(problem)) return refusal;
  // Factors of B for four blocks of k belong together in cuBLAS's layout.
  if (problem.k % (4 * kScaledElements) != 0) return "cuBLAS wants k to be a multiple of 512 where blocks are scaled";
  return {};
}

void cublas_gemm(GemmTypes const& types, GemmFullArgs const& args) {
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
                .workspace_bytes = args.workspace_bytes,
                .batch = args.batch,
                .a_stride = args.a_stride,
                .b_stride = args.b_stride,
                .d_stride = args.d_stride,
                .bias = args.bias != nullptr,
                .activation = args.activation};
  void const* const c = args.beta == 0.0F ? args.d : args.c;  // not read when beta is 0, but may not be null
  plans().with(key, args, [&](cublasLtHandle_t handle, Plan const& plan) {
    set_pointers(plan.operation, args);
    FactorValue const alpha(args.alpha, plan.factors), beta(args.beta, plan.factors);
    PERFCHECK_CUBLAS(cublasLtMatmul(handle, plan.operation.get(), alpha.data(), args.b, plan.first.get(), args.a,
                                    plan.second.get(), beta.data(), c, plan.result.get(), args.d, plan.result.get(),
                                    &plan.algorithm, args.workspace, args.workspace_bytes, args.stream));
  });
}

}  // namespace perfcheck::library
