// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The real judge on a GPU: the sealed times of honest kernels support the ordinary ones; those of programs that rewrite
// their own process do not.
#include "perfcheck/session/sealed_client.h"
#include "perfcheck/session/sealed_objection.h"

#include "exploit_test.h"
#include "gpu_test.h"

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

/// Times a case in a session and then with a judge; returns the objection, which is empty if they agree on a time.
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
  for (char const* kernel : {"gemm/simt/warp_tile", "gemm/simt/split_k", "gemm/cublas/f32"}) {
    EXPECT_EQ(objection_to("perfcheck-gemm", std::string(kernel) + "@" + kProblem), "") << kernel;
  }
}

TEST(CudaJudge, SupportsTheTimesOfHonestKernelsThatLookSuspicious) {
  PERFCHECK_NEEDS_GPU();
  std::string const program = "perfcheck-gemm-exploits", problem = "f32,nn,m512n512k512";
  auto const kernels = kernels_of(worker_command(program), "exploits/honest_cuda/", problem);
  EXPECT_GE(kernels.size(), 13U);
  for (auto const& [kernel, refusal] : kernels) {
    EXPECT_EQ(refusal, "") << kernel;
    EXPECT_EQ(objection_to(program, kernel + "@" + problem), "") << kernel;
  }
  for (char const* suspicious : {"@f32,nn,m512n512k512,hot", "@f32,nn,m512n512k1"}) {
    EXPECT_EQ(objection_to("perfcheck-gemm", std::string("gemm/simt/warp_tile") + suspicious), "") << suspicious;
  }
}

TEST(CudaJudge, FindsKernelsThatLeaveWorkOut) {
  PERFCHECK_NEEDS_GPU();
  for (char const* kernel : {"cuda/one_in_j_skipped", "cuda/skip_at_random", "cuda/kept_elsewhere_by_pointer"}) {
    auto const result = judge("perfcheck-gemm-exploits", std::string("exploits/") + kernel + "@f32,nn,m512n512k512");
    EXPECT_NE(result.status, SealedStatus::timed) << kernel;
    EXPECT_THAT(result.message, HasSubstr("launch ")) << kernel;
  }
}

/// Programs that rewrite their own process (docs/trust.md). Some tricks only affect the CPU's clock: on a GPU these
/// programs get the time of their work, and a judge supports it.
struct HostTrick {
  char const* name;
  bool lies;
};
void PrintTo(HostTrick const& trick, std::ostream* out) { *out << trick.name; }

constexpr HostTrick kHost[] = {{"clock_interposed", false},    {"clock_samples_forged", false},
                               {"elapsed_time_patched", true}, {"forged_result", true},
                               {"judge_attacked", true},       {"rivals_slowed", true},
                               {"stdout_filter", true},        {"times_in_heap", false}};

class HostExploit : public testing::TestWithParam<HostTrick> {};

TEST_P(HostExploit, HasNoFalseTimeThatAJudgeSupports) {
  PERFCHECK_NEEDS_GPU();
  auto const [name, lies] = GetParam();
  auto const objection =
      objection_to(std::string("perfcheck-gemm-host-") + name, std::string("exploits/host/") + name + "@" + kProblem);
  EXPECT_EQ(objection.empty(), !lies) << objection;
  std::printf("  %s: %s\n", name, objection.empty() ? "its time is true" : objection.substr(0, 300).c_str());
}

INSTANTIATE_TEST_SUITE_P(Gemm, HostExploit, testing::ValuesIn(kHost),
                         [](auto const& trick) { return std::string(trick.param.name); });

}  // namespace
}  // namespace perfcheck::exploits
