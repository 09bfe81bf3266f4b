// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the two builds, without a GPU: the kernels' own code is the same, and the other differences are those of
// the table.
#include "kernel_names.h"
#include "launch_data.h"
#include "machine_code.h"
#include "tricks.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::zoo {
namespace {

struct Hashes {
  std::string machine_code, called_code, constants;
};

/// The hashes of the functions in a worker's file, by architecture and readable name. Mangled names of unnamed
/// namespaces differ from build to build.
std::map<std::string, Hashes> hashes_of(std::string const& worker) {
  std::ifstream file(worker, std::ios::binary);
  std::vector<std::uint8_t> const bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto const unread = [](std::string const&, std::span<std::uint8_t>) { return false; };
  auto const no_address = [](std::uint64_t) { return std::nullopt; };
  std::map<std::string, Hashes> hashes;
  for (auto const& [name, code] : device::kernel_codes(bytes)) {
    auto const colon = name.find(':');
    hashes[name.substr(0, colon + 1) + device::readable_kernel_name(name.substr(colon + 1))] = {
        code.machine_code, code.called_code, device::constants_hash(code, unread, no_address)};
  }
  return hashes;
}

/// Is it a name such as "<architecture>:<kernel>...", possibly of an instance of a template?
bool is_of(std::string const& name, std::string const& kernel) {
  return name.substr(name.find(':') + 1).starts_with(kernel);
}

TEST(ZooCode, DiffersInNothingButWhatTheTableSays) {
  auto const base = hashes_of(PERFCHECK_ZOO_BASE), slow = hashes_of(PERFCHECK_ZOO_SLOW);
  for (Trick const& trick : kTricks) {
    SCOPED_TRACE(trick.kernel);
    std::string const seen_by = trick.seen_by;
    bool const at_run_time = std::string(trick.kernel) == "constant_at_run_time";
    int found = 0;
    for (auto const& [name, before] : base) {
      if (!is_of(name, trick.kernel)) continue;
      ++found;
      ASSERT_TRUE(slow.contains(name)) << name;
      Hashes const& after = slow.at(name);
      EXPECT_EQ(after.machine_code, before.machine_code) << name;
      EXPECT_EQ(after.called_code != before.called_code, seen_by == "called_code") << name;
      EXPECT_EQ(after.constants != before.constants, seen_by == "constants" && !at_run_time) << name;
    }
    EXPECT_GE(found, 1) << "the kernel was not found in " PERFCHECK_ZOO_BASE;
  }
}

}  // namespace
}  // namespace perfcheck::zoo
