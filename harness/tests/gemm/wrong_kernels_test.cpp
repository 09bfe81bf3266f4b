// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are wrong on purpose: each must be caught by the check that is meant for its fault.
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

/// The naive kernel of the problem's types.
KernelInfo const& naive_kernel(worker::Problem const& problem) {
  for (auto const* kernel = KernelRegistration::first(); kernel != nullptr; kernel = kernel->next()) {
    KernelInfo const& info = kernel->info();
    if (info.id().starts_with("gemm/cpu/naive") && problem.concerns(info)) return info;
  }
  throw std::out_of_range("no naive kernel for " + problem.text());
}

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
  // What the wrong kernel did to buffers and reference results must not affect the next kernel.
  auto const after = problem->verify(*backend, naive_kernel(*problem), 3);
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

INSTANTIATE_TEST_SUITE_P(
    Types, WrongCpuKernel,
    testing::Values(
        Fault{"s8_sum_saturates", "s8.s32,nt,m32n32k64", StartsWith("exact: ")},
        Fault{"s8_sum_in_single", "s8.s32,nn,m16n16k4000", StartsWith("positive: ")},
        Fault{"e4m3_toward_zero", "e4m3.f32,nt,m32n32k64", StartsWith("exact: ")},
        Fault{"scale_of_next_block", "e4m3.f32.bf16,scale128,nt,m32n32k300", StartsWith("exact: ")},
        Fault{"scale_of_next_block", "e4m3.f32.bf16,scale128,nn,m5n7k129", StartsWith("exact: ")},
        Fault{"group_ends_early", "f16*s4g128.f32,nt,m32n32k256", StartsWith("exact: ")},
        Fault{"group_ends_early", "f16*s4g128.f32,nn,m16n32k130", StartsWith("exact: ")},
        Fault{"s4_halves_swapped", "f16*s4g128.f32,nt,m16n16k64", StartsWith("exact: ")},
        Fault{"s4_halves_swapped", "f16*s4g128.f32,nn,m16n16k64", StartsWith("exact: ")},
        Fault{"batch_neighbours_b", "f16.f32,nn,m16n16k32,batch4", StartsWith("exact: ")},
        Fault{"batch_neighbours_b", "f16.f32,nt,m3n5k7,batch2", StartsWith("exact: ")},
        Fault{"batch_last_unwritten", "f16.f32,nt,m16n16k32,batch3",
              AllOf(StartsWith("exact: 256 of 768"), HasSubstr("all of rows 32-47; never written"))},
        Fault{"group_boundary_off_by_one", "f16.f32,nn,m48n16k32,groups20+28",
              AllOf(StartsWith("exact: "), HasSubstr("all of row 19"),
                    HasSubstr("; row 19 is the last of group 0, which has rows 0-19"))},
        Fault{"group_boundary_off_by_one", "f16.f32,nt,m48n16k32,groups0+1+47,gelu",
              AllOf(StartsWith("exact: "), HasSubstr("; row 0 is all of group 1, which has rows 0-0"))},
        Fault{"group_empty_shifts_next", "f16.f32,nt,m48n16k32,groups16+0+32",
              AllOf(StartsWith("exact: "), HasSubstr("all in rows 16-47"),
                    HasSubstr("; row 16 is the first of group 2, which has rows 16-47"))},
        Fault{"group_empty_shifts_next", "f16.f32,nn,m3n5k7,groups0+3", StartsWith("exact: ")},
        Fault{"group_offsets_modified", "f16.f32,nt,m16n16k32,groups9+7",
              StartsWith("inputs_untouched: the group offsets changed, first number 1: was 9, is 10 (data of "
                         "the check exact)")},
        Fault{"pointers_out_of_order", "f16.f32,nn,m16n16k32,batch4,pointers", StartsWith("exact: ")},
        Fault{"pointers_out_of_order", "f16.f32,nt,m3n5k7,batch2,pointers", StartsWith("exact: ")},
        Fault{"pointers_as_strides", "f16.f32,nt,m8n8k8,batch4,pointers", StartsWith("exact: ")},
        Fault{"pointers_as_strides", "f16.f32,nt,m8n8k8,batch2,pointers", StartsWith("exact: ")},
        Fault{"pointers_modified", "f16.f32,nt,m8n8k8,batch4,pointers",
              StartsWith("inputs_untouched: the array of pointers for B changed, first number 2 (data of the "
                         "check exact)")},
        Fault{"sparse_indices_exchanged", "f16.f32,nt,m16n16k32,sparse24", StartsWith("exact: ")},
        Fault{"sparse_indices_exchanged", "f16.f32,nn,m3n5k8,sparse24", StartsWith("exact: ")},
        Fault{"sparse_halves_exchanged", "f16.f32,nt,m16n16k32,sparse24", StartsWith("exact: ")},
        Fault{"sparse_indices_modified", "f16.f32,nt,m16n16k32,sparse24",
              StartsWith("inputs_untouched: 1 byte of the indices of A changed (data of the check exact)")},
        Fault{"bias_by_row", "f16.f32,nn,m16n16k32,bias,gelu", StartsWith("exact: ")},
        Fault{"bias_by_row", "f16.f32,nt,m16n48k32,bias", StartsWith("exact: ")},
        Fault{"bias_behind_gelu", "f16.f32,nn,m16n16k32,bias,gelu", StartsWith("exact: ")},
        Fault{"gelu_left_out", "f16.f32,nn,m16n16k32,gelu", StartsWith("exact: ")},
        Fault{"residual_in_front", "bf16.f32,nt,m16n16k32,silu,residual", StartsWith("exact: ")},
        Fault{"f64_sums_in_single", "f64,nn,m16n16k32", StartsWith("exact: ")},
        Fault{"f64_inputs_in_single", "f64,nt,m16n16k32", StartsWith("signed: ")}));

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
