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
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfcheck::library {
namespace {

/// Handles and plans of the process.
class Plans {
 public:
  /// Runs `use(handle, plan)` for the plan of `key` with this heuristic.
  template <class Use>
  void with(Key const& key, int heuristic, GemmFullArgs const& args, Use const& use) {
    std::scoped_lock const lock(mutex_);
    cublasLtHandle_t handle = handle_of(key.device);
    auto plan = plans_.find({key, heuristic});
    if (plan == plans_.end()) {
      plan = plans_.emplace(std::pair(key, heuristic), plan_for(handle, key, heuristic, args)).first;
    }
    use(handle, plan->second);
  }

  /// Why there is no plan of `key` with this heuristic.
  Refusal refusal(Key const& key, int heuristic) {
    std::scoped_lock const lock(mutex_);
    return refusal_in(list_of(handle_of(key.device), key, {}), heuristic);
  }

 private:
  cublasLtHandle_t handle_of(int device) {
    Handle& handle = handles_[device];
    if (!handle) handle = make_handle();
    return handle.get();
  }
  std::vector<Recommended> const& list_of(cublasLtHandle_t handle, Key const& key, GemmFullArgs const& args) {
    auto list = lists_.find(key);
    if (list == lists_.end()) list = lists_.emplace(key, recommended(handle, key, args)).first;
    return list->second;
  }
  static Refusal refusal_in(std::vector<Recommended> const& list, int heuristic) {
    if (list.empty()) return "cuBLAS recommends no algorithm for this problem";
    if (heuristic < static_cast<int>(list.size())) return list[static_cast<std::size_t>(heuristic)].refusal;
    return "cuBLAS recommends " + std::to_string(list.size()) +
           " algorithms for this problem, counted from h0 on: there is no h" + std::to_string(heuristic);
  }
  Plan plan_for(cublasLtHandle_t handle, Key const& key, int heuristic, GemmFullArgs const& args) {
    if (heuristic == 0) return make_plan(handle, key, args);
    std::vector<Recommended> const& list = list_of(handle, key, args);
    if (Refusal const refusal = refusal_in(list, heuristic)) throw std::runtime_error(*refusal);
    return make_plan(key, args, list[static_cast<std::size_t>(heuristic)].algorithm);
  }

  std::mutex mutex_;
  std::map<int, Handle> handles_;
  std::map<std::pair<Key, int>, Plan> plans_;
  std::map<Key, std::vector<Recommended>> lists_;
};

/// Lives until the process ends and is not destroyed then: the CUDA driver and cuBLAS may be gone before this library's
/// static objects, and destroying a handle then crashes.
Plans& plans() {
  static Plans* const plans = std::make_unique<Plans>().release();
  return *plans;
}

int current_device() {
  int device = 0;
  PERFCHECK_CUDA(cudaGetDevice(&device));
  return device;
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

Refusal refuse_heuristic(GemmProblem const& problem, int heuristic) {
  return plans().refusal({.device = current_device(),
                          .types = problem.types,
                          .b_layout = problem.b_layout,
                          .m = problem.m,
                          .n = problem.n,
                          .k = problem.k,
                          .lda = problem.lda,
                          .ldb = problem.ldb,
                          .ldd = problem.ldd,
                          .workspace_bytes = kCublasWorkspaceBytes,
                          .batch = 1,
                          .a_stride = 0,
                          .b_stride = 0,
                          .d_stride = 0,
                          .bias = false,
                          .activation = Activation::none},
                         heuristic);
}

void cublas_gemm(GemmTypes const& types, GemmFullArgs const& args, int heuristic) {
  Key const key{.device = current_device(),
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
  plans().with(key, heuristic, args, [&](cublasLtHandle_t handle, Plan const& plan) {
    set_pointers(plan.operation, args);
    FactorValue const alpha(args.alpha, plan.factors), beta(args.beta, plan.factors);
    PERFCHECK_CUBLAS(cublasLtMatmul(handle, plan.operation.get(), alpha.data(), args.b, plan.first.get(), args.a,
                                    plan.second.get(), beta.data(), c, plan.result.get(), args.d, plan.result.get(),
                                    &plan.algorithm, args.workspace, args.workspace_bytes, args.stream));
  });
}

}  // namespace perfcheck::library
