// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       the array of pointers to B's matrices is read from the end.
// Caught by   exact data.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t matrix, int row, int column) const {
    float sum = 0;
    for (int k = 0; k < gemm.args.k; ++k) {
      sum += gemm.a(matrix, row, k) * gemm.b(gemm.args.batch - 1 - matrix, k, column);
    }
    return sum;
  }
};

void launch(GemmFullArgs const& args) { plain::launch<GemmTypes::f16>(args, WrongSum{}); }

}  // namespace

PERFCHECK_GEMM_KERNEL(pointers_out_of_order, .summary = "wrong: takes B's pointers from the end",
                      .types = GemmTypes::f16, .features = GemmFeature::pointers, .launch_full = launch);
