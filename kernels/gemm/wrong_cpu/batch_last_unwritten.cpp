// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the last matrix of a batch is left out.
// Caught by   poison that is still in D.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  for (int matrix = 0; matrix + (args.batch > 1 ? 1 : 0) < args.batch; ++matrix) {
    for (int row = 0; row < args.m; ++row) {
      for (int column = 0; column < args.n; ++column) {
        gemm.store_d(matrix, row, column, gemm.finished(matrix, row, column, gemm.sum(matrix, row, column, 0, args.k)));
      }
    }
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(batch_last_unwritten, .summary = "wrong: leaves out the last matrix", .types = GemmTypes::f16,
                      .features = GemmFeature::batch, .launch_full = launch);
