// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "object_launch.h"

#include <gtest/gtest.h>

namespace perfcheck::worker {
namespace {

constexpr LibraryInfo kLibrary{.name = "FakeBLAS", .version = [] { return std::string("1"); }};

KernelObject object(char const* file, char const* machine_code) {
  return {.file = file, .machine_code = machine_code, .called_code = "", .constants = ""};
}

TEST(ObjectLaunch, IsOneLaunchOfTheKernelsFile) {
  auto const launches = launch_of_object({.file = "b.cpp"}, {object("a.cpp", "1"), object("b.cpp", "2")});
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches.front().function, "b.cpp");
  EXPECT_EQ(launches.front().machine_code, "2");
  EXPECT_EQ(launches.front().grid, (std::array{1, 1, 1})) << "run files do not allow zero";
}

TEST(ObjectLaunch, OfCodeThatTheBuildDidNotReadNothingIsTold) {
  EXPECT_TRUE(launch_of_object({.file = "b.cpp"}, {object("b.cpp", "")}).empty());
  EXPECT_TRUE(launch_of_object({.file = "c.cpp"}, {object("b.cpp", "2")}).empty());
  EXPECT_TRUE(launch_of_object({.file = "b.cpp", .library = &kLibrary}, {object("b.cpp", "2")}).empty());
}

}  // namespace
}  // namespace perfcheck::worker
