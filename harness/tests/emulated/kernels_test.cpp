// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of kernels/gemm/mma, kernels/gemm/wgmma and kernels/gemm/tcgen05 that keep all of their shared memory in one
// array, every point of their spaces, verified on an emulated GPU.
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
#include <map>
#include <set>
#include <sstream>
#include <vector>

namespace perfcheck {
namespace {

/// Those for BF16 are left out: they differ from those for FP16 in instructions that are emulated, and nowhere else.
/// Kernels for TF32 and INT8 that exist for FP16 as well, and e4m3_plain, which has the main loops of cooperative and
/// ping_pong, have elements of other sizes, too, for which every fourth point is enough.
std::vector<std::string> kernel_ids() {
  std::vector<std::string> all;
  for (auto const* at = KernelRegistration::first(); at != nullptr; at = at->next()) all.push_back(at->info().id());
  std::ranges::sort(all);
  std::set<std::string> kernels;
  for (std::string const& id : all) kernels.insert(model::split_point(id).kernel);
  std::vector<std::string> ids;
  std::map<std::string, int> points;
  for (std::string const& id : all) {
    std::string const kernel = model::split_point(id).kernel, idea = kernel.substr(0, kernel.rfind('_'));
    if (kernel.ends_with("_bf16") || kernel.find("_bf16_") != std::string::npos) continue;
    bool const same = !kernel.ends_with("_f16") && (kernels.contains(idea + "_f16") || kernel.ends_with("/e4m3_plain"));
    if (!same || points[kernel]++ % 4 == 0) ids.push_back(id);
  }
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

/// That of a block, from the point's name: "gemm/mma/persistent_f16:128x256-64x64-4". Kernels without a space get the
/// largest that they have.
Tile tile_of(std::string const& id) {
  Tile tile{.m = 128, .n = 256};
  if (id.find(':') == std::string::npos) return tile;
  EXPECT_EQ(std::sscanf(id.c_str() + id.find(':'), ":%dx%d", &tile.m, &tile.n), 2) << id;
  return tile;
}

/// How many blocks share a tile, each with a part of k, from the point's name: "gemm/wgmma/split_k_f16:64x64-8-k2".
int parts_of(std::string const& id) {
  int parts = 1;
  if (std::size_t const at = id.rfind("-k"); at != std::string::npos) std::sscanf(id.c_str() + at, "-k%d", &parts);
  return parts;
}

class EmulatedKernel : public testing::TestWithParam<std::string> {
 protected:
  /// Verifies the kernel on problems of a few tiles, unless it refuses one: with edges in every dimension and more
  /// tiles than multiprocessors, with more steps of k than the ring has stages, and with rows that are not aligned. FP8
  /// gets a k at which sums that stay in the tensor cores fail, unless its types say that they do.
  void expect_verified(std::string const& layout) {
    emulated::device().multiprocessors = 3;
    Tile const tile = tile_of(GetParam());
    bool const row_major = layout == "nn";
    int const columns = (tile.n + 16) / 16 * 16;
    auto const of_rows = [&](int rows) {
      return fmt::format("{},m{}n{}k80,ldd{}", layout, rows, columns, columns + 3);
    };
    // A kernel for few rows may take no more than those of its tile.
    if (!expect_verified_or_refused(of_rows(tile.m + 9))) expect_verified_or_refused(of_rows(tile.m - 7));
    // With TF32, each part has more steps than its ring has stages; other types would take too long for that.
    int const k = types() == "tf32" ? std::max(720, 360 * parts_of(GetParam())) : 720;
    expect_verified_or_refused(fmt::format("{},m{}n{}k{},alpha2,beta3", layout, tile.m / 2 + 1, tile.n / 2 + 16, k));
    int const rows_of_b = row_major ? 31 : 39;
    expect_verified_or_refused(fmt::format("{},m19n29k37,lda41,ldb{},ldd33", layout, rows_of_b));
    if (types().starts_with("e4m3")) expect_verified_or_refused(fmt::format("{},m35n40k2064", layout));
    if (GetParam().find("-pp") != std::string::npos) {
      // A block with two tiles, of which the second begins two rounds of the ring behind the first.
      emulated::device().multiprocessors = 1;
      expect_verified_or_refused(fmt::format("{},m24n{}k{}", layout, tile.n + 16, 17 * 1024 / bits()));
    }
    if (GetParam().find("-l") != std::string::npos) {
      // Whole lines of k, several of which are fetched at a time, more than the ring holds; the last stage has one.
      expect_verified_or_refused(fmt::format("{},m13n{}k{},alpha2,beta3", layout, tile.n + 16, 17 * 1024 / bits()));
    }
    if (GetParam().find("-q") != std::string::npos) {
      // Tiles that lie wholly within a D of aligned rows are stored another way.
      expect_verified_or_refused(fmt::format("{},m{}n{}k80,alpha2,beta3", layout, tile.m + 9, tile.n + 16));
    }
    if (GetParam().starts_with("gemm/mma/few_rows")) {
      // Blocks with two passes, and more pieces than the ring has stages, of which the last is not whole.
      emulated::device().multiprocessors = 1;
      expect_verified_or_refused(fmt::format("{},m13n{}k{},alpha2,beta3", layout, 2 * tile.n + 24, 4608 * 8 / bits()));
    }
    if (GetParam().starts_with("gemm/wgmma/skinny")) {
      EXPECT_FALSE(takes(fmt::format("{},m{}n64k64", layout, tile.m + 1))) << "a second tile reads all of B again";
    }
    if (GetParam().starts_with("gemm/tcgen05/")) {
      // A block with five tiles, for two of which there is room in tensor memory, and rounds of the ring in each.
      emulated::device().multiprocessors = 1;
      expect_verified_or_refused(fmt::format("{},m24n{}k400", layout, 4 * tile.n + 16));
    }
    if (!row_major && types() != "tf32" && GetParam().starts_with("gemm/wgmma/stream_k")) expect_shares_verified(tile);
    if (verified_ == 0) {
      EXPECT_TRUE(takes(fmt::format("{},m8n32k512", row_major ? "nt" : "nn"))) << "refuses both layouts of B";
    }
  }

 private:
  /// Where clusters share tiles: a last round that is cut on its own, with a whole one behind it; one that is cut with
  /// a whole round, so that parts begin and end within tiles. The first is enough where clusters have two blocks, which
  /// take twice as long.
  void expect_shares_verified(Tile const& tile) {
    bool const pairs = GetParam().find("-c2x1") != std::string::npos;
    auto const expect_verified_with = [&](int clusters, int tiles, int k_blocks) {
      emulated::device().multiprocessors = pairs ? 2 * clusters : clusters;
      expect_verified_or_refused(
          fmt::format("nt,m{}n{}k{},alpha2,beta3", tile.m / 2, (tiles - 1) * tile.n + 16, k_blocks * 1024 / bits()));
    };
    expect_verified_with(2, 3, 6);
    if (!pairs) expect_verified_with(3, 4, 9);
  }

  static std::string types() {
    return to_text(static_cast<GemmKernel const*>(registered_kernel(GetParam()).typed)->types);
  }

  /// Of an element of A.
  static int bits() {
    return format_of(static_cast<GemmKernel const*>(registered_kernel(GetParam()).typed)->types.a).bits;
  }

  bool takes(std::string const& problem_of_types) {
    return !operation_->parse(types() + "," + problem_of_types)->refusal(registered_kernel(GetParam()));
  }

  /// Returns whether the kernel takes the problem.
  bool expect_verified_or_refused(std::string const& problem_of_types) {
    if (!takes(problem_of_types)) return false;
    KernelInfo const& kernel = registered_kernel(GetParam());
    auto const problem = operation_->parse(types() + "," + problem_of_types);
    ++verified_;
    ++emulated::device().seed;
    auto const verification = problem->verify(*backend_, kernel, emulated::device().seed);
    EXPECT_TRUE(verification.passed) << GetParam() << "@" << problem->text() << ": " << first_failure(verification);
    return true;
  }

  int verified_ = 0;  // problems
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
