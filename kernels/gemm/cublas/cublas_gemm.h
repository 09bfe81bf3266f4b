// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// GEMM by NVIDIA's library, what other kernels are compared with: cublasLtMatmul with the library's own first choice.
// cuBLASLt rather than cublasGemmEx, because only it takes C and D apart, and because it is the one that applications
// in need of speed call: the choice of the algorithm is made once per problem and not on every call.
#pragma once

#include <perfcheck/gemm.h>

#include <cstddef>

namespace perfcheck::library {

/// cuBLAS with the version that is loaded.
extern LibraryInfo const kCublas;

/// Workspace that a caller should provide. 32 MiB is what NVIDIA recommends on compute capability 9.0; with too little
/// the library drops its algorithms that split k.
inline constexpr std::size_t kCublasWorkspaceBytes = std::size_t{64} << 20;

/// The request for workspace in the form of GemmKernel::workspace_bytes.
std::size_t cublas_workspace_bytes(GemmProblem const& problem);

/// Refuses when the process's environment makes cuBLAS compute with other types than `problem.types` says:
/// NVIDIA_TF32_OVERRIDE and CUBLAS_EMULATE_SINGLE_PRECISION override what a program asks for.
Refusal refuse_overrides(GemmProblem const& problem);

/// Refuses bias and activations where the library has no fused kernel, and rounds in between.
Refusal refuse_fused_unaligned(GemmProblem const& problem);
/// Refuses layouts and alignments that the library does not take for eight-bit types.
Refusal refuse_unaligned(GemmProblem const& problem);
/// Likewise where blocks of eight-bit types are scaled.
Refusal refuse_blocks(GemmProblem const& problem);

/// Multiplies as `types` says on `args.stream`. The first call for a problem prepares it (handle, descriptors, choice
/// of the algorithm) and must not be made during stream capture; later calls only launch. Callable from any thread.
/// Takes batches, bias, ReLU and GELU; factors of tensors, rows and blocks.
void cublas_gemm(GemmTypes const& types, GemmFullArgs const& args);

/// The same in the form of GemmKernel::launch.
template <GemmTypes kTypes>
void launch_cublas(GemmFullArgs const& args) {
  cublas_gemm(kTypes, args);
}

/// What the library has besides products.
inline constexpr GemmFeature kCublasFeatures =
    GemmFeature::batch | GemmFeature::bias | Activation::relu | Activation::gelu;

}  // namespace perfcheck::library
