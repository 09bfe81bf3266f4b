// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/problem.h"
#include "perfcheck/model/run.h"

#include <gtest/gtest.h>

namespace perfcheck::model {
namespace {

using Axes = std::vector<Axis>;

TEST(MigratedAxes, OfGemmTextsAreWhatTheOperationTellsToday) {
  EXPECT_EQ(migrated_axes("gemm", "f16.f32,nt,m16n14336k4096"),
            (Axes{{"types", "f16.f32"}, {"layout", "nt"}, {"m", 16}, {"n", 14336}, {"k", 4096}}));
  EXPECT_EQ(migrated_axes("gemm", "f32,nn,m8n9k10,lda11,ldb12,ldd13,alpha-2,beta0.5,hot"), (Axes{{"types", "f32"},
                                                                                                 {"layout", "nn"},
                                                                                                 {"m", 8},
                                                                                                 {"n", 9},
                                                                                                 {"k", 10},
                                                                                                 {"lda", 11},
                                                                                                 {"ldb", 12},
                                                                                                 {"ldd", 13},
                                                                                                 {"alpha", -2},
                                                                                                 {"beta", 0.5},
                                                                                                 {"cache", "hot"}}));
}

TEST(MigratedAxes, OfAnyOtherTextAreNone) {
  for (char const* text :
       {"", "f32", "f99,nn,m8n8k8", "f32,nn,m8n8", "f32,tt,m8n8k8", "f32,nn,m8n8k8,", "f32,nn,m8n8k8,x",
        "f32,nn,m8n8k8,alpha", "f32,nn,m8n8k8,alpha--1", "f32,nn,m8n8k99999999", "r64c4096,hot"}) {
    EXPECT_EQ(migrated_axes("gemm", text), Axes{}) << text;
  }
  EXPECT_EQ(migrated_axes("row_sum", "f32,nn,m8n8k8"), Axes{}) << "only gemm had such problem texts";
}

TEST(Problems, AreAddedOnceByTheirText) {
  std::vector<ProblemInfo> known = {{.text = "a", .axes = {{"m", 1}}}};
  add_problems(known, {{.text = "b", .axes = {{"m", 2}}}, {.text = "a", .axes = {{"m", 3}}}});
  EXPECT_EQ(known, (std::vector<ProblemInfo>{{.text = "a", .axes = {{"m", 1}}}, {.text = "b", .axes = {{"m", 2}}}}));
}

TEST(OperationOfACase, IsTheOneNamedInFrontOfItsProblemElseTheFirst) {
  std::vector<std::string> const both = {"gemm", "row_sum"};
  EXPECT_EQ(operation_of(both, "row_sum/cpu/pairwise@row_sum:r64c4096"), "row_sum");
  EXPECT_EQ(operation_of(both, "gemm/cpu/naive@f32,nn,m8n8k8"), "gemm");
  EXPECT_EQ(operation_of(both, "bench/copy@threads:4"), "gemm")
      << "an id of none of the operations must count as the first one's";
  EXPECT_EQ(operation_of({"row_sum"}, "row_sum/cpu/pairwise@r64c4096"), "row_sum");
  EXPECT_EQ(operations_of({.operation = "gemm"}), std::vector<std::string>{"gemm"});
  EXPECT_EQ(operations_of({.operation = "gemm", .operations = both}), both);
}

}  // namespace
}  // namespace perfcheck::model
