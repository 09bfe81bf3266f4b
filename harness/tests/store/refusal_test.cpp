// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Sessions that must not become part of a baseline because of their numbers, and how to overrule that.
#include "made_up.h"
#include "perfcheck/model/json.h"
#include "perfcheck/store/levels.h"
#include "perfcheck/store/store.h"
#include "runs_of.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace perfcheck::store {
namespace {

using model::Baseline;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kernel_case;
using testing::made_up_baseline;
using testing::runs_of;
using ::testing::SizeIs;
using testing::slow;
using testing::slow_all;

AcceptOptions options(bool replace = false) {
  return {.who = "Ada", .when = "2026-11-21T09:00:00Z", .why = "test", .replace = replace, .allow_dirty = false};
}

/// Runs of a made-up baseline after `spoil`.
std::vector<model::Run> runs(std::function<void(Baseline&)> const& spoil, testing::MadeUpBaseline const& what = {}) {
  Baseline baseline = made_up_baseline(what);
  spoil(baseline);
  return runs_of(baseline);
}

std::vector<model::Run> honest_runs(std::uint64_t seed = 1) {
  return runs([](Baseline&) {}, {.seed = seed});
}

/// The same runs under another name, as a later measurement.
std::vector<model::Run> renamed(std::vector<model::Run> runs, std::string const& name) {
  for (model::Run& run : runs) {
    run.id = name + run.id;
  }
  return runs;
}

std::string refusal_of(std::optional<Baseline> const& base, std::vector<model::Run> const& runs,
                       AcceptOptions const& accept_options = options()) {
  try {
    (void)accept(base, runs, accept_options);
  } catch (Refused const& refused) {
    std::string const what = refused.what();
    EXPECT_EQ(what.find('\n'), std::string::npos);
    EXPECT_FALSE(refused.findings().empty());
    return what;
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

/// Options that give a reason for findings of this name.
AcceptOptions despite(std::string const& name, bool replace = false) {
  AcceptOptions knowing = options(replace);
  knowing.despite = [name](Finding const& finding) { return finding.name == name ? "it is known" : ""; };
  return knowing;
}

TEST(Refusal, IsNotForHonestSessions) {
  Baseline const first = accept(std::nullopt, honest_runs(), options());
  EXPECT_EQ(first.sessions.size(), 8U);
  EXPECT_THAT(first.accepted[0].despite, IsEmpty());
  EXPECT_EQ(accept(first, runs_of(made_up_baseline({}), 2, "r"), options()).sessions.size(), 16U);
}

TEST(Refusal, NamesRunSessionCaseAndRemedyOfAnOutlier) {
  std::vector<model::Run> const odd = runs([](Baseline& b) { slow(b, kernel_case(7), "s03", 2); });
  EXPECT_THAT(refusal_of(std::nullopt, odd),
              AllOf(HasSubstr("run run1 cannot become part of the baseline: session s3 of run run1"),
                    HasSubstr(kernel_case(7) + ": cycles +100"), HasSubstr("measure it again, or leave the run out"),
                    HasSubstr("--despite 'outlier:run1/s3:" + kernel_case(7) + "' REASON")));
}

TEST(Refusal, NamesASessionThatIsOffInManyCases) {
  std::vector<model::Run> const odd = runs([](Baseline& b) { slow_all(b, "s03", 10); });
  EXPECT_THAT(refusal_of(std::nullopt, odd),
              AllOf(HasSubstr("48 of 48 cases are"), HasSubstr("% slower"), HasSubstr("--despite 'session:run1/s3'")));
}

TEST(Refusal, SaysHowMuchMoreThereIs) {
  std::vector<model::Run> const odd = runs([](Baseline& b) {
    slow(b, kernel_case(7), "s03", 2);
    slow(b, kernel_case(8), "s04", 2);
    slow(b, kernel_case(9), "s05", 2);
  });
  try {
    (void)accept(std::nullopt, odd, options());
    ADD_FAILURE() << "nothing was refused";
  } catch (Refused const& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("(and 2 findings more)"));
    EXPECT_THAT(refused.findings(), SizeIs(3));
  }
}

TEST(Refusal, IsForAnotherLevelThanBefore) {
  Baseline const first = accept(std::nullopt, honest_runs(), options());
  std::vector<model::Run> const slower = runs_of(
      [] {
        Baseline b = made_up_baseline({});
        for (model::BaselineSession const& session : Baseline(b).sessions) slow_all(b, session.id, 1.2);
        return b;
      }(),
      2, "r");
  EXPECT_THAT(refusal_of(first, slower),
              AllOf(HasSubstr("the sessions accepted before on this card"), HasSubstr("--replace")));
  EXPECT_EQ(accept(first, slower, options(true)).sessions.size(), 8U) << "--replace must be the way to change a level";
}

TEST(Refusal, IsNotForWhatIsOddAboutEarlierSessions) {
  Baseline first = made_up_baseline({});
  slow(first, kernel_case(7), "s03", 2);
  Baseline const second = accept(first, runs_of(made_up_baseline({}), 2, "r"), options());
  EXPECT_EQ(second.sessions.size(), 16U);
  EXPECT_THAT(audit(second, {}), SizeIs(1)) << "the audit must still report it";
}

// ---- the same session twice

TEST(Refusal, IsForASessionUnderAnotherName) {
  Baseline const first = accept(std::nullopt, honest_runs(), options());
  EXPECT_THAT(refusal_of(first, renamed(honest_runs(), "again ")),
              AllOf(HasSubstr("session s1 of run again run1"), HasSubstr("holds the numbers of session s1 of run run1"),
                    HasSubstr("leave it out")));
}

TEST(Refusal, IsForASessionWhoseRoundsAreInAnotherOrder) {
  std::vector<model::Run> again = renamed(honest_runs(), "again ");
  for (model::Session& session : again[0].sessions) {
    for (model::CaseResult& result : session.cases) {
      model::Rounds& rounds = result.rounds.value();
      for (std::vector<double>* column :
           {&rounds.time_ns, &rounds.reference_time_ns, &rounds.clock_mhz, &rounds.reference_clock_mhz}) {
        std::reverse(column->begin(), column->end());
      }
    }
  }
  Baseline const first = accept(std::nullopt, honest_runs(), options());
  EXPECT_THAT(refusal_of(first, again), HasSubstr("holds the numbers of"));
}

TEST(Refusal, IsForASessionWhoseCasesWereRotated) {
  std::vector<model::Run> rotated = renamed(honest_runs(), "again ");
  rotated[0].sessions.resize(1);
  std::vector<model::CaseResult>& cases = rotated[0].sessions[0].cases;
  model::CaseResult const last = cases.back();
  for (std::size_t i = cases.size() - 1; i > 0; --i) {
    cases[i].rounds = cases[i - 1].rounds;
  }
  cases[0].rounds = last.rounds;
  Baseline const first = accept(std::nullopt, honest_runs(), options());
  EXPECT_THAT(refusal_of(first, rotated), HasSubstr("under the names of other cases"));
}

TEST(Refusal, IsForASessionThatIsTwiceInWhatIsGiven) {
  std::vector<model::Run> twice = honest_runs();
  model::Session copy = twice[0].sessions[1];
  copy.id = "s9";
  twice[0].sessions.push_back(copy);
  EXPECT_THAT(refusal_of(std::nullopt, twice),
              HasSubstr("session s9 of run run1 (s09) holds the numbers of session s2"));
}

// ---- machine code

std::vector<model::Run> of_other_code(std::vector<model::Run> runs, std::string const& code,
                                      std::size_t from_session = 0) {
  for (model::Run& run : runs) {
    for (std::size_t i = from_session; i < run.sessions.size(); ++i) {
      for (model::CaseResult& result : run.sessions[i].cases) {
        result.launches = {{.function = "f", .grid = {1, 1, 1}, .block = {32, 1, 1}, .machine_code = code}};
      }
    }
  }
  return runs;
}

TEST(Refusal, IsForSessionsOfDifferentMachineCode) {
  std::vector<model::Run> const mixed = of_other_code(of_other_code(honest_runs(), "abc"), "def", 6);
  EXPECT_THAT(refusal_of(std::nullopt, mixed),
              AllOf(HasSubstr("session s7 of run run1 (s07): 48 of 48 cases have other machine code than the sessions "
                              "they join"),
                    HasSubstr("accept runs of one build together"), HasSubstr("--replace"),
                    HasSubstr("--despite 'mixed_code:run1/s7'")));
}

TEST(Refusal, IsForSessionsOfOtherMachineCodeThanTheBaselines) {
  Baseline const first = accept(std::nullopt, of_other_code(honest_runs(), "abc"), options());
  std::vector<model::Run> const later = runs_of(made_up_baseline({}), 2, "r");
  EXPECT_THAT(refusal_of(first, of_other_code(later, "def")), HasSubstr("have other machine code"));
  EXPECT_EQ(accept(first, of_other_code(later, "abc"), options()).sessions.size(), 16U);
  EXPECT_EQ(accept(first, of_other_code(later, "def"), options(true)).sessions.size(), 8U);
}

TEST(Refusal, IsForSessionsThatLaunchedSomethingElse) {
  std::vector<model::Run> mixed = of_other_code(honest_runs(), "abc");
  mixed[0].sessions[2].cases[0].launches[0].grid = {7, 7, 7};
  EXPECT_THAT(refusal_of(std::nullopt, mixed), HasSubstr("1 of 48 cases launched something else"));
}

TEST(Refusal, IsNotForALibraryOfAnotherVersionThatChoosesOtherKernels) {
  std::vector<model::Run> mixed = of_other_code(honest_runs(), "");
  for (std::size_t i = 4; i < 8; ++i) {
    mixed[0].sessions[i].cases[0].launches[0].function = "g";
  }
  EXPECT_THAT(refusal_of(std::nullopt, mixed), HasSubstr("launched something else"));
  for (std::size_t i = 4; i < 8; ++i) {
    mixed[0].sessions[i].environment.libraries = {{"cuBLAS", "14.0"}};
  }
  EXPECT_EQ(accept(std::nullopt, mixed, options()).sessions.size(), 8U);
}

// ---- a person who knows better

TEST(Refusal, IsOverruledFindingByFindingAndThatGoesOnRecord) {
  std::vector<model::Run> const odd = runs([](Baseline& b) {
    slow(b, kernel_case(7), "s03", 2);
    slow(b, kernel_case(8), "s04", 2);
  });
  std::string const name = "outlier:run1/s3:" + kernel_case(7);
  EXPECT_THAT(refusal_of(std::nullopt, odd, despite(name)), HasSubstr(kernel_case(8))) << "the other one stays";
  Baseline const accepted =
      accept(std::nullopt, runs([](Baseline& b) { slow(b, kernel_case(7), "s03", 2); }), despite(name));
  Baseline const read = model::baseline_from_text(model::baseline_to_text(accepted), "f");
  ASSERT_THAT(read.accepted.at(0).despite, SizeIs(1));
  EXPECT_EQ(read.accepted[0].despite[0].finding, name);
  EXPECT_EQ(read.accepted[0].despite[0].why, "it is known");
  EXPECT_THAT(read.accepted[0].despite[0].text, HasSubstr("cycles +100"));
  EXPECT_EQ(accepted_despite(read, audit(read, {}).at(0)), "it is known");
}

TEST(Refusal, IsOffWhereNothingBecomesABaseline) {
  std::vector<model::Run> const odd = runs([](Baseline& b) { slow_all(b, "s03", 10); });
  AcceptOptions once = options();
  once.audit = std::nullopt;
  EXPECT_EQ(accept(std::nullopt, odd, once).sessions.size(), 8U);
}

// ---- levels

TEST(LevelMoves, AreThoseOfOneCardThatMovedMoreThanTheMeanOverAll) {
  Baseline before = made_up_baseline({.cards = 2, .sessions = 4, .noise = 0, .ratio_noise = 0, .clock_sd = 0});
  Baseline after = before;
  for (char const* session : {"s05", "s06", "s07", "s08"}) {
    slow(after, kernel_case(3), session, 1.1);
  }
  slow(after, kernel_case(4), "s01", 3);
  for (auto& [id, entry] : after.cases) {
    entry.session[0] = "s00";  // a different session
  }
  after.sessions[0].id = "s00";
  std::vector<LevelMove> const moves = level_moves(before, after, false);
  EXPECT_THAT(moves, SizeIs(before.cases.size()));
  EXPECT_EQ(moves[0].case_id, kernel_case(3)) << "the largest slowdown comes first";
  EXPECT_NEAR(moves[0].change, 0.1, 1e-9) << "the move must be that of the second card alone";
  EXPECT_NEAR(moves[0].cycles.value(), 0.1, 1e-9);
  EXPECT_NEAR(moves[0].ratio.value(), 0.1, 1e-9);
  EXPECT_NEAR(moves[1].change, 0, 1e-9) << "one session of four must not move the median";
}

TEST(LevelMoves, OfANewCardAreThoseOfTheMeanOverCardsThatCountEqually) {
  Baseline after = made_up_baseline({.cards = 2, .sessions = 4, .noise = 0, .ratio_noise = 0, .clock_sd = 0});
  for (char const* session : {"s05", "s06", "s07", "s08"}) {
    slow(after, kernel_case(3), session, 1.1);
  }
  Baseline before = after;
  before.sessions.resize(4);
  for (auto& [id, entry] : before.cases) {
    entry.session.resize(4);
    for (auto* column : {&entry.time_ns, &entry.ratio, &entry.cycles}) column->resize(4);
  }
  std::vector<LevelMove> const moves = level_moves(before, after, false);
  EXPECT_EQ(moves.at(0).case_id, kernel_case(3));
  EXPECT_NEAR(moves[0].change, std::sqrt(1.1) - 1, 1e-9);
}

TEST(LevelMoves, AreAboutCasesThatGotOtherSessions) {
  Baseline const before = made_up_baseline({});
  EXPECT_THAT(level_moves(before, before, false), IsEmpty());
  EXPECT_THAT(level_moves(Baseline{}, before, false), IsEmpty()) << "there was no earlier baseline";
}

TEST(LevelMoves, HoldNoRatioAgainstThatToAnotherReference) {
  Baseline const before = made_up_baseline({});
  Baseline after = before;
  for (auto& [id, entry] : after.cases) {
    entry.session.pop_back();
    for (auto* column : {&entry.time_ns, &entry.ratio, &entry.cycles}) column->pop_back();
  }
  after.cases.at(kernel_case(3)).reference = "another@x";
  std::vector<LevelMove> const moves = level_moves(before, after, false);
  auto const of = [&](std::string const& id) {
    return *std::find_if(moves.begin(), moves.end(), [&](LevelMove const& move) { return move.case_id == id; });
  };
  EXPECT_FALSE(of(kernel_case(3)).ratio);
  EXPECT_TRUE(of(kernel_case(4)).ratio);
  EXPECT_FALSE(of(testing::library_case(0)).ratio) << "a control has no ratio";
}

TEST(LevelMoves, OnASharedDeviceAreThoseOfTheRatio) {
  Baseline const before = made_up_baseline({.noise = 0, .ratio_noise = 0, .clock_sd = 0});
  Baseline after = before;
  for (auto& [id, entry] : after.cases) {
    entry.session.back() = "s99";
    for (double& cycles : entry.cycles) cycles *= 2;
  }
  after.sessions.back().id = "s99";
  auto const moves = level_moves(before, after, true), exclusive = level_moves(before, after, false);
  EXPECT_NEAR(exclusive.back().change, 1, 1e-9);
  EXPECT_NEAR(moves.back().change, 0, 1e-9);
}

}  // namespace
}  // namespace perfcheck::store
