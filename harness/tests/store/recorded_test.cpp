// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Honest measurements are not refused: accepts the recordings of docs/evidence and the shipped baselines once more.
#include "perfcheck/model/json.h"
#include "perfcheck/store/store.h"
#include "recordings.h"
#include "runs_of.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace perfcheck::store {
namespace {

namespace fs = std::filesystem;
using model::Baseline;

AcceptOptions options(AuditPolicy const& policy) {
  return {.who = "Ada",
          .when = "2026-11-21T09:00:00Z",
          .why = "recorded",
          .replace = false,
          .allow_dirty = true,
          .audit = policy};
}

// The policies of perfcheck.toml.
AuditPolicy const kGpu{};
AuditPolicy const kCpu{.min_sd = 0.01, .shared_device = true};

/// Accepts the runs; fails with the findings if they are refused.
std::optional<Baseline> accepted(std::optional<Baseline> const& base, std::vector<model::Run> const& runs,
                                 AuditPolicy const& policy, std::string const& what) {
  try {
    return accept(base, runs, options(policy));
  } catch (Refused const& refused) {
    for (Finding const& finding : refused.findings()) {
      ADD_FAILURE() << what << ": " << finding.name << ": " << finding.text;
    }
  }
  return std::nullopt;
}

TEST(Recorded, SessionsOfFourH100AreAccepted) {
  int sessions = 0;
  std::optional<Baseline> all;
  for (auto const& [card, runs] : testing::recordings("cal")) {
    // The card's baseline run comes first; then its blocks are added.
    std::optional<Baseline> own;
    for (model::Run const& run : runs) {
      own = accepted(own, {run}, kGpu, card + " " + run.id);
      sessions += static_cast<int>(run.sessions.size());
      ASSERT_TRUE(own);
    }
    (void)accepted(std::nullopt, runs, kGpu, card);
    // The cards were recorded at different commits, so the common baseline has mixed code.
    AcceptOptions together = options(kGpu);
    together.despite = [](Finding const& finding) { return finding.kind == FindingKind::mixed_code ? "commits" : ""; };
    ASSERT_NO_THROW(all = accept(all, {runs.front()}, together)) << card;
  }
  EXPECT_EQ(all.value().sessions.size(), 29U);
  EXPECT_EQ(sessions, 29 + 8 * 7);
}

TEST(Recorded, FewerOfTheSessionsAreAcceptedToo) {
  for (auto const& [card, runs] : testing::recordings("cal")) {
    for (std::size_t count = 3; count < runs.front().sessions.size(); ++count) {
      model::Run first = runs.front(), last = runs.front();
      first.sessions.resize(count);
      last.sessions.erase(last.sessions.begin(), last.sessions.end() - static_cast<std::ptrdiff_t>(count));
      EXPECT_TRUE(accepted(std::nullopt, {first}, kGpu, fmt::format("{}, first {}", card, count)));
      EXPECT_TRUE(accepted(std::nullopt, {last}, kGpu, fmt::format("{}, last {}", card, count)));
    }
  }
}

TEST(Recorded, SessionsOfASharedCpuAreAccepted) {
  int recordings_seen = 0;
  for (char const* folder : {"neighbours", "busy-neighbours", "compiling"}) {
    for (auto const& [card, runs] : testing::recordings(folder)) {
      EXPECT_TRUE(accepted(std::nullopt, {runs.front()}, kCpu, card));
      ++recordings_seen;
      for (model::Run const& run : runs) {
        EXPECT_TRUE(accepted(std::nullopt, {run}, kCpu, card + " " + run.id));
      }
    }
  }
  EXPECT_EQ(recordings_seen, 3);
}

TEST(Recorded, BaselinesThatAreShippedAreAcceptedAgain) {
  for (char const* file : {"nvidia-h100-80gb-hbm3/gemm.json", "nvidia-h200/gemm.json"}) {
    fs::path const path = fs::path(PERFCHECK_BASELINES_DIR) / file;
    Baseline const stored = model::baseline_from_text(read_file(path), path.string());
    std::vector<model::Run> const runs = testing::runs_of(stored);
    ASSERT_GE(stored.sessions.size(), 5U);
    EXPECT_TRUE(accepted(std::nullopt, runs, kGpu, file)) << "accepting all runs at once must work";
    std::optional<Baseline> one_by_one;
    for (model::Run const& run : runs) {
      one_by_one = accepted(one_by_one, {run}, kGpu, file);
      ASSERT_TRUE(one_by_one) << "accepting the runs one by one must work";
    }
    EXPECT_EQ(one_by_one->sessions.size(), stored.sessions.size());
    for (Finding const& finding : audit(stored, kGpu)) {
      ADD_FAILURE() << file << ": " << finding.text;
    }
  }
}

TEST(Recorded, SessionsWouldBeRefusedIfOneWereTwiceAsSlow) {
  fs::path const path = fs::path(PERFCHECK_BASELINES_DIR) / "nvidia-h100-80gb-hbm3/gemm.json";
  Baseline const stored = model::baseline_from_text(read_file(path), path.string());
  std::string const slow_case = "gemm/simt/stream_k@f32,nn,m4096n4096k4096";
  for (double const factor : {1.2, 2.0, 10.0}) {
    std::vector<model::Run> runs = testing::runs_of(stored);
    for (model::CaseResult& result : runs.front().sessions.front().cases) {
      if (result.id == slow_case) {
        for (double& time : result.rounds.value().time_ns) time *= factor;
      }
    }
    try {
      (void)accept(std::nullopt, runs, options(kGpu));
      ADD_FAILURE() << factor;
    } catch (Refused const& refused) {
      ASSERT_EQ(refused.findings().size(), 1U);
      EXPECT_EQ(refused.findings()[0].cases, std::vector<std::string>{slow_case});
    }
  }
}

}  // namespace
}  // namespace perfcheck::store
