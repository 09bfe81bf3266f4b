// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/gate/glob.h"

#include <gtest/gtest.h>

namespace perfcheck::gate {
namespace {

TEST(Glob, MatchesTheWholeText) {
  EXPECT_TRUE(glob_matches("gemm/simt/*", "gemm/simt/naive"));
  EXPECT_TRUE(glob_matches("*naive", "gemm/simt/naive"));
  EXPECT_TRUE(glob_matches("gemm/simt/n?ive", "gemm/simt/naive"));
  EXPECT_TRUE(glob_matches("gemm/[ms]imt/naive", "gemm/simt/naive"));
  EXPECT_FALSE(glob_matches("gemm/simt", "gemm/simt/naive"));
  EXPECT_FALSE(glob_matches("", "gemm/simt/naive"));
}

TEST(Glob, MatchesACaseByItsIdOrByItsKernel) {
  std::string const id = "gemm/simt/naive@f32,nn,m64n64k64";
  EXPECT_TRUE(glob_matches_case("gemm/simt/naive", id));
  EXPECT_TRUE(glob_matches_case(id, id));
  EXPECT_TRUE(glob_matches_case("*@f32,nn,m64*", id));
  EXPECT_FALSE(glob_matches_case("f32,nn,m64n64k64", id));
  EXPECT_FALSE(glob_matches_case("gemm/simt/naiv", id));
}

TEST(Glob, WhatStandsBehindAByteOfValueZeroIsPartOfTheText) {
  std::string const text("gemm/simt/naive\0x", 17);
  EXPECT_FALSE(glob_matches("gemm/simt/naive", text));
  EXPECT_FALSE(glob_matches(text, "gemm/simt/naive"));
}

TEST(Glob, AnEmptyKernelMatchesNothing) { EXPECT_FALSE(glob_matches_case("", "no case id")); }

}  // namespace
}  // namespace perfcheck::gate
