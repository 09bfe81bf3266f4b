// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32 on one CPU core.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              The library that others are measured against: OpenBLAS, limited to one thread.
// Previous step     simd: hand-written assembly for each family of CPUs.
// Tile, memory      The library's own.
// Requires          Leading dimensions that fit in OpenBLAS's int.
// Limits            The library updates C in place, so C is copied to D first.
#include <perfcheck/gemm.h>

#include <cblas.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  openblas_set_num_threads(1);
  auto* const d = static_cast<float*>(args.d);
  if (args.beta != 0.0F) {
    for (int row = 0; row < args.m; ++row) {
      std::copy_n(static_cast<float const*>(args.c) + row * args.ldd, args.n, d + row * args.ldd);
    }
  }
  cblas_sgemm(CblasRowMajor, CblasNoTrans, args.b_layout == BLayout::column_major ? CblasTrans : CblasNoTrans, args.m,
              args.n, args.k, args.alpha, static_cast<float const*>(args.a), static_cast<blasint>(args.lda),
              static_cast<float const*>(args.b), static_cast<blasint>(args.ldb), args.beta, d,
              static_cast<blasint>(args.ldd));
}

/// The second word of a text such as "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH Haswell MAX_THREADS=64".
std::string version() {
  std::istringstream words(openblas_get_config());
  std::string word;
  words >> word >> word;
  return word;
}

constexpr LibraryInfo kOpenBlas{.name = "OpenBLAS", .version = version};

}  // namespace

PERFCHECK_GEMM_KERNEL(openblas, .summary = "cblas_sgemm of OpenBLAS on one thread: the reference",
                      .types = GemmTypes::f32, .library = &kOpenBlas, .reference = true, .launch = launch);
