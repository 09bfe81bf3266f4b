// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       each block of k is scaled by the factor of A that belongs to the next block.
// Caught by   exact data, whose factors are 1 or 2.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t matrix, int row, int column) const {
    int const k_end = gemm.args.k, blocks = (k_end + kScaledElements - 1) / kScaledElements;
    float total = 0;
    for (int block = 0; block < blocks; ++block) {
      int const first = block * kScaledElements, last = min(first + kScaledElements, k_end);
      total += gemm.sum(matrix, row, column, first, last) * gemm.a_scale(row, (block + 1) % blocks) *
               gemm.b_scale(block, column);
    }
    return total;
  }
};

void launch(GemmFullArgs const& args) {
  plain::launch<GemmTypes::e4m3_f32_bf16.scaled(GemmScaling::blocks)>(args, WrongSum{});
}

}  // namespace

PERFCHECK_GEMM_KERNEL(scale_of_next_block, .summary = "wrong: takes the factors of the neighbour's block",
                      .types = GemmTypes::e4m3_f32_bf16.scaled(GemmScaling::blocks), .launch_full = launch);
