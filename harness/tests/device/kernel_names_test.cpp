// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_names.h"

#include <gtest/gtest.h>

namespace perfcheck::device {
namespace {

TEST(KernelNames, AreDemangledWithoutArguments) {
  EXPECT_EQ(readable_kernel_name("_ZN9perfcheck7exploit13optional_gemmIvEEvNS_8GemmArgsEb"),
            "perfcheck::exploit::optional_gemm<void>");
  EXPECT_EQ(readable_kernel_name("_Z4kernPfi"), "kern");
  EXPECT_EQ(readable_kernel_name("plain_c"), "plain_c");
  EXPECT_EQ(readable_kernel_name(""), "");
}

TEST(KernelNames, DoNotHoldWhatChangesWithEveryBuild) {
  EXPECT_EQ(readable_kernel_name(
                "_ZN50_GLOBAL__N__0040c4cc_11_argument_cu_ce2380cd_318138argumentILb1EEEvN9perfcheck8GemmArgsEi"),
            "argument<true>");
  // The name of a kernel that nvlink linked with other object files.
  EXPECT_EQ(readable_kernel_name("__nv_static_55__6320e173_27_callee_in_another_object_cu_ce2380cd_10297__ZN66_GLOBAL__"
                                 "N__6320e173_27_callee_in_another_object_cu_ce2380cd_1029724callee_in_another_"
                                 "objectILb0EEEvN9perfcheck8GemmArgsE"),
            "callee_in_another_object<false>");
  EXPECT_EQ(readable_kernel_name("__nv_static_21__28fdb50b_4_k_cu_trip_hidden"), "hidden");
}

TEST(KernelNames, ThatOnlyLookLikeItStay) {
  for (char const* name : {"__nv_static_", "__nv_static_5", "__nv_static_5_", "__nv_static_5_abc_f", "__nv_static_x_f",
                           "__nv_static_99999999999999999999999_f", "__nv_static_1_af", "__nv_static_1_a_"}) {
    EXPECT_EQ(readable_kernel_name(name), name);
  }
}

}  // namespace
}  // namespace perfcheck::device
