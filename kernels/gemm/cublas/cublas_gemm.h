// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// GEMM by NVIDIA's library: cublasLtMatmul with the algorithm that the library ranks first, the reference for other
// kernels, or with another of those that it recommends (best.cpp). cuBLASLt rather than cublasGemmEx, because only it
// takes C and D as separate matrices, and because applications that need speed use it: they choose the algorithm once
// per problem and not on every call.
#pragma once

#include <perfcheck/gemm.h>

#include <cstddef>

namespace perfcheck::library {

/// cuBLAS, and the version of the loaded library.
extern LibraryInfo const kCublas;

/// Workspace that a caller should provide. NVIDIA recommends 32 MiB on compute capability 9.0; with too little, the
/// library drops its algorithms that split k.
inline constexpr std::size_t kCublasWorkspaceBytes = std::size_t{64} << 20;

/// The request for workspace in the form of GemmKernel::workspace_bytes.
std::size_t cublas_workspace_bytes(GemmProblem const& problem);

/// Refuses when the process's environment makes cuBLAS compute with other types than `problem.types` says:
/// NVIDIA_TF32_OVERRIDE and CUBLAS_EMULATE_SINGLE_PRECISION override what a program asks for.
Refusal refuse_overrides(GemmProblem const& problem);

/// Refuses bias and activations where rows are not aligned: the library has no fused kernel there, and rounds before it
/// applies them.
Refusal refuse_fused_unaligned(GemmProblem const& problem);
/// Refuses layouts and alignments that the library does not take for eight-bit types.
Refusal refuse_unaligned(GemmProblem const& problem);
/// The same for eight-bit types with scaled blocks.
Refusal refuse_blocks(GemmProblem const& problem);

/// Most algorithms that the library is asked to recommend for a problem, h0 to h39; often there are fewer.
inline constexpr int kMostHeuristics = 40;

/// Refuses a problem for which the library recommends no algorithm of this number, or one that must not be used.
Refusal refuse_heuristic(GemmProblem const& problem, int heuristic);
/// Refuses what the library recommends no algorithm for: for types of which nobody has written down what it takes.
inline Refusal refuse_unknown(GemmProblem const& problem) { return refuse_heuristic(problem, 0); }

/// Multiplies as `types` says on `args.stream`, with the algorithm that the library ranks first, or with that of a
/// higher number. The first call for a problem prepares it (handle, descriptors, choice
/// of the algorithm) and must not be made during stream capture; later calls only launch. Callable from any thread.
/// Supports batches, bias, ReLU and GELU, and scale factors of tensors, rows and blocks.
void cublas_gemm(GemmTypes const& types, GemmFullArgs const& args, int heuristic = 0);

/// The same in the form of GemmKernel::launch.
template <GemmTypes kTypes>
void launch_cublas(GemmFullArgs const& args) {
  cublas_gemm(kTypes, args);
}

/// The features of the library, besides the product itself.
inline constexpr GemmFeature kCublasFeatures =
    GemmFeature::batch | GemmFeature::bias | Activation::relu | Activation::gelu;

}  // namespace perfcheck::library
