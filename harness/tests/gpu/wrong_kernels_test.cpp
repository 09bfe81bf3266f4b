// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are wrong on purpose: each must be caught, with a message that says what is wrong and where.
#include "gpu_test.h"

#include <gmock/gmock.h>

#include <ostream>

namespace perfcheck {
namespace {

using model::CaseStatus;
using testing::AllOf;
using testing::HasSubstr;

struct Fault {
  char const* kernel;
  char const* types;
  CaseStatus status;
  char const* says;  ///< words that the message must contain
};

/// For ctest's names.
void PrintTo(Fault const& fault, std::ostream* out) { *out << fault.kernel; }

constexpr Fault kFaults[] = {
    {"last_tile_unwritten", "f32", CaseStatus::incorrect, "never written"},
    {"k_step_skipped", "f32", CaseStatus::incorrect, "exact"},
    {"fp16_accumulate", "f16.f32", CaseStatus::incorrect, ""},
    {"tf32_as_fp32", "f32", CaseStatus::incorrect, ""},
    {"nan_row", "f32", CaseStatus::incorrect, "row"},
    {"write_past_end", "f32", CaseStatus::incorrect, "guard_bands"},
    {"write_padding", "f32", CaseStatus::incorrect, "guard_bands"},
    {"input_modified", "f32", CaseStatus::incorrect, "inputs_untouched"},
    {"unstable_result", "f32", CaseStatus::incorrect, "repeat"},
    {"transposed_tile", "f32", CaseStatus::incorrect, "exact"},
    {"traps", "f32", CaseStatus::crashed, ""},
    {"illegal_address", "f32", CaseStatus::crashed, "illegal"},
    {"bad_launch", "f32", CaseStatus::failed, "invalid"},
};

class WrongKernel : public testing::TestWithParam<Fault> {};

TEST_P(WrongKernel, IsCaughtAndGetsNoTime) {
  PERFCHECK_NEEDS_GPU();
  Fault const& fault = GetParam();
  for (char const* shape : {"nn,m256n256k256", "nt,m300n200k333", "nn,m1024n1024k1024"}) {
    session::WorkerClient worker(worker_command(PERFCHECK_WRONG_WORKER), nullptr);
    std::string const id = std::string("gemm/wrong/") + fault.kernel + "@" + fault.types + "," + shape;
    auto const answer = worker.measure({.case_id = id, .options = {}}, 60);
    EXPECT_EQ(answer.result.status, fault.status) << id << ": " << answer.result.message;
    EXPECT_THAT(answer.result.message, HasSubstr(fault.says)) << id;
    EXPECT_FALSE(answer.result.rounds.has_value()) << id;
    EXPECT_EQ(answer.context_lost, fault.status == CaseStatus::crashed) << id;
    std::printf("  %s: %s: %s\n", id.c_str(), std::string(to_text(answer.result.status)).c_str(),
                answer.result.message.c_str());
  }
}

INSTANTIATE_TEST_SUITE_P(Gemm, WrongKernel, testing::ValuesIn(kFaults),
                         [](auto const& fault) { return std::string(fault.param.kernel); });

struct TypedFault {
  char const* problem;
  char const* says;
};

TEST(WrongKernel, OfAnyTypesIsCaughtByTheCheckThatIsMeantForItsFault) {
  PERFCHECK_NEEDS_GPU();
  session::WorkerClient worker(worker_command(PERFCHECK_WRONG_WORKER), nullptr);
  for (auto const& [id, says] : {
           TypedFault{"s8_sum_saturates@s8.s32,nt,m256n256k256", "exact: "},
           {"s8_sum_in_single@s8.s32,nn,m128n96k4000", "positive: "},
           {"e4m3_toward_zero@e4m3.f32,nt,m128n128k256", "exact: "},
           {"scale_of_next_block@e4m3.f32.bf16,scale128,nt,m300n200k333", "exact: "},
           {"scale_of_next_block@e4m3.f32.bf16,scale128,nt,m1024n1024k1024", "exact: "},
           {"group_ends_early@f16*s4g128.f32,nt,m64n256k512", "exact: "},
           {"group_ends_early@f16*s4g128.f32,nn,m33n130k257", "exact: "},
           {"batch_neighbours_b@f16.f32,nn,m64n64k64,batch7", "exact: "},
           {"group_boundary_off_by_one@f16.f32,nt,m300n130k64,groups32+0+268", "exact: "},
           {"group_boundary_off_by_one@f16.f32,nn,m1024n512k512,groups1023+1", "exact: "},
           {"group_empty_shifts_next@f16.f32,nt,m300n130k64,groups100+0+200", "exact: "},
           {"pointers_out_of_order@f16.f32,nn,m64n64k64,batch7,pointers", "exact: "},
           {"sparse_indices_exchanged@f16.f32,nn,m64n64k64,sparse24", "exact: "},
           {"sparse_indices_exchanged@f16.f32,nt,m1024n512k1024,sparse24", "exact: "},
           {"bias_by_row@f16.f32,nt,m256n128k64,bias,gelu", "exact: "},
       }) {
    auto const result =
        worker.measure({.case_id = std::string("gemm/wrong/") + id, .options = {.verify_only = true}}, 60).result;
    EXPECT_EQ(result.status, CaseStatus::incorrect) << id << ": " << result.message;
    EXPECT_THAT(result.message, testing::HasSubstr(says)) << id;
  }
}

TEST(WrongKernel, OneThatNeverReturnsIsKilledByTheWatchdog) {
  PERFCHECK_NEEDS_GPU();
  session::WorkerClient worker(worker_command(PERFCHECK_WRONG_WORKER), nullptr);
  try {
    (void)worker.measure({.case_id = "gemm/wrong/never_returns@f32,nn,m64n64k64", .options = {}}, 5);
    FAIL() << "the kernel returned";
  } catch (session::WorkerLost const& lost) {
    EXPECT_EQ(lost.how(), session::WorkerLost::How::timed_out);
  }
}

}  // namespace
}  // namespace perfcheck
