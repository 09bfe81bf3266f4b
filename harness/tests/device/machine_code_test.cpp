// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "machine_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace perfcheck::device {
namespace {

std::map<std::string, std::string> machine_code_hashes(std::span<std::uint8_t const> file) {
  std::map<std::string, std::string> hashes;
  for (auto const& [name, code] : kernel_codes(file)) hashes[name] = code.machine_code;
  return hashes;
}

std::vector<std::uint8_t> worker_file() {
  std::ifstream file(PERFCHECK_CUDA_WORKER, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(MachineCode, OfTheBuiltWorkerHasOneHashPerKernelAndArchitecture) {
  auto const hashes = machine_code_hashes(worker_file());
  ASSERT_FALSE(hashes.empty());
  auto const naive = std::count_if(hashes.begin(), hashes.end(),
                                   [](auto const& entry) { return entry.first.find("naive") != std::string::npos; });
  EXPECT_GE(naive, 1) << "the naive kernel's machine code was not found in " PERFCHECK_CUDA_WORKER;
  for (auto const& [name, hash] : hashes) {
    EXPECT_EQ(hash.size(), 16U) << name;
  }
}

TEST(MachineCode, AChangedByteOfCodeChangesThatKernelsHashOnly) {
  auto bytes = worker_file();
  auto const before = machine_code_hashes(bytes);
  ASSERT_FALSE(before.empty());
  // Bytes spread over the file: in cubins of one kernel and of several, in code, in names and in neither.
  constexpr std::size_t kPlaces = 200;
  int in_code = 0;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    std::size_t const at = bytes.size() / kPlaces * place;
    bytes[at] ^= 1;
    auto const after = machine_code_hashes(bytes);
    bytes[at] ^= 1;
    auto const same_name = [](auto const& one, auto const& other) { return one.first == other.first; };
    if (after == before || !std::equal(before.begin(), before.end(), after.begin(), after.end(), same_name)) {
      continue;
    }
    ++in_code;
    int changed = 0;
    for (auto const& [name, hash] : before) {
      changed += after.at(name) != hash ? 1 : 0;
    }
    EXPECT_EQ(changed, 1) << "byte " << at;
  }
  EXPECT_GE(in_code, 5) << "of " << kPlaces << " bytes tried, too few lie in code";
}

TEST(MachineCode, FilesThatAreNotWholeElfFilesGiveWhatCanBeReadAndNeverCrash) {
  auto const bytes = worker_file();
  EXPECT_TRUE(machine_code_hashes({}).empty());
  for (std::size_t size = 1; size < bytes.size(); size = size * 3 / 2 + 1) {
    (void)machine_code_hashes(std::span(bytes).first(size));
  }
  std::vector<std::uint8_t> const noise(4096, 0x5a);
  EXPECT_TRUE(machine_code_hashes(noise).empty());
}

TEST(MachineCode, OfAKernelThatThisProgramDoesNotHoldIsUnknown) {
  EXPECT_EQ(own_kernel_code("no_such_kernel", 90), nullptr);
}

}  // namespace
}  // namespace perfcheck::device
