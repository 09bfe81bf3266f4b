// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of docs/evidence are what the commands in its README.md print, with the policy, the recordings and the
// pinned baseline of this tree. This test repeats only quick parts: the lines about some cards on which nothing
// changed, and the first of the simulated checks. docs/evidence/write.sh runs everything.
#include "program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace perfcheck::cli::testing {
namespace {

namespace fs = std::filesystem;

constexpr int kSimulated = 20;
// Cards with few blocks, which are quick to evaluate.
constexpr char const* kOneBlock = "gpu-7bfe2576-e2ea-6af1-188c-8001e2d93b96";
constexpr char const* kTwoBlocks = "gpu-89d0690f-35f4-881c-c236-8e5d360f407e";

/// The contents of a file of the source tree.
std::string text_of(std::string const& name) {
  std::ifstream stream(fs::path(PERFCHECK_SOURCE) / name);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string committed(std::string const& name) { return text_of("docs/evidence/" + name); }

/// The lines with the result of each card that has a block, and with what the recordings were compared with.
std::vector<std::string> lines_of_cards(std::string const& text) {
  std::vector<std::string> lines;
  std::regex const line("    [^\n]+: [0-9]+ of [1-9][0-9]* blocks, [^\n]+\n|suite [^\n]+, compared with [^\n]+\n");
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
    lines.push_back(it->str());
  }
  return lines;
}

/// The decisions of the simulated checks up to number `last`, one per line.
std::string findings_up_to(int last, std::string const& text) {
  std::string lines;
  std::size_t at = text.find("\nCheck by check\n");
  std::regex const line(" +([0-9]+)  [^\n]+\n");
  for (std::sregex_iterator it(text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size())), text.end(), line),
       end;
       it != end; ++it) {
    lines += std::stoi((*it)[1]) <= last ? it->str() : "";
  }
  return lines;
}

/// The suite default has had problems of INT8 since these runs were recorded; they would be missing in each.
std::string without_int8(std::string const& toml) {
  std::size_t const begin = toml.find("[suites.default.cuda]"), end = toml.find("\n[", begin);
  return toml.substr(0, begin) +
         std::regex_replace(toml.substr(begin, end - begin), std::regex("\n  \"s8\\.[^\n]*"), "") + toml.substr(end);
}

class Evidence : public ProgramTest {
 protected:
  /// Makes a folder like the source tree, in which the README's commands work unchanged.
  Evidence() {
    std::ofstream(file("perfcheck.toml")) << without_int8(text_of("perfcheck.toml"));
    fs::create_directory_symlink(fs::path(PERFCHECK_SOURCE) / "docs", file("docs"));
    for (auto const& entry : fs::directory_iterator(PERFCHECK_RECORDINGS)) {
      if (entry.is_directory() && entry.path().filename() != "cal") {
        fs::create_directory_symlink(entry.path(), file(entry.path().filename()));
      }
    }
  }

  /// Makes a folder "cal" with the baseline sessions of all H100s, and with the blocks of the cards in `with_blocks`.
  void put_h100(std::vector<std::string> const& with_blocks) const {
    for (auto const& card : fs::directory_iterator(fs::path(PERFCHECK_RECORDINGS) / "cal")) {
      std::string const name = card.path().filename();
      bool const whole = std::find(with_blocks.begin(), with_blocks.end(), name) != with_blocks.end();
      fs::create_directories(file("cal/" + name));
      for (auto const& run : fs::directory_iterator(card.path())) {
        if (whole || run.path().filename() == "baseline.run.json") {
          fs::create_symlink(run.path(), file("cal/" + name) / run.path().filename());
        }
      }
    }
  }

  std::string calibrate(std::vector<std::string> args) const {
    args.insert(args.begin(), "calibrate");
    Finished const finished = perfcheck(args);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return finished.out;
  }

  /// Expects the file to contain what the command now prints about `cards` cards.
  void expect_follows(std::string const& name, std::size_t cards, std::vector<std::string> args) const {
    args.insert(args.end(), {"--blocks", "0", "--repetitions", "0"});
    std::string const expected = committed(name);
    std::vector<std::string> const lines = lines_of_cards(calibrate(args));
    ASSERT_EQ(lines.size(), 1 + cards);
    for (std::string const& line : lines) {
      EXPECT_THAT(expected, ::testing::HasSubstr(line))
          << name << " differs from what its command prints now: write it again (docs/evidence/write.sh) and look at "
          << "what changed";
    }
  }
};

TEST_F(Evidence, OfCardsThatTheBaselineKnowsFollows) {
  put_h100({kTwoBlocks});
  expect_follows("h100-same-card.txt", 1, {"--data", "cal"});
}

TEST_F(Evidence, OfThePinnedBaselineFollows) {
  put_h100({kOneBlock});
  expect_follows("h100-shipped-baseline.txt", 1,
                 {"--data", "cal", "--stored", "--baselines", "docs/evidence/baselines"});
}

TEST_F(Evidence, OfHeldOutCardsFollows) {
  put_h100({kOneBlock});
  expect_follows("h100-held-out.txt", 1, {"--data", "cal", "--held-out"});
}

