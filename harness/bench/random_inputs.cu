// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "random_inputs.h"

#include <perfcheck/cuda_check.h>
#include <perfcheck/runs_here.h>
#include <perfcheck/tile.cuh>

#include <cstdint>
#include <stdexcept>

namespace perfcheck {
namespace {

constexpr int kBlocks = 264, kThreads = 256;

/// Random bits; `clear` and `set` make each number of the format one between -1 and 1.
__global__ void fill(uint32_t* words, std::size_t count, uint32_t seed, uint32_t clear, uint32_t set) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    uint32_t bits = (static_cast<uint32_t>(i) + seed * 0x9E3779B9U) * 0x85EBCA6BU;
    bits = (bits ^ (bits >> 13)) * 0xC2B2AE35U;
    bits = (bits ^ (bits >> 16)) * 0x27D4EB2FU;
    words[i] = ((bits ^ (bits >> 15)) & ~clear) | set;
  }
}

struct Pattern {
  uint32_t clear = 0, set = 0;
};

/// Exponents just below that of 1, once, twice or four times to a word.
Pattern pattern_of(Element element) {
  switch (element) {
    case Element::f16: return {.clear = 0x7C007C00, .set = 0x38003800};
    case Element::bf16: return {.clear = 0x7F807F80, .set = 0x3F003F00};
    case Element::e4m3: return {.clear = 0x78787878, .set = 0x30303030};
    case Element::s8: return {};
    case Element::f32:
    case Element::tf32: return {.clear = 0x7F800000, .set = 0x3F000000};
    default: throw std::invalid_argument("no data of this format is known here");
  }
}

/// Aligned to 256 bytes, as kernels may expect of each matrix.
std::size_t matrix_bytes(Element element, int rows, int columns) {
  auto const all = static_cast<std::size_t>(bytes_of(element, int64_t{rows} * columns));
  return (all + 255) / 256 * 256;
}
std::size_t a_bytes(GemmProblem const& problem) { return matrix_bytes(problem.types.a, problem.m, problem.lda); }
std::size_t b_bytes(GemmProblem const& problem) {
  return matrix_bytes(problem.types.b, problem.b_layout == BLayout::row_major ? problem.k : problem.n, problem.ldb);
}
/// Of scale factors of A, or of B, which has so many rows or columns: as many as the finest scaling has, one for each
/// block of k.
std::size_t scale_bytes(GemmProblem const& problem, int lines) {
  if (problem.types.scaling == GemmScaling::none) return 0;
  if (scale_element(problem.types) != Element::f32) {
    throw std::invalid_argument("no scale factors of this format are known here");
  }
  return matrix_bytes(Element::f32, tiles_to_cover(problem.k, kScaledElements), lines);
}
std::size_t result_bytes(GemmProblem const& problem) { return matrix_bytes(problem.types.d, problem.m, problem.ldd); }

}  // namespace

bool takes(GemmKernel const& kernel, GemmProblem const& problem) {
  if (kernel.types != problem.types) return false;
  if (!runs_here(kernel.arch) || !lacking_feature(problem, GemmFeature::none).empty()) return false;
  return kernel.accepts == nullptr || !kernel.accepts(problem);
}

RandomInputs::RandomInputs(GemmProblem const& problem, int sets)
    : problem_(problem),
      sets_(sets),
      a_(a_bytes(problem)),
      b_(b_bytes(problem)),
      d_(result_bytes(problem)),
      a_scales_(scale_bytes(problem, problem.m)),
      b_scales_(scale_bytes(problem, problem.n)),
      inputs_(static_cast<std::size_t>(sets) * (a_ + b_)),
      scales_(static_cast<std::size_t>(sets) * (a_scales_ + b_scales_)) {
  auto const fill_buffer = [](Buffer const& buffer, Pattern const& pattern) {
    fill<<<kBlocks, kThreads>>>(static_cast<uint32_t*>(buffer.data()), buffer.bytes() / 4, 1, pattern.clear,
                                pattern.set);
    PERFCHECK_CUDA(cudaGetLastError());
  };
  fill_buffer(inputs_, pattern_of(problem.types.a));
  if (scales_.bytes() > 0) fill_buffer(scales_, {.clear = 0xFF800000, .set = 0x3F000000});
}

std::size_t RandomInputs::set_bytes(GemmProblem const& problem) {
  return a_bytes(problem) + b_bytes(problem) + result_bytes(problem);
}

GemmFullArgs RandomInputs::args(int set, void* d) const {
  auto const number = static_cast<std::size_t>(set);
  auto* const first = static_cast<unsigned char*>(inputs_.data()) + number * (a_ + b_);
  GemmFullArgs args;
  args.m = problem_.m;
  args.n = problem_.n;
  args.k = problem_.k;
  args.a = first;
  args.lda = problem_.lda;
  args.b = first + a_;
  args.ldb = problem_.ldb;
  args.b_layout = problem_.b_layout;
  args.d = d;
  args.ldd = problem_.ldd;
  args.alpha = problem_.alpha;
  if (scales_.bytes() > 0) {
    args.a_scales = static_cast<unsigned char*>(scales_.data()) + number * (a_scales_ + b_scales_);
    args.b_scales = static_cast<unsigned char const*>(args.a_scales) + a_scales_;
  }
  return args;
}

}  // namespace perfcheck
