// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       groups without rows are not counted, so that the groups behind them use an earlier B.
// Caught by   exact data.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t group, int row, int column) const {
    int32_t const* const offsets = gemm.args.group_offsets;
    int64_t counted = 0;
    for (int64_t before = 0; before < group; ++before) counted += offsets[before] < offsets[before + 1] ? 1 : 0;
    float sum = 0;
    for (int k = 0; k < gemm.args.k; ++k) sum += gemm.a(0, row, k) * gemm.b(counted, k, column);
    return sum;
  }
};

void launch(GemmFullArgs const& args) { plain::launch<GemmTypes::f16>(args, WrongSum{}); }

}  // namespace

PERFCHECK_GEMM_KERNEL(group_empty_shifts_next, .summary = "wrong: an empty group shifts those behind it",
                      .types = GemmTypes::f16, .features = GemmFeature::groups, .launch_full = launch);
