// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which changes of a CPU kernel's source change which hash of its object; with real objects of this build's compiler.
#include "object_code.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace perfcheck::device {
namespace {

std::vector<std::uint8_t> contents(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

ObjectCode code_in(std::string const& path) { return object_code(contents(path)); }

struct Change {
  char const* what;
  char const* object;
  bool machine_code, constants;  ///< which hashes it changes
};

TEST(ObjectCode, ChangesWithWhatTheKernelDoesAndNothingElse) {
  ObjectCode const before = code_in(SAMPLE_SAME);
  ASSERT_EQ(before.machine_code.size(), 16U);
  ASSERT_EQ(before.constants.size(), 16U);
  Change const changes[] = {{"lines in front of it, which its registration holds", SAMPLE_LINES, false, false},
                            {"its summary", SAMPLE_SUMMARY, false, false},
                            {"a function of its own", SAMPLE_INNER, true, false},
                            {"a constant in its code", SAMPLE_FACTOR, true, false},
                            {"which function it calls, its bytes being the same", SAMPLE_CALLEE, true, false},
                            {"its table", SAMPLE_TABLE, false, true}};
  for (Change const& change : changes) {
    ObjectCode const after = code_in(change.object);
    EXPECT_EQ(after.machine_code != before.machine_code, change.machine_code) << change.what;
    EXPECT_EQ(after.constants != before.constants, change.constants) << change.what;
  }
}

TEST(ObjectCode, OfWhatIsNoObjectIsNone) {
  for (std::string const text : {"", "no object", "\177ELF"}) {
    ObjectCode const code = object_code(Bytes(reinterpret_cast<std::uint8_t const*>(text.data()), text.size()));
    EXPECT_EQ(code.machine_code, "");
    EXPECT_EQ(code.constants, "");
  }
}

TEST(ObjectCode, OfATruncatedObjectReadsNothingBeyondIt) {
  std::vector<std::uint8_t> const whole = contents(SAMPLE_SAME);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    (void)object_code(Bytes(whole.data(), size));
  }
}

}  // namespace
}  // namespace perfcheck::device