TEST_F(Evidence, OfASharedCpuFollows) {
  for (std::string const name : {"neighbours", "busy-neighbours", "compiling"}) {
    expect_follows("cpu-" + name + ".txt", 1, {"--data", name});
  }
}

TEST_F(Evidence, OfSimulatedChecksFollows) {
  put_h100(
      {kOneBlock, kTwoBlocks, "gpu-69141511-8732-f779-0be1-94ae931f4cf9", "gpu-ee9709a1-58e3-3e73-7f84-e0fa00c3a411"});
  std::string const expected = findings_up_to(kSimulated, committed("h100-simulated.txt"));
  ASSERT_FALSE(expected.empty()) << "nothing to compare: none of the first " << kSimulated
                                 << " checks left a case open";
  std::string const now = calibrate({"--data", "cal", "--simulate", std::to_string(kSimulated), "--verbose"});
  EXPECT_EQ(findings_up_to(kSimulated, now), expected) << "h100-simulated.txt differs from what its command prints now";
}

/// Checks of unchanged code, as users run them, on cards of one model, with the counts that docs/evidence/README.md
/// gives.
struct LiveRecording {
  char const* model;
  char const* folder;
  std::size_t cards, runs;
  std::size_t undecided;  ///< runs that end with 3 against the other cards
  std::size_t known;      ///< runs on cards that the baseline knew
};

class LiveRuns : public Evidence, public ::testing::WithParamInterface<LiveRecording> {
 protected:
  using Runs = std::vector<std::string>;

  /// Files of a card whose names begin with `beginning`.
  static Runs of(fs::path const& card, std::string const& beginning) {
    Runs runs;
    for (auto const& run : fs::directory_iterator(card)) {
      if (run.path().filename().string().starts_with(beginning)) runs.push_back(run.path());
    }
    std::ranges::sort(runs);
    return runs;
  }
  static std::vector<fs::path> cards() {
    std::vector<fs::path> cards;
    for (auto const& card : fs::directory_iterator(fs::path(PERFCHECK_RECORDINGS) / GetParam().folder)) {
      cards.push_back(card);
    }
    return cards;
  }

  void accept(std::string const& folder, Runs const& runs) const {
    std::vector<std::string> args = {"baseline", "accept", "--baselines", folder, "--why", "evidence", "--who", "test"};
    args.insert(args.end(), runs.begin(), runs.end());
    Finished const finished = perfcheck(args);
    ASSERT_EQ(finished.code, 0) << finished.err;
  }

  /// Compares, and returns the exit code. Fails if a case or a kernel is called regressed or improved.
  int expect_no_verdict(std::string const& folder, std::string const& run) const {
    Finished const finished = perfcheck({"compare", "--json", "--baselines", folder, run});
    for (char const* key : {"cases", "kernels"}) {
      auto const decided = finished.json().at(key);
      for (auto const& one : decided) {
        EXPECT_NE(one.at("verdict"), "regressed") << run << ": " << one;
        EXPECT_NE(one.at("verdict"), "improved") << run << ": " << one;
      }
    }
    return finished.code;
  }
};

TEST_P(LiveRuns, OfCardsThatOnlyOthersSessionsTellOfGetNoVerdict) {
  ASSERT_EQ(cards().size(), GetParam().cards);
  std::size_t runs = 0, undecided = 0;
  for (fs::path const& card : cards()) {
    Runs others;
    for (fs::path const& other : cards()) {
      if (other != card) std::ranges::copy(of(other, ""), std::back_inserter(others));
    }
    std::string const folder = "others-" + card.filename().string();
    accept(folder, others);
    for (std::string const& run : of(card, "")) {
      int const code = expect_no_verdict(folder, run);
      EXPECT_THAT(code, ::testing::AnyOf(0, 3)) << run;
      ++runs;
      undecided += code == 3 ? 1 : 0;
    }
  }
  EXPECT_EQ(runs, GetParam().runs);
  EXPECT_EQ(undecided, GetParam().undecided) << "docs/evidence/README.md states another number";
}

TEST_P(LiveRuns, OfCardsThatTheBaselineKnowsGetNoVerdict) {
  std::size_t runs = 0;
  for (fs::path const& card : cards()) {
    Runs const known = of(card, "known");
    if (known.empty()) continue;
    std::string const folder = "known-" + card.filename().string();
    accept(folder, of(card, "unknown"));
    for (std::string const& run : known) {
      ++runs;
      EXPECT_THAT(expect_no_verdict(folder, run), ::testing::AnyOf(0, 3)) << run;
    }
  }
  EXPECT_EQ(runs, GetParam().known);
}

INSTANTIATE_TEST_SUITE_P(Of, LiveRuns,
                         ::testing::Values(LiveRecording{"H100", "live", 7, 23, 6, 6},
                                           LiveRecording{"H200", "live-h200", 16, 41, 5, 2}),
                         [](auto const& recording) { return recording.param.model; });

}  // namespace
}  // namespace perfcheck::cli::testing
