// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       the indices of the two kept elements of each four columns are exchanged.
// Caught by   exact data.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t /*matrix*/, int row, int column) const {
    float sum = 0;
    for (int k = 0; k < gemm.args.k; ++k) {
      int const place = gemm.kept(row, k);
      sum += gemm.a_kept(row, k, place < 0 ? place : 1 - place) * gemm.b(0, k, column);
    }
    return sum;
  }
};

void launch(GemmFullArgs const& args) { plain::launch<GemmTypes::f16>(args, WrongSum{}); }

}  // namespace

PERFCHECK_GEMM_KERNEL(sparse_indices_exchanged, .summary = "wrong: exchanges the indices of two elements",
                      .types = GemmTypes::f16, .features = GemmFeature::sparse24, .launch_full = launch);
