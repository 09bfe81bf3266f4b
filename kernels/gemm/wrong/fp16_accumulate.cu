// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       sums are kept in FP16 although the types promise FP32 accumulation.
// Caught by   real data of one sign, where the sums outgrow the precision of FP16; also exact data once sums pass 2048.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void __launch_bounds__(kTile* kTile) fp16_accumulate(GemmArgs args) {
  Position const at = own_position(args);
  if (!at.inside) return;
  __half sum = __float2half_rn(0.0F);
  for (int k = 0; k < args.k; ++k) {
    sum = __hfma(a_element<__half>(args, at.row, k), b_element<__half>(args, k, at.column), sum);
  }
  store_sum<__half>(args, at.row, at.column, __half2float(sum));
}

void launch(GemmArgs const& args) { launch_over_tiles(fp16_accumulate, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(fp16_accumulate, .summary = "wrong: accumulates in FP16", .types = GemmTypes::f16,
                      .arch = any_arch(), .launch = launch);
