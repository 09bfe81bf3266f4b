// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The kit on a CUDA device: references computed by warps, outputs read by a kernel that has the device to itself.
#include "gpu_test.h"
#include "kit_test.h"
#include "timed_replay.h"

namespace perfcheck {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CudaKit : public testing::Test {
 protected:
  void SetUp() override {
    PERFCHECK_NEEDS_GPU();
    backend_ = device::make_cuda_backend(0);
  }

  worker::Problem& problem(std::string const& text) {
    auto const make = [](device::Backend& backend) { return verify::make_cuda_engine(backend); };
    bool const softmax = text.starts_with("softmax:");
    operation_ = softmax ? perfcheck_make_operation_of_perfcheck_softmax(make)
                         : perfcheck_make_operation_of_perfcheck_turned(make);
    problem_ = operation_->parse(text.substr(text.find(':') + 1));
    return *problem_;
  }
  std::unique_ptr<device::Backend> backend_;
  std::unique_ptr<worker::Operation> operation_;
  std::unique_ptr<worker::Problem> problem_;
};

struct Case {
  char const* kernel;
  char const* problem;
};

TEST_F(CudaKit, RightKernelsAreVerifiedAndTheirTimedOutputsAreRight) {
  for (auto const& [kernel, text] :
       {Case{"softmax/cuda/warp_per_row", "softmax:f32,r1c1"},
        Case{"softmax/cuda/warp_per_row", "softmax:f32,r61c1027"},
        Case{"softmax/cuda/block_per_row", "softmax:f32,r300c4099"},
        Case{"softmax/cuda/block_per_row", "softmax:f32,r33c259"},
        Case{"softmax/cuda/warp_per_row_f16", "softmax:f16,r61c1027"},
        Case{"softmax/cuda/block_per_row_f16", "softmax:f16,r64c4096,hot"}, Case{"kit/cuda/plain", "turned:f32,r33c70"},
        Case{"kit/cuda/plain_s8", "turned:s8,r33c70"}}) {
    auto& problem = this->problem(text);
    auto const verification = problem.verify(*backend_, registered_kernel(kernel), 3);
    EXPECT_TRUE(verification.passed) << kernel << "@" << text << ": " << first_failure(verification);
    auto const timed = problem.prepare(*backend_, registered_kernel(kernel));
    ASSERT_GE(timed->sets(), 5);
    for (std::uint64_t secret = 1; secret < 4; ++secret) {
      EXPECT_EQ(replay(*timed, 5, secret), "") << kernel << "@" << text;
      EXPECT_GT(timed->hand_over().seized_ns, timed->hand_over().renewed_ns);
      EXPECT_EQ(timed->changed_inputs(5, secret), "");
    }
  }
}

TEST_F(CudaKit, ALaunchThatWasLeftOutIsFoundWhereverItIs) {
  auto const timed =
      problem("softmax:f16,r61c1027").prepare(*backend_, registered_kernel("softmax/cuda/block_per_row_f16"));
  for (int const set : {0, 2, 4}) {
    EXPECT_THAT(replay(*timed, 5, 7, {set}),
                AllOf(HasSubstr("buffers " + std::to_string(set + 1) + " of 5: "), HasSubstr("never written")));
  }
}

TEST_F(CudaKit, OneElementThatIsMissingIsFound) {
  auto const& kernel = registered_kernel("kit/cuda/last_element_left_out");
  auto& problem = this->problem("turned:f32,r33c70");
  EXPECT_THAT(first_failure(problem.verify(*backend_, kernel, 3)),
              HasSubstr("exact: 1 of 2310 elements wrong, first at row 32 column 69"));
  EXPECT_THAT(replay(*problem.prepare(*backend_, kernel), 5, 5),
              HasSubstr("buffers 1 of 5: 1 of 2310 elements wrong, first at row 32 column 69"));
}

TEST_F(CudaKit, ASealedOutputIsProven) {
  auto& problem = this->problem("softmax:f32,r61c1027");
  auto const sealed = problem.prepare_sealed(*backend_, &registered_kernel("softmax/cuda/warp_per_row"));
  auto const proof = problem.prove_sealed(*backend_);
  auto const output = backend_->allocate(proof->output_bytes());
  auto const secrets = backend_->allocate(sizeof(std::uint64_t));
  std::uint64_t const secret = 11;
  backend_->copy_to_device(secrets.data(), &secret, sizeof secret);
  sealed->renew_from(0, static_cast<std::uint64_t const*>(secrets.data()));
  sealed->launch(0, output.data());
  EXPECT_EQ(proof->finding(output.data(), secret, 9), "");
  EXPECT_THAT(proof->finding(output.data(), secret + 1, 9), HasSubstr("elements wrong"));
}

}  // namespace
}  // namespace perfcheck
