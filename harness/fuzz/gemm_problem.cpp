// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts of GEMM problems.
#include "support/property.h"

#include <perfcheck/gemm.h>

#include <cmath>
#include <stdexcept>

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const problem =
      fuzz::accepted<std::invalid_argument>([&] { return parse_gemm_problem(fuzz::text_of(data, size)); });
  if (!problem) {
    return 0;
  }
  fuzz::require(problem->m > 0 && problem->n > 0 && problem->k > 0, "sizes are positive");
  fuzz::require(problem->lda >= problem->k && problem->ldd >= problem->n, "rows fit their leading dimension");
  fuzz::require(std::isfinite(problem->alpha) && std::isfinite(problem->beta), "factors are finite");
  fuzz::require(!(std::signbit(problem->alpha) && problem->alpha == 0), "a factor of 0 has no sign");
  std::string const text = to_text(*problem);
  fuzz::require(to_text(parse_gemm_problem(text)) == text, "a problem has one text");
  return 0;
}
