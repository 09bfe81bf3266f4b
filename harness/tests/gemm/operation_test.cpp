// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm_test.h"

#include <gmock/gmock.h>

namespace perfcheck {
namespace {

class GemmOperation : public testing::Test {
 protected:
  std::unique_ptr<worker::Problem> parse(char const* text) { return operation_->parse(text); }

  std::unique_ptr<worker::Operation> operation_ = make_gemm_operation();
};

TEST_F(GemmOperation, CountsWorkAndTheLeastTrafficThereCanBe) {
  EXPECT_EQ(operation_->name(), "gemm");
  auto const plain = parse("f32,nn,m10n20k30,lda40")->work();
  EXPECT_EQ(plain.flop, 2.0 * 10 * 20 * 30);
  EXPECT_EQ(plain.bytes, 4.0 * (10 * 30 + 30 * 20 + 10 * 20));
  EXPECT_EQ(parse("f16.f32,nn,m10n20k30,beta1")->work().bytes, 2.0 * (10 * 30 + 30 * 20 + 2 * 10 * 20));
  EXPECT_EQ(parse("f32,nn,m1048576n1048576k1048576")->work().flop, std::ldexp(1.0, 61));
}

TEST_F(GemmOperation, TellsTheAxesThatTextsOfEarlierRunsAreMigratedTo) {
  for (char const* text : {"f32,nn,m8n9k10", "tf32,nt,m64n64k64", "f16.f32,nn,m8n9k10,hot", "bf16.f32,nt,m1048576n1k1",
                           "f32,nt,m8n9k10,lda11,ldb12,ldd13,alpha-2,beta0.5,hot"}) {
    EXPECT_EQ(parse(text)->axes(), model::migrated_axes("gemm", text)) << text;
  }
}

TEST_F(GemmOperation, TellsEachPartOfAProblemAsAnAxis) {
  std::vector<model::Axis> const axes = {{"types", "f16.f32"},
                                         {"layout", "nt"},
                                         {"m", 8},
                                         {"n", 16},
                                         {"k", 32},
                                         {"batch", 4},
                                         {"bias", "bias"},
                                         {"activation", "gelu"},
                                         {"residual", "residual"},
                                         {"cache", "hot"}};
  EXPECT_EQ(parse("f16.f32,nt,m8n16k32,batch4,bias,gelu,residual,hot")->axes(), axes);
  auto const grouped = parse("f16.f32,nt,m8n16k32,groups0+5+3,bias")->axes();
  EXPECT_EQ(grouped[5], (model::Axis{"groups", 3}));
  EXPECT_EQ(grouped[6], (model::Axis{"group_rows", "0+5+3"}));
  auto const sparse = parse("f16.f32,nt,m8n16k32,sparse24")->axes();
  ASSERT_EQ(sparse.size(), 6U);
  EXPECT_EQ(sparse[5], (model::Axis{"sparsity", "2:4"}));
  auto const pointed = parse("f16.f32,nt,m8n16k32,batch4,pointers")->axes();
  EXPECT_EQ(pointed[6], (model::Axis{"batch_mode", "pointers"}));
  EXPECT_EQ(parse("e4m3.f32.bf16,scale128,nt,m8n16k32")->axes().front(),
            (model::Axis{"types", "e4m3.f32.bf16,scale128"}));
}

TEST_F(GemmOperation, NamesTheArithmetic) {
  EXPECT_EQ(parse("f32,nn,m1n1k1")->arithmetic(), "f32");
  EXPECT_EQ(parse("tf32,nn,m1n1k1")->arithmetic(), "tf32");
  EXPECT_EQ(parse("f16.f32,nn,m1n1k1")->arithmetic(), "f16");
  EXPECT_EQ(parse("bf16.f32,nn,m1n1k1")->arithmetic(), "bf16");
  EXPECT_EQ(parse("f64,nn,m1n1k1")->arithmetic(), "f64");
  EXPECT_EQ(parse("e4m3.f32.bf16,nn,m1n1k1")->arithmetic(), "f8");
  EXPECT_EQ(parse("e4m3.tc14.bf16,nn,m1n1k1")->arithmetic(), "f8");
  EXPECT_EQ(parse("s8.s32,nn,m1n1k1")->arithmetic(), "i8");
  EXPECT_EQ(parse("f16*s4g128.f32,nn,m1n2k2")->arithmetic(), "f16");
}

TEST_F(GemmOperation, ConcernsKernelsOfItsTypes) {
  auto const& naive = registered_kernel("gemm/cpu/naive");
  EXPECT_TRUE(parse("f32,nn,m1n1k1")->concerns(naive));
  EXPECT_FALSE(parse("tf32,nn,m1n1k1")->concerns(naive));
  KernelInfo other = naive;
  other.operation = "softmax";
  EXPECT_FALSE(parse("f32,nn,m1n1k1")->concerns(other));
}

TEST_F(GemmOperation, ComparesKernelsWithTheLibraryAndTheLibraryWithItself) {
  auto const problem = parse("f32,nn,m64n64k64,alpha2");
  for (char const* kernel : {"gemm/cpu/naive", "gemm/cpu/openblas", "gemm/wrong_cpu/nan_row"}) {
    auto const reference = problem->reference(registered_kernel(kernel));
    EXPECT_EQ(reference.kernel, "gemm/cpu/openblas") << kernel;
    EXPECT_EQ(reference.problem, problem->text());
  }
  KernelInfo library = registered_kernel("gemm/cpu/openblas");
  library.name = "another";
  EXPECT_EQ(problem->reference(library).kernel, "gemm/cpu/another")
      << "a flagged kernel of a library is its own control";
  library.reference = false;
  EXPECT_EQ(problem->reference(library).kernel, "gemm/cpu/openblas")
      << "a library's kernel without the flag is not its own control";
  library.reference = true;
  library.library = nullptr;
  EXPECT_EQ(problem->reference(library).kernel, "gemm/cpu/openblas")
      << "a kernel that calls no library must not be its own reference, even with the flag";
}

TEST_F(GemmOperation, RefusesWhatAKernelDoesNotDeclareInItsOwnWords) {
  auto const& naive = registered_kernel("gemm/cpu/naive");
  for (auto const& [rest, lacks] : {std::pair("batch2", "batch"),
                                    {"batch2,pointers", "pointers"},
                                    {"groups2x4", "groups"},
                                    {"sparse24", "sparse24"},
                                    {"bias", "bias"},
                                    {"gelu", "gelu"},
                                    {"residual", "residual"},
                                    {"beta2,silu", "silu"}}) {
    EXPECT_EQ(parse((std::string("f32,nn,m8n8k8,") + rest).c_str())->refusal(naive),
              std::string("has no ") + lacks + " among its features");
  }
  static constexpr GemmKernel kBiased{.types = GemmTypes::f32,
                                      .features = GemmFeature::bias | Activation::relu,
                                      .launch_full = [](GemmFullArgs const&) {}};
  auto const info = gemm_kernel_info(kBiased, "gemm/test", "biased", __FILE__, __LINE__);
  auto const& pointed = registered_kernel("gemm/wrong_cpu/pointers_modified");
  EXPECT_EQ(parse("f16.f32,nn,m8n8k8,batch2")->refusal(pointed), "has no batch among its features");
  EXPECT_FALSE(parse("f16.f32,nn,m8n8k8,batch2,pointers")->refusal(pointed).has_value());
  EXPECT_FALSE(parse("f32,nn,m8n8k8,bias,relu")->refusal(info).has_value());
  EXPECT_EQ(parse("f32,nn,m8n8k8,bias,gelu")->refusal(info), "has no gelu among its features");
}

TEST_F(GemmOperation, IsAskedForFactorsOfTheRightShapeAndSize) {
  auto const work = parse("e4m3.f32.bf16,scale128,nt,m256n384k512")->work();
  EXPECT_EQ(work.bytes, 256.0 * 512 + 512 * 384 + 2 * 256 * 384 + 4 * (256 * 4 + 4 * 3));
  EXPECT_EQ(parse("f16*s4g128.f32,nn,m16n64k256")->work().bytes,
            2.0 * 16 * 256 + 256 * 64 / 2 + 2 * 2 * 64 + 2 * 16 * 64);
  EXPECT_EQ(parse("f16.f32,nn,m8n8k8,batch3,bias,residual")->work().bytes, 2.0 * (3 * 4 * 64 + 8));
  EXPECT_EQ(parse("f16.f32,nn,m8n8k8,batch3")->work().flop, 3 * 2.0 * 512);
  auto const grouped = parse("f16.f32,nn,m8n8k8,groups5+0+3")->work();
  EXPECT_EQ(grouped.flop, 2.0 * 512);
  EXPECT_EQ(parse("f16.f32,nn,m8n8k8,batch3,pointers,beta1")->work().bytes, 2.0 * 3 * 4 * 64 + 8 * 3 * 4);
  auto const sparse = parse("f16.f32,nn,m8n8k16,sparse24")->work();
  EXPECT_EQ(sparse.flop, 2.0 * 8 * 8 * 8) << "skipped products must not count as work";
  EXPECT_EQ(sparse.bytes, 2.0 * (8 * 8 + 16 * 8 + 8 * 8) + 8 * 2);
  EXPECT_EQ(grouped.bytes, 2.0 * (64 + 2 * 64 + 64) + 4 * 4) << "the B of the group without rows need not be read";
}

TEST_F(GemmOperation, OffersSealedTimingOfEverythingButPointers) {
  auto const backend = device::make_cpu_backend();
  EXPECT_NE(parse("f16.f32,nn,m8n8k8,groups3+5")->prove_sealed(*backend), nullptr);
  EXPECT_EQ(parse("f16.f32,nn,m8n8k8,batch2,pointers")->prove_sealed(*backend), nullptr);
  EXPECT_EQ(parse("f16.f32,nn,m8n8k8,batch2,pointers")->prepare_sealed(*backend, nullptr), nullptr);
}

TEST_F(GemmOperation, HasNoReferenceForTypesThatNoLibraryKernelComputes) {
  EXPECT_EQ(parse("bf16.f32,nn,m64n64k64")->reference(registered_kernel("gemm/cpu/naive")).kernel, "");
}

TEST_F(GemmOperation, PassesOnWhyAKernelRefuses) {
  static constexpr GemmKernel kPicky{
      .types = GemmTypes::f32,
      .accepts = [](GemmProblem const& p) { return p.k % 8 == 0 ? Refusal() : Refusal("k must be a multiple of 8"); },
      .launch = [](GemmArgs const&) {}};
  auto const info = gemm_kernel_info(kPicky, "gemm/test", "picky", __FILE__, __LINE__);
  EXPECT_EQ(parse("f32,nn,m1n1k12")->refusal(info), "k must be a multiple of 8");
  EXPECT_FALSE(parse("f32,nn,m1n1k16")->refusal(info).has_value());
  EXPECT_FALSE(parse("f32,nn,m1n1k12")->refusal(registered_kernel("gemm/cpu/naive")).has_value());
}

TEST_F(GemmOperation, AKernelThatCannotBeVerifiedExactlyFails) {
  static constexpr GemmKernel kOnlyAlphaThree{
      .types = GemmTypes::f32,
      .accepts = [](GemmProblem const& p) { return p.alpha == 3 ? Refusal() : Refusal("alpha must be 3"); },
      .launch = [](GemmArgs const&) {}};
  auto const info = gemm_kernel_info(kOnlyAlphaThree, "gemm/test", "only_alpha_three", __FILE__, __LINE__);
  auto const backend = device::make_cpu_backend();
  auto const verification = parse("f32,nn,m4n4k4,alpha3")->verify(*backend, info, 1);
  EXPECT_FALSE(verification.passed);
  EXPECT_THAT(first_failure(verification), testing::HasSubstr("alpha must be 3"));
}

TEST_F(GemmOperation, VerifiesAKernelThatKeepsAWorkspaceAndIsNotDeterministic) {
  KernelInfo loose = registered_kernel("gemm/wrong_cpu/unstable_result");
  loose.deterministic = false;
  auto const backend = device::make_cpu_backend();
  auto const verification = parse("f32,nn,m33n33k33")->verify(*backend, loose, 1);
  EXPECT_TRUE(verification.passed) << first_failure(verification);
  EXPECT_NE(find_check(verification, "repeat"), nullptr)
      << "repeated results must still be compared with the reference";
}

}  // namespace
}  // namespace perfcheck
