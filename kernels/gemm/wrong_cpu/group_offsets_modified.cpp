// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       results are right, but a group offset is incremented, as if it were the position of a queue of tiles.
// Caught by   comparing the offsets after the launch with those before.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  gemm.write_d([&](int group, int row, int column) { return gemm.scaled_sum(group, row, column); });
  if (args.group_offsets != nullptr) const_cast<std::int32_t*>(args.group_offsets)[1] += 1;
}

}  // namespace

PERFCHECK_GEMM_KERNEL(group_offsets_modified, .summary = "wrong: writes to the group offsets", .types = GemmTypes::f16,
                      .features = GemmFeature::groups, .launch_full = launch);
