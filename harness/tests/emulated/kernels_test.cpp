// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of kernels/gemm/mma that keep a ring, every point of their spaces, verified on an emulated GPU.
#include "gemm_test.h"
#include "perfcheck/model/tuning.h"
#include "simulator.h"

#include <perfcheck/gemm.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

namespace perfcheck {
namespace {

/// Those for BF16 are left out: they differ from those for FP16 in instructions that are emulated, and nowhere else.
std::vector<std::string> kernel_ids() {
  std::vector<std::string> ids;
  for (auto const* at = KernelRegistration::first(); at != nullptr; at = at->next()) {
    std::string const id = at->info().id();
    if (id.find("_bf16") == std::string::npos) ids.push_back(id);
  }
  std::ranges::sort(ids);
  return ids;
}

/// Letters and digits only, as tests must be named.
std::string name_of(testing::TestParamInfo<std::string> const& id) {
  std::string name = id.param;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

struct Tile {
  int m = 0, n = 0;
};

/// That of a block, from the point's name: "gemm/mma/persistent_f16:128x256-64x64-4".
Tile tile_of(std::string const& id) {
  Tile tile;
  EXPECT_EQ(std::sscanf(id.c_str() + id.find(':'), ":%dx%d", &tile.m, &tile.n), 2) << id;
  return tile;
}

class EmulatedKernel : public testing::TestWithParam<std::string> {
 protected:
  /// Verifies the kernel on problems of a few tiles, unless it refuses one: with edges in every dimension and more
  /// tiles than multiprocessors, with more steps of k than the ring has stages, and with rows that are not aligned.
  void expect_verified(std::string const& layout) {
    emulated::device().multiprocessors = 3;
    Tile const tile = tile_of(GetParam());
    bool const row_major = layout == "nn";
    int const columns = (tile.n + 16) / 16 * 16;
    expect_verified_or_refused(fmt::format("{},m{}n{}k80,ldd{}", layout, tile.m + 9, columns, columns + 3));
    expect_verified_or_refused(fmt::format("{},m{}n{}k720,alpha2,beta3", layout, tile.m / 2 + 1, tile.n / 2 + 16));
    int const rows_of_b = row_major ? 31 : 39;
    expect_verified_or_refused(fmt::format("{},m19n29k37,lda41,ldb{},ldd33", layout, rows_of_b));
  }

 private:
  void expect_verified_or_refused(std::string const& problem_of_types) {
    KernelInfo const& kernel = registered_kernel(GetParam());
    std::string const types = to_text(static_cast<GemmKernel const*>(kernel.typed)->types);
    auto const problem = operation_->parse(types + "," + problem_of_types);
    if (problem->refusal(kernel)) return;
    ++emulated::device().seed;
    auto const verification = problem->verify(*backend_, kernel, emulated::device().seed);
    EXPECT_TRUE(verification.passed) << GetParam() << "@" << problem->text() << ": " << first_failure(verification);
  }

  std::unique_ptr<device::Backend> backend_ = device::make_cpu_backend();
  std::unique_ptr<worker::Operation> operation_ = make_gemm_operation();
};

TEST_P(EmulatedKernel, IsRightWithARowMajorB) { expect_verified("nn"); }
TEST_P(EmulatedKernel, IsRightWithAColumnMajorB) { expect_verified("nt"); }

// A kernel whose point is unknown takes the first of its space, which is meant for large problems.
TEST(ShippedTuning, NamesNoPointThatARingKernelDoesNotHave) {
  std::set<std::string> points, kernels;
  for (auto const* at = KernelRegistration::first(); at != nullptr; at = at->next()) {
    points.insert(at->info().id());
    kernels.insert(model::split_point(at->info().id()).kernel);
  }
  int checked = 0;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(PERFCHECK_BASELINES_DIR)) {
    if (!entry.path().string().ends_with(".tuned.json")) continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    model::Tuning const tuning = model::tuning_from_text(text.str(), entry.path().string());
    for (auto const& [problem, measured] : tuning.problems) {
      for (model::TunedPoint const& point : measured) {
        if (!kernels.contains(model::split_point(point.kernel).kernel)) continue;
        ++checked;
        EXPECT_TRUE(points.contains(point.kernel)) << entry.path() << ": " << problem << ": " << point.kernel;
      }
    }
  }
  EXPECT_GT(checked, 500);
}

INSTANTIATE_TEST_SUITE_P(Gemm, EmulatedKernel, testing::ValuesIn(kernel_ids()), name_of);

}  // namespace
}  // namespace perfcheck
