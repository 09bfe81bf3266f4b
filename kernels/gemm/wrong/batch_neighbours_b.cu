// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       every second matrix of a batch is multiplied with the B of the one before it.
// Caught by   exact data.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t matrix, int row, int column) const {
    float sum = 0;
    for (int k = 0; k < gemm.args.k; ++k) sum += gemm.a(matrix, row, k) * gemm.b(matrix / 2 * 2, k, column);
    return sum;
  }
};

void launch(GemmFullArgs const& args) { plain::launch<GemmTypes::f16>(args, WrongSum{}); }

}  // namespace

PERFCHECK_GEMM_KERNEL(batch_neighbours_b, .summary = "wrong: takes a neighbour's B", .types = GemmTypes::f16,
                      .features = GemmFeature::batch, .launch_full = launch);
