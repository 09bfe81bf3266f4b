// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/run.h"

#include <gtest/gtest.h>

#include <set>

namespace perfcheck::model {
namespace {

TEST(CaseId, SplitsAtTheFirstAt) {
  CaseName const name = split_case_id("gemm/simt/naive@f32,nn,m1n1k1@odd");
  EXPECT_EQ(name.kernel, "gemm/simt/naive");
  EXPECT_EQ(name.problem, "f32,nn,m1n1k1@odd");
  EXPECT_EQ(case_id(name.kernel, name.problem), "gemm/simt/naive@f32,nn,m1n1k1@odd");
}

TEST(CaseId, WithoutAnAtThereIsNoKernel) {
  EXPECT_EQ(split_case_id("f32,nn").kernel, "");
  EXPECT_EQ(split_case_id("f32,nn").problem, "f32,nn");
  EXPECT_EQ(split_case_id("").problem, "");
}

TEST(CaseId, HasBothPartsAndFitsIntoALine) {
  EXPECT_TRUE(is_case_id("gemm/simt/naive@f32,m1"));
  EXPECT_TRUE(is_case_id("k\xc3\xa9@p"));
  for (std::string const id : {"k", "@p", "k@", "k\n@p", "k@\x1b[2J", "k@p\t", "k@\xc2\x9bp", "k@\xff"}) {
    EXPECT_FALSE(is_case_id(id)) << id;
  }
  EXPECT_FALSE(is_case_id(std::string("k\0@p", 4)));
}

TEST(Slug, HoldsLowerCaseLettersDigitsAndSingleDashes) {
  EXPECT_EQ(slug_of("NVIDIA H100 80GB HBM3"), "nvidia-h100-80gb-hbm3");
  EXPECT_EQ(slug_of("  Intel(R) Xeon(R) @ 2.10GHz  "), "intel-r-xeon-r-2-10ghz");
  EXPECT_EQ(slug_of("../../etc"), "etc");
  EXPECT_EQ(slug_of("\xC3\xA9"), "");
  EXPECT_EQ(slug_of(""), "");
}

TEST(Slug, OfASlugIsTheSlug) {
  for (char const* name : {"NVIDIA H200", "a--b", "-", "9", "Radeon (TM) RX"}) {
    EXPECT_EQ(slug_of(slug_of(name)), slug_of(name));
  }
}

TEST(OperationName, CannotLeadOutOfAFolder) {
  for (char const* good : {"gemm", "flash_attention", "conv-2d", "x"}) {
    EXPECT_TRUE(is_operation_name(good)) << good;
  }
  for (char const* bad : {"", ".", "..", "a/b", "a.json", "Gemm", "a b", "\xC3\xA9"}) {
    EXPECT_FALSE(is_operation_name(bad)) << bad;
  }
}

CaseResult with_hashes(std::vector<std::string> const& hashes) {
  CaseResult result;
  for (std::string const& hash : hashes) {
    result.launches.emplace_back().machine_code = hash;
  }
  return result;
}

TEST(MachineCode, IsUnknownUnlessEveryLaunchIsKnown) {
  EXPECT_EQ(machine_code_of(with_hashes({})), "");
  EXPECT_EQ(machine_code_of(with_hashes({""})), "");
  EXPECT_EQ(machine_code_of(with_hashes({"ab", ""})), "");
}

TEST(MachineCode, DependsOnEveryLaunchAndTheirOrder) {
  std::string const one = machine_code_of(with_hashes({"ab"}));
  EXPECT_EQ(one.size(), 16U);
  EXPECT_EQ(one, machine_code_of(with_hashes({"ab"})));
  EXPECT_NE(one, machine_code_of(with_hashes({"ab", "ab"})));
  EXPECT_NE(machine_code_of(with_hashes({"ab", "cd"})), machine_code_of(with_hashes({"cd", "ab"})));
  EXPECT_NE(machine_code_of(with_hashes({"ab", "c"})), machine_code_of(with_hashes({"a", "bc"})));
}

TEST(MachineCode, IsFnv1a) {
  // FNV-1a of "a\n", computed by hand from the two steps of the definition.
  uint64_t hash = 14695981039346656037ULL;
  hash = (hash ^ 'a') * 1099511628211ULL;
  hash = (hash ^ '\n') * 1099511628211ULL;
  EXPECT_EQ(std::stoull(machine_code_of(with_hashes({"a"})), nullptr, 16), hash);
}

TEST(LaunchHash, DependsOnWhatIsLaunchedAndHow) {
  EXPECT_EQ(launch_hash_of(CaseResult{}), "");
  CaseResult const one = with_hashes({"code"});
  CaseResult name = one, grid = one, block = one, registers = one, shared = one, code = one;
  name.launches[0].function = "g";
  grid.launches[0].grid = {2, 1, 1};
  block.launches[0].block = {64, 1, 1};
  registers.launches[0].registers = 128;
  shared.launches[0].shared_bytes = 1024;
  code.launches[0].machine_code = "other";
  for (CaseResult const& other : {name, grid, block, registers, shared, with_hashes({"code", "code"})}) {
    EXPECT_NE(launch_hash_of(other), launch_hash_of(one));
  }
  EXPECT_EQ(launch_hash_of(code), launch_hash_of(one));
}

TEST(Work, DependsOnEverythingThatLaunchesTellOfIt) {
  CaseResult const one = with_hashes({"code"});
  std::set<std::string> seen = {work_of(one)};
  for (auto const part : {&LaunchAttributes::function, &LaunchAttributes::machine_code, &LaunchAttributes::called_code,
                          &LaunchAttributes::constants, &LaunchAttributes::arguments, &LaunchAttributes::attributes,
                          &LaunchAttributes::other_nodes, &LaunchAttributes::graph}) {
    CaseResult other = one;
    other.launches[0].*part += "x";
    EXPECT_TRUE(seen.insert(work_of(other)).second);
  }
  CaseResult grid = one, shared = one;
  grid.launches[0].grid[2] = 7;
  shared.launches[0].shared_bytes = 7;
  for (CaseResult const& other : {grid, shared, with_hashes({"code", "code"}), with_hashes({})}) {
    EXPECT_TRUE(seen.insert(work_of(other)).second);
  }
  EXPECT_EQ(work_of(with_hashes({})), "");
  EXPECT_EQ(work_of(one), work_of(with_hashes({"code"})));
  CaseResult occupancy = one;
  occupancy.launches[0].occupancy = 0.5;
  EXPECT_EQ(work_of(occupancy), work_of(one)) << "occupancy depends on the device and is not part of the work";
}

TEST(Work, DiffersOnlyWhereBothSidesMeanTheSameByIt) {
  EXPECT_TRUE(work_differs("1:aa", "1:ab"));
  for (auto const& [before, now] : {std::pair("1:aa", "1:aa"), {"", "1:aa"}, {"1:aa", ""}, {"1:aa", "2:ab"}}) {
    EXPECT_FALSE(work_differs(before, now)) << before << " " << now;
  }
  EXPECT_EQ(work_of(with_hashes({"code"})).substr(0, 2), "1:");
}

TEST(SessionPurpose, TextsReadBack) {
  for (std::string const& text : session_purpose_texts()) {
    EXPECT_EQ(to_text(session_purpose_from_text(text).value()), text);
  }
  EXPECT_FALSE(session_purpose_from_text("Screen"));
  EXPECT_THROW((void)to_text(static_cast<SessionPurpose>(9)), std::logic_error);
}

}  // namespace
}  // namespace perfcheck::model
