// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are wrong on purpose: each must be caught, by the check that is meant for its fault.
#include "gemm_test.h"

#include <gmock/gmock.h>

namespace perfcheck {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Matcher;
using testing::StartsWith;

struct Fault {
  char const* kernel;
  char const* problem;
  Matcher<std::string> message;
};

void PrintTo(Fault const& fault, std::ostream* out) { *out << fault.kernel << "@" << fault.problem; }

class WrongCpuKernel : public testing::TestWithParam<Fault> {};

TEST_P(WrongCpuKernel, IsCaughtWithAMessageThatSaysWhatAndWhere) {
  auto const& [kernel, text, message] = GetParam();
  auto const backend = device::make_cpu_backend();
  auto const problem = make_gemm_operation()->parse(text);
  for (std::uint64_t seed : {1U, 2U, 3U}) {
    auto const verification =
        problem->verify(*backend, registered_kernel(std::string("gemm/wrong_cpu/") + kernel), seed);
    EXPECT_FALSE(verification.passed) << seed;
    EXPECT_THAT(first_failure(verification), message) << seed;
  }
  // What the wrong kernel did to buffers and reference results must not be held against the next kernel.
  auto const after = problem->verify(*backend, registered_kernel("gemm/cpu/naive"), 3);
  EXPECT_TRUE(after.passed) << first_failure(after);
}

INSTANTIATE_TEST_SUITE_P(
    Gemm, WrongCpuKernel,
    testing::Values(
        Fault{"last_tile_unwritten", "f32,nn,m64n48k33",
              AllOf(StartsWith("exact: 256 of 3072 elements wrong, first at row 48 column 32: got the poison it held "
                               "before, expected "),
                    HasSubstr("all in rows 48-63, columns 32-47 (the last tile); never written"))},
        Fault{"last_tile_unwritten", "f32,nt,m1n1k1", HasSubstr("never written")},
        Fault{"k_step_skipped", "f32,nn,m64n64k64",
              ContainsRegex("^exact: [0-9]+ of 4096 elements wrong, first at row")},
        Fault{"k_step_skipped", "f32,nt,m3n3k500", StartsWith("exact: ")},
        Fault{"bf16_as_fp32", "f32,nn,m64n64k64", AllOf(StartsWith("signed: "), HasSubstr(" times the bound at row "))},
        Fault{"bf16_as_fp32", "f32,nn,m9n9k1000", StartsWith("signed: ")},
        Fault{"fp16_halves_as_fp32", "f32,nn,m64n64k64",
              StartsWith("range: rows of A and columns of B times powers of "
                         "two: ")},
        Fault{"fp16_halves_as_fp32", "f32,nt,m1n1k40", StartsWith("range: ")},
        Fault{"nan_row", "f32,nn,m64n64k64",
              AllOf(StartsWith("exact: 64 of 4096"), HasSubstr("all of row 32; all of them NaN"))},
        Fault{"write_past_end", "f32,nn,m64n64k64",
              AllOf(StartsWith("guard_bands: 1 element past the end of D overwritten"),
                    HasSubstr("the nearest 1 past its last element (row 63, column 63) (data of the check exact)"))},
        Fault{"write_padding", "f32,nn,m64n64k64,ldd70",
              HasSubstr("guard_bands: 63 elements of D's padding overwritten, first in row 0, 1 past its end")},
        Fault{"write_padding", "f32,nn,m64n64k64", HasSubstr("D's padding overwritten")},
        Fault{"input_modified", "f32,nn,m64n64k64",
              ContainsRegex("^inputs_untouched: 1 element of B changed, first at row 0 column 63: was -?[0-9]+, is ")},
        Fault{"input_modified", "f32,nt,m64n64k32", HasSubstr("1 element of B changed, first at row 31 column 0")},
        Fault{"unstable_result", "f32,nn,m64n64k64",
              AllOf(StartsWith("repeat: run "), HasSubstr("differs from run 1 in the bits of "))},
        Fault{"transposed_tile", "f32,nn,m64n64k64",
              AllOf(StartsWith("exact: "), HasSubstr("all in rows 0-15, columns 0-15; the block holds its transpose"))},
        Fault{"reads_c_when_beta_is_0", "f32,nn,m16n16k16",
              AllOf(StartsWith("alpha_beta: C full of NaN with beta 0: 256 of 256"), HasSubstr("all of them NaN"))}));

TEST(WrongCpuKernels, OneThatSpoilsAnInputFailsThatCheckOnlyBecauseInputsAreMadeAnew) {
  auto const backend = device::make_cpu_backend();
  auto const problem = make_gemm_operation()->parse("f32,nn,m64n64k64");
  auto const verification = problem->verify(*backend, registered_kernel("gemm/wrong_cpu/input_modified"), 1);
  for (auto const& check : verification.checks) {
    EXPECT_EQ(check.passed, check.name != "inputs_untouched") << check.name << ": " << check.detail;
  }
}

TEST(WrongCpuKernels, OneThatThrowsLetsItsExceptionThrough) {
  auto const backend = device::make_cpu_backend();
  auto const problem = make_gemm_operation()->parse("f32,nn,m8n8k8");
  EXPECT_THROW(problem->verify(*backend, registered_kernel("gemm/wrong_cpu/throws"), 1), std::runtime_error);
  EXPECT_TRUE(problem->verify(*backend, registered_kernel("gemm/cpu/naive"), 1).passed);
}

TEST(WrongCpuKernels, OneThatWantsTooMuchMemoryIsAnOrderlyFailure) {
  auto const backend = device::make_cpu_backend();
  auto const problem = make_gemm_operation()->parse("f32,nn,m8n8k8");
  EXPECT_THROW(problem->verify(*backend, registered_kernel("gemm/wrong_cpu/exhausts_memory"), 1), device::OutOfMemory);
  EXPECT_TRUE(problem->verify(*backend, registered_kernel("gemm/cpu/simd"), 1).passed);
}

}  // namespace
}  // namespace perfcheck
