// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace perfcheck::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

KernelRegistration const only{{.operation = "single", .set = "a", .name = "b", .file = "registered.cu", .line = 5}};

TEST(Registry, ASourceThatRegistersNothingIsNamed) {
  EXPECT_THAT([] { (void)registered_kernels({"single"}, {"kernels/forgotten.cu"}); },
              ThrowsMessage<std::logic_error>(HasSubstr("kernels/forgotten.cu was compiled but registers no")));
  EXPECT_NO_THROW((void)registered_kernels({"single"}, {"registered.cu"}));
}

TEST(Registry, AKernelOfAnotherOperationIsNamedWithIt) {
  EXPECT_THAT(
      [] { (void)registered_kernels({"other"}, {"registered.cu"}); },
      ThrowsMessage<std::logic_error>(HasSubstr("is a kernel of the operation single, and this worker's is other")));
}

TEST(Registry, HoldsTheKernelsOfAllOperations) {
  EXPECT_EQ(registered_kernels({"single"}, {}).size(), 1U);
  EXPECT_EQ(registered_kernels({"other", "single"}, {"registered.cu"}).size(), 1U);
  EXPECT_THAT(
      [] { (void)registered_kernels({"other", "another"}, {"registered.cu"}); },
      ThrowsMessage<std::logic_error>(HasSubstr("of the operation single, and this worker's are other and another")));
}

TEST(Registry, TwoKernelsOfOneNameAreNamedWithTheirFiles) {
  static KernelRegistration const first{{.operation = "twins", .set = "a", .name = "b", .file = "one.cu", .line = 7}};
  static KernelRegistration const second{{.operation = "twins", .set = "a", .name = "b", .file = "two.cu", .line = 9}};
  EXPECT_THAT([] { (void)registered_kernels({"twins"}, {}); },
              ThrowsMessage<std::logic_error>(AllOf(HasSubstr("one.cu:7"), HasSubstr("two.cu:9"))));
}

}  // namespace
}  // namespace perfcheck::worker
