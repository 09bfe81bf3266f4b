// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// This repository's baselines and kernels under its own perfcheck.toml: a kernel that was renamed or removed needs an
// entry there, or its stored cases are missing on every device.
#include "perfcheck/baselines/stored.h"
#include "perfcheck/config/asked.h"
#include "perfcheck/config/config.h"
#include "perfcheck/gate/gate.h"
#include "perfcheck/gate/glob.h"
#include "perfcheck/model/tuning.h"
#include "perfcheck/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace perfcheck {
namespace {

namespace fs = std::filesystem;

fs::path const kProject = fs::path(PERFCHECK_CONFIG).parent_path();

/// Ids of the kernels that the files below kernels/gemm register. Taken from the text: CUDA kernels are not built
/// everywhere.
std::set<std::string> kernels_of_the_sources() {
  static std::regex const registration("\\nPERFCHECK_(?:TUNED_)?GEMM_KERNEL\\((\\w+)");
  std::set<std::string> kernels;
  for (fs::directory_entry const& entry : fs::recursive_directory_iterator(kProject / "kernels/gemm")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".cu") continue;
    std::string const set = "gemm/" + entry.path().parent_path().filename().string() + "/";
    std::string const text = store::read_file(entry.path().string());
    for (std::sregex_iterator it(text.begin(), text.end(), registration), end; it != end; ++it) {
      kernels.insert(set + (*it)[1].str());
    }
  }
  return kernels;
}

struct Shipped {
  std::string file;
  model::Baseline stored;   ///< as it was accepted
  model::Baseline renamed;  ///< with today's ids; renamed() throws if two cases would get the same one
};

/// Those of GPUs: `make perfcheck` records one of this machine's CPU beside them, which is not the project's.
std::vector<Shipped> shipped_baselines(config::Config const& config) {
  std::vector<Shipped> all;
  for (fs::path const& file : baselines::baseline_files(config.baselines, "")) {
    std::string const slug = file.parent_path().filename().string();
    if (slug.starts_with("cpu-")) continue;
    std::optional<model::Baseline> const stored = store::read_baseline(config.baselines, slug, file.stem().string());
    all.push_back({.file = file.string(),
                   .stored = stored.value(),
                   .renamed = model::renamed(*stored, config.names.renamed, file.string())});
  }
  return all;
}

TEST(ShippedBaselines, HoldCasesOfTodaysKernelsAlone) {
  config::Config const config = config::load_config(PERFCHECK_CONFIG);
  std::set<std::string> const kernels = kernels_of_the_sources();
  ASSERT_THAT(kernels, ::testing::IsSupersetOf({"gemm/simt/naive", "gemm/simt/persistent", "gemm/cublas/f32"}));
  std::vector<Shipped> const all = shipped_baselines(config);
  ASSERT_GE(all.size(), 2U);
  for (Shipped const& one : all) {
    ASSERT_EQ(one.renamed.cases.size(), one.stored.cases.size()) << one.file;
    ASSERT_GE(one.renamed.cases.size(), 300U) << one.file;
    for (auto const& [id, stored] : one.renamed.cases) {
      bool const is_retired = std::ranges::any_of(config.names.retired, [&id = id](gate::Retired const& entry) {
        return gate::glob_matches_case(entry.pattern, id);
      });
      EXPECT_TRUE(is_retired || kernels.contains(model::split_case_id(id).kernel))
          << one.file << ": " << id << " is of no kernel below kernels/gemm; name it in [renamed] or [retired]";
      EXPECT_TRUE(kernels.contains(model::split_case_id(stored.reference).kernel))
          << one.file << ": " << id << " was timed beside a kernel that is gone: " << stored.reference;
    }
  }
}

