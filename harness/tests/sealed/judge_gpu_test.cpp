// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The real judge on a GPU: honest kernels have a sealed time that supports the ordinary one, and programs that rewrite
// their own process have none.
#include "perfcheck/session/sealed_client.h"
#include "perfcheck/session/sealed_objection.h"

#include "exploit_test.h"
#include "gpu_test.h"

#include <filesystem>

namespace perfcheck::exploits {
namespace {

using model::SealedStatus;
using testing::HasSubstr;

constexpr char const* kProblem = "f32,nn,m1024n1024k1024";

std::string beside(std::string const& name) { return worker_command(name).argv.front(); }

model::SealedResult judge(std::string const& program, std::string const& id, int batches = 3) {
  return session::time_sealed(
      {.judge = beside("perfcheck-gemm-judge"), .program = beside(program), .device = 0, .batches = batches}, id, 180,
      nullptr);
}

/// What a session, and then a judge, say of a case: empty when the two agree on a time.
std::string objection_to(std::string const& program, std::string const& id) {
  model::CaseResult ordinary;
  ordinary.id = id;
  try {
    session::WorkerClient worker(worker_command(program), nullptr);
    ordinary = worker.measure({.case_id = id, .options = quick_options()}, 60).result;
  } catch (session::WorkerLost const& lost) {
    return std::string("lost: ") + lost.what();
  } catch (session::WorkerRefused const& refused) {
    return std::string("refused: ") + refused.what();
  }
  if (ordinary.status != model::CaseStatus::measured) return ordinary.message;
  return session::objection_of(ordinary, judge(program, id));
}

TEST(CudaJudge, SupportsTheTimesOfHonestKernels) {
  PERFCHECK_NEEDS_GPU();
  for (char const* kernel : {"gemm/simt/warp_tile", "gemm/simt/split_k", "gemm/library/cublas_f32"}) {
    EXPECT_EQ(objection_to("perfcheck-gemm", std::string(kernel) + "@" + kProblem), "") << kernel;
  }
}

TEST(CudaJudge, FindsKernelsThatLeaveWorkOut) {
  PERFCHECK_NEEDS_GPU();
  for (char const* kernel : {"cuda/one_in_j_skipped", "cuda/skip_at_random", "cuda/kept_elsewhere_by_pointer"}) {
    auto const result = judge("perfcheck-gemm-exploits", std::string("exploits/") + kernel + "@f32,nn,m512n512k512");
    EXPECT_EQ(result.status, SealedStatus::incorrect) << kernel << ": " << result.message;
    EXPECT_THAT(result.message, HasSubstr("launch ")) << kernel;
  }
}

/// Programs that a process of its own is needed for (docs/trust.md).
constexpr char const* kHost[] = {"clock_interposed", "clock_samples_forged", "elapsed_time_patched", "forged_result",
                                 "judge_attacked",   "rivals_slowed",        "stdout_filter",        "times_in_heap"};

class HostExploit : public testing::TestWithParam<char const*> {};

TEST_P(HostExploit, HasNoTimeThatAJudgeSupports) {
  PERFCHECK_NEEDS_GPU();
  std::string const program = std::string("perfcheck-gemm-host-") + GetParam();
  if (!std::filesystem::exists(beside(program))) GTEST_SKIP() << program << " was not built";
  auto const objection = objection_to(program, std::string("exploits/host/") + GetParam() + "@" + kProblem);
  EXPECT_NE(objection, "");
  std::printf("  %s: %s\n", GetParam(), objection.substr(0, 300).c_str());
}

INSTANTIATE_TEST_SUITE_P(Gemm, HostExploit, testing::ValuesIn(kHost), [](auto const& name) { return name.param; });

}  // namespace
}  // namespace perfcheck::exploits
