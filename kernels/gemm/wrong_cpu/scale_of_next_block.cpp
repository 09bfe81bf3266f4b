// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       each block of k is scaled by the factor of A that belongs to the next block.
// Caught by   exact data, whose factors are 1 or 2.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::e4m3_f32_bf16.scaled(GemmScaling::blocks)};
  int const blocks = (args.k + kScaledElements - 1) / kScaledElements;
  gemm.write_d([&](int matrix, int row, int column) {
    double total = 0;
    for (int block = 0; block < blocks; ++block) {
      int const first = block * kScaledElements, last = std::min(first + kScaledElements, args.k);
      total += gemm.sum(matrix, row, column, first, last) * gemm.a_scale(row, (block + 1) % blocks) *
               gemm.b_scale(block, column);
    }
    return total;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(scale_of_next_block, .summary = "wrong: takes the factors of the neighbour's block",
                      .types = GemmTypes::e4m3_f32_bf16.scaled(GemmScaling::blocks), .launch_full = launch);
