// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       A and B are rounded to TF32 although the types promise FP32 products.
// Caught by   the tight bound on real data. Small integers are exact in TF32, so exact data cannot catch it.
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm80.cuh>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void __launch_bounds__(kTile* kTile) tf32_as_fp32(GemmArgs args) {
  Position const at = own_position(args);
  if (!at.inside) return;
  float sum = 0.0F;
  for (int k = 0; k < args.k; ++k) {
    float const a = __uint_as_float(ptx::cvt_rna_tf32(a_element<float>(args, at.row, k)));
    float const b = __uint_as_float(ptx::cvt_rna_tf32(b_element<float>(args, k, at.column)));
    sum = fmaf(a, b, sum);
  }
  store_sum<float>(args, at.row, at.column, sum);
}

void launch(GemmArgs const& args) { launch_over_tiles(tf32_as_fp32, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(tf32_as_fp32, .summary = "wrong: rounds A and B to TF32", .types = GemmTypes::f32,
                      .arch = arch_at_least(8, 0), .launch = launch);
