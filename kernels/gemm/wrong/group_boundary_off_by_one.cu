// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       the last row of each group is multiplied with the B of the next group.
// Caught by   exact data.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t group, int row, int column) const {
    bool const next = row == gemm.args.group_offsets[group + 1] - 1 && group + 1 < gemm.args.groups;
    float sum = 0;
    for (int k = 0; k < gemm.args.k; ++k) sum += gemm.a(0, row, k) * gemm.b(next ? group + 1 : group, k, column);
    return sum;
  }
};

void launch(GemmFullArgs const& args) { plain::launch<GemmTypes::f16>(args, WrongSum{}); }

}  // namespace

PERFCHECK_GEMM_KERNEL(group_boundary_off_by_one, .summary = "wrong: groups end a row too early",
                      .types = GemmTypes::f16, .features = GemmFeature::groups, .launch_full = launch);
