// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include <perfcheck/gemm.h>

#include <gmock/gmock.h>

#include <set>
#include <stdexcept>

namespace perfcheck {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(GemmText, CanonicalTextComesBackUnchanged) {
  for (char const* text :
       {"f32,nn,m512n512k512", "tf32,nt,m1n2k3", "f16.f32,nn,m4096n4096k4096,lda4104,ldb4112,ldd4100",
        "bf16.f32,nt,m7n8k9,ldb16,alpha-1.5,beta0.1", "f32,nn,m5n6k7,alpha1e-10,hot", "f32,nn,m1048576n1k1",
        "f64,nn,m1n2k3", "e4m3.f32.bf16,scale128,nt,m64n64k256,ldd72", "f16*s4g128.f32,nt,m64n64k256",
        "e4m3.tc14.bf16,nt,m64n64k256,beta1,batch2", "s8.s32,nt,m1n2k3",
        "f16.f32,nn,m5n6k7,beta2,batch64,bias,gelu,residual,hot", "s8.s32.f16,scalerow,nt,m1n2k3",
        "f16.f32,nt,m8n8k8,batch16,pointers,bias", "f16.f32,nt,m8n8k16,sparse24,bias",
        "f16.f32,nn,m8n8k16,lda16,sparse24", "f16.f32,nt,m192n8k8,groups128+0+64", "f16.f32,nn,m8192n8k8,groups64x128",
        "bf16.f32,nt,m7n8k9,beta2,groups2x0+1+2x3+0,bias,relu,hot"}) {
    EXPECT_EQ(to_text(parse_gemm_problem(text)), text);
  }
}

TEST(GemmText, EveryRowOfTypesHasATextOfItsOwnThatNamesIt) {
  std::set<std::string> texts;
  for (GemmTypes const& types : all_gemm_types()) {
    auto const text = to_text(types);
    EXPECT_TRUE(texts.insert(text).second) << text;
    ASSERT_NE(find_gemm_types(text), nullptr) << text;
    EXPECT_EQ(*find_gemm_types(text), types) << text;
  }
  EXPECT_GE(texts.size(), 40U);
}

TEST(GemmText, OptionsMayStandInAnyOrderAndDefaultsVanish) {
  EXPECT_EQ(to_text(parse_gemm_problem("f32,nn,m5n6k7,hot,beta2,ldd6,lda9,alpha1,ldb6")),
            "f32,nn,m5n6k7,lda9,beta2,hot");
  EXPECT_EQ(to_text(parse_gemm_problem("f32,nt,m5n6k7,ldb7,beta-0")), "f32,nt,m5n6k7");
}

TEST(GemmText, GroupsAreSizesOrRepeatedSizes) {
  EXPECT_EQ(parse_gemm_problem("f32,nn,m192n8k8,groups128+0+64").groups, (std::vector{128, 0, 64}));
  EXPECT_EQ(parse_gemm_problem("f32,nn,m192n8k8,groups2x64+3x0+64").groups, (std::vector{64, 64, 0, 0, 0, 64}));
  EXPECT_EQ(to_text(parse_gemm_problem("f32,nn,m12n8k8,groups1x5+3+3+1")), "f32,nn,m12n8k8,groups5+2x3+1");
  EXPECT_EQ(parse_gemm_problem("f32,nn,m512n8k8,groups512x1").groups.size(), 512U);
}

TEST(GemmText, LeadingDimensionsDefaultToTightRows) {
  auto const nn = parse_gemm_problem("f32,nn,m5n6k7");
  EXPECT_EQ(nn.lda, 7);
  EXPECT_EQ(nn.ldb, 6);
  EXPECT_EQ(nn.ldd, 6);
  EXPECT_EQ(parse_gemm_problem("f32,nn,m5n6k16,sparse24").lda, 8);
  EXPECT_EQ(to_text(parse_gemm_problem("f32,nn,m5n6k16,lda8,sparse24")), "f32,nn,m5n6k16,sparse24");
  auto const nt = parse_gemm_problem("f32,nt,m5n6k7");
  EXPECT_EQ(nt.ldb, 7);
}

TEST(GemmText, AlphaSurvivesAsTheSameFloat) {
  GemmProblem problem = parse_gemm_problem("f32,nn,m5n6k7");
  for (float factor : {0.1F, 1.0F / 3.0F, 1e-30F, -16777217.0F, 3.4028235e38F}) {
    problem.alpha = factor;
    problem.beta = factor;
    auto const again = parse_gemm_problem(to_text(problem));
    EXPECT_EQ(again.alpha, factor);
    EXPECT_EQ(again.beta, factor);
  }
}

struct Bad {
  char const* text;
  char const* says;
};

TEST(GemmText, WrongTextIsRejectedWithWhatMayStandThere) {
  for (auto const& [text, says] : {
           Bad{"", "as in f32,nn,m512n512k512"},
           {"f32", "needs data types, layout and sizes"},
           {"f8,nn,m1n1k1", "unknown data types 'f8'; there are 'f32', 'tf32', 'f16.f32', 'bf16.f32', 'f64', "},
           {"f32,scale,nn,m1n1k1", "unknown data types 'f32,scale'; there are "},
           {"e4m3.f32.bf16,scale128", "it needs data types, layout and sizes"},
           {"f16*s4g128.f32,nt,m8n8k9,ldb10", "two elements of s4 share a byte, so k and ldb must be even"},
           {"f16*s4g128.f32,nn,m8n8k9,ldb9", "two elements of s4 share a byte, so n and ldb must be even"},
           {"s8.s32,nt,m8n8k131072", "k is 131072; sums of more than 131071 products of s8 do not fit into s32"},
           {"u8*s8.s32,nt,m8n8k65794", "k is 65794; sums of more than 65793 products"},
           {"s8.s32,nt,m8n8k8,alpha0.5", "alpha and beta must be whole numbers for results of s32"},
           {"f32,nn,m8n8k8,batch0", "batch must be followed by a number from 1"},
           {"f32,nn,m8n8k8,batch1", "leave 'batch1' out"},
           {"f32,nn,m1048576n8k8,batch2048", "batch times the largest size must be at most"},
           {"e4m3.f32.bf16,scale,nt,m8n8k8,batch2", "scaled types have no batches"},
           {"f32,nn,m200n8k8,groups128+0+64",
            "the groups have 192 rows together and m is 200; change the sizes of groups, or write m192"},
           {"f32,nn,m8n8k8,groups",
            "'' is no size of groups; they are rows, as in groups128+0+192, or a number of groups"},
           {"f32,nn,m8n8k12,sparse24", "k is 12; with sparse24 it must be a multiple of 8"},
           {"f32,nn,m8n8k8,sparse24,batch2", "a sparse A has no batches and no groups"},
           {"f32,nn,m8n8k8,groups2x4,sparse24", "a sparse A has no batches and no groups"},
           {"e4m3.f32.bf16,scale,nt,m8n8k8,sparse24", "scaled types have no sparse A"},
           {"f32,nn,m8n8k16,lda7,sparse24", "lda is 7 and must be at least 8"},
           {"f32,nn,m8n8k8,pointers", "pointers are to the matrices of a batch; add one, as in batch2"},
           {"f32,nn,m8n8k8,groups2x4,pointers", "pointers are to the matrices of a batch"},
           {"f32,nn,m8n8k8,groups4+", "'' is no size of groups"},
           {"f32,nn,m8n8k8,groups-4+12", "'-4' is no size of groups"},
           {"f32,nn,m8n8k8,groups0x8+8", "'0x8' is no size of groups"},
           {"f32,nn,m8n8k8,groups2x4x1", "'2x4x1' is no size of groups"},
           {"f32,nn,m8n8k8,groups513x0", "'513x0' is no size of groups"},
           {"f32,nn,m8n8k8,groups4 +4", "'4 ' is no size of groups"},
           {"f32,nn,m8n8k8,groups400x0+8+112x0", "there may be at most 512 groups"},
           {"f32,nn,m8n8k8,groups8", "groups are two or more; leave 'groups8' out"},
           {"f32,nn,m8n8k8,groups2x4,batch2", "a batch has no groups; leave out one of"},
           {"f32,nn,m8n8k8,groups2x4,groups2x4", "groups is given twice"},
           {"e4m3.f32.bf16,scalerow,nt,m8n8k8,groups2x4", "scaled types have no groups"},
           {"f32,nn,m8n8k8,gelu,relu", "an activation is given twice"},
           {"f32,nn,m8n8k8,tanh",
            "batch, pointers, groups, sparse24, bias, relu, gelu, gelu_erf, silu, residual and hot"},
           {"f16,nn,m1n1k1", "unknown data types 'f16'"},
           {"F32,nn,m1n1k1", "unknown data types 'F32'"},
           {"f32,tn,m1n1k1", "unknown layout 'tn'; nn is"},
           {"f32,nn,512x512x512", "must be sizes like m512n512k512"},
           {"f32,nn,m1k1n1", "must be sizes like m512n512k512"},
           {"f32,nn,m1n1", "must be sizes like m512n512k512"},
           {"f32,nn,m0n1k1", "m must be followed by a number from 1 to 1048576"},
           {"f32,nn,m1n-1k1", "n must be followed by a number"},
           {"f32,nn,m1n1k99999999999", "k must be followed by a number"},
           {"f32,nn,m1n1k+1", "k must be followed by a number"},
           {"f32,nn,m1n1k1x", "'x' follows the sizes"},
           {"f32,nn,m1n1k1 ", "' ' follows the sizes"},
           {"f32,nn,m8n8k8,lda7", "lda is 7 and must be at least 8"},
           {"f32,nn,m8n9k8,ldb8", "ldb is 8 and must be at least 9"},
           {"f32,nt,m8n8k9,ldb8", "ldb is 8 and must be at least 9"},
           {"f32,nn,m8n8k8,ldd1", "ldd is 1 and must be at least 8"},
           {"f32,nn,m8n8k8,ldd", "ldd must be followed by a number"},
           {"f32,nn,m8n8k8,ldd9x", "'x' follows the number"},
           {"f32,nn,m8n8k8,ldc9", "unknown part 'ldc9'"},
           {"f32,nn,m8n8k8,", "unknown part ''"},
           {"f32,nn,m8n8k8,HOT", "unknown part 'HOT'"},
           {"f32,nn,m8n8k8,hot,hot", "hot is given twice"},
           {"f32,nn,m8n8k8,alpha2,alpha2", "alpha is given twice"},
           {"f32,nn,m8n8k8,alpha", "after alpha must be a finite number"},
           {"f32,nn,m8n8k8,alphanan", "after alpha must be a finite number"},
           {"f32,nn,m8n8k8,beta1e99", "after beta must be a finite number"},
           {"f32,nn,m8n8k8,beta1.5x", "after beta must be a finite number"},
       }) {
    EXPECT_THAT([wrong = text] { (void)parse_gemm_problem(wrong); },
                ThrowsMessage<std::invalid_argument>(HasSubstr(says)))
        << text;
    EXPECT_THAT([wrong = text] { (void)parse_gemm_problem(wrong); },
                ThrowsMessage<std::invalid_argument>(HasSubstr(text)));
  }
}

TEST(GemmText, WhatItSaysAboutWrongTextIsOneLine) {
  for (char const* text : {"f32\n::error::x", "f32,nn,m8n8k8\x1b[2J", "f32,nn,m8n8k8,\r\n"}) {
    EXPECT_THAT([text] { (void)parse_gemm_problem(text); },
                ThrowsMessage<std::invalid_argument>(::testing::Not(::testing::ContainsRegex("[\n\r\x1b]"))))
        << text;
  }
}

}  // namespace
}  // namespace perfcheck