TEST(ShippedBaselines, HoldWhatTheDefaultSuiteTakes) {
  config::Config const config = config::load_config(PERFCHECK_CONFIG);
  config::Suite const& suite = config.suite(config::kDefaultSuite, "cuda");
  ASSERT_FALSE(suite.kernels.empty());
  for (Shipped const& one : shipped_baselines(config)) {
    for (auto const& [id, stored] : one.renamed.cases) {
      EXPECT_TRUE(config::takes(suite.kernels, config.names.renamed.all(id)))
          << one.file << ": " << id << " was measured for every commit, and would be no more";
    }
  }
  auto const takes = [&](std::string const& kernel) { return config::takes(suite.kernels, {kernel + "@p"}); };
  for (char const* kernel : {"gemm/wmma/combined_bf16", "gemm/mma/wide_tile_f16", "gemm/fastest/f32",
                             "gemm/fastest/f16", "gemm/fastest/s8", "gemm/cublas/f16", "gemm/simt/stream_k"}) {
    EXPECT_TRUE(takes(kernel)) << kernel;
  }
  for (char const* kernel : {"gemm/wmma/padded_f16", "gemm/mma/ldmatrix_f16", "gemm/mma/persistent_f16",
                             "gemm/simt/f16_shared_tile", "gemm/cublas/f16_best", "gemm/cublas/s8_best"}) {
    EXPECT_FALSE(takes(kernel)) << kernel;
    EXPECT_TRUE(config::takes(config.suite("nightly", "cuda").kernels, {std::string(kernel) + "@p"})) << kernel;
  }
}

TEST(ShippedBaselines, HoldWhatUsersOfTheLaddersCall) {
  config::Config const config = config::load_config(PERFCHECK_CONFIG);
  int const sessions = config.backend("cuda").policy.min_baseline_sessions;
  for (Shipped const& one : shipped_baselines(config)) {
    std::map<std::string, int> cases;
    for (auto const& [id, stored] : one.renamed.cases) {
      if (static_cast<int>(stored.session.size()) >= sessions) ++cases[model::split_case_id(id).kernel];
    }
    for (char const* types : {"f32", "tf32", "f16", "bf16"}) {
      EXPECT_EQ(cases[std::string("gemm/fastest/") + types], 15) << one.file << ": " << types;
    }
    EXPECT_EQ(cases["gemm/fastest/s8"], 4) << one.file;
  }
}

// Where nothing is tuned for its types, fastest takes a kernel that runs everywhere; another was up to 57 % faster.
TEST(ShippedTuning, LetsFastestChooseInEachOfItsTypes) {
  config::Config const config = config::load_config(PERFCHECK_CONFIG);
  std::vector<config::SuiteProblem> const problems = config::expand(config.suite("tune", "cuda"));
  std::set<std::string> types;
  for (auto const& [name, problem] : problems) {
    types.insert(problem.substr(0, problem.find(',')));
  }
  auto const of_fastest = [](std::string const& kernel) { return kernel.starts_with("gemm/fastest/"); };
  EXPECT_EQ(static_cast<std::ptrdiff_t>(types.size()), std::ranges::count_if(kernels_of_the_sources(), of_fastest));
  // A problem that was added may be measured on one device only; the others take the nearest of its types.
  std::set<std::string> tuned;
  for (Shipped const& one : shipped_baselines(config)) {
    std::string const slug = fs::path(one.file).parent_path().filename().string();
    std::set<std::string> types_of_device;
    for (auto const& [problem, points] :
         store::read_tuning(store::tuning_path(config.baselines, slug, "gemm")).problems) {
      types_of_device.insert(problem.substr(0, problem.find(',')));
      tuned.insert(problem);
    }
    // FP8 came when no H100 could be had: there, fastest takes what its file names for want of measurements.
    for (std::string const& one_type : types) {
      EXPECT_TRUE(types_of_device.contains(one_type) || one_type.starts_with("e4m3")) << slug << ": " << one_type;
    }
  }
  for (auto const& [name, problem] : problems) {
    EXPECT_TRUE(tuned.contains(problem)) << "no device is tuned for " << problem;
  }
}

TEST(ShippedBaselines, KeepTheMarginsOfKernelsThatWereRenamed) {
  config::Config const config = config::load_config(PERFCHECK_CONFIG);
  gate::Policy const& policy = config.backend("cuda").policy;
  std::size_t of_cublas = 0;
  for (Shipped const& one : shipped_baselines(config)) {
    for (auto const& [id, stored] : one.renamed.cases) {
      bool const is_cublas = id.starts_with("gemm/cublas/");
      for (std::string const& name : config.names.renamed.all(id)) {
        double const margin = gate::margin_of(policy, name);
        EXPECT_EQ(margin, gate::margin_of(policy, id)) << name;
        if (is_cublas) {
          EXPECT_GE(margin, 0.02) << name;
          if (name != id) ++of_cublas;
        } else {
          EXPECT_EQ(margin, policy.margin) << name;
        }
      }
    }
  }
  EXPECT_GE(of_cublas, 100U);
}

}  // namespace
}  // namespace perfcheck
