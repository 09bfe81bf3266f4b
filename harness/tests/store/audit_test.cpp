// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the audit reports as odd, and what not.
#include "perfcheck/store/audit.h"
#include "made_up.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace perfcheck::store {
namespace {

using model::Baseline;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kernel_case;
using testing::library_case;
using testing::made_up_baseline;
using ::testing::Not;
using ::testing::SizeIs;
using testing::slow;
using testing::slow_all;

AuditPolicy shared() { return {.min_sd = 0.01, .shared_device = true}; }

std::vector<std::string> texts(std::vector<Finding> const& findings) {
  std::vector<std::string> lines;
  for (Finding const& finding : findings) {
    EXPECT_EQ(finding.text.find('\n'), std::string::npos);
    lines.push_back(finding.name + "|" + finding.text);
  }
  return lines;
}

std::vector<std::string> names(Baseline const& baseline, AuditPolicy const& policy = {}) {
  std::vector<std::string> list;
  for (Finding const& finding : audit(baseline, policy)) {
    list.push_back(finding.name);
  }
  return list;
}

TEST(Audit, LeavesHonestSessionsAlone) {
  int odd = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Baseline const baseline = made_up_baseline({.cases = 60,
                                                .cards = static_cast<int>(1 + seed % 3),
                                                .sessions = static_cast<int>(3 + seed % 6),
                                                .card_sd = 0.005,
                                                .seed = seed});
    odd += audit(baseline, {}).empty() ? 0 : 1;
  }
  EXPECT_LE(odd, 4) << "far fewer than one in twenty honest baselines may be odd";
}

TEST(Audit, OfNothingFindsNothing) {
  EXPECT_THAT(audit(Baseline{}, {}), IsEmpty());
  Baseline baseline = made_up_baseline({.cases = 5, .sessions = 1});
  EXPECT_THAT(audit(baseline, {.min_sessions = 1}), IsEmpty()) << "a single session cannot differ from others";
}

TEST(Audit, FindsACaseOfASessionThatIsSlower) {
  for (double const factor : {1.1, 2.0, 10.0, 0.5}) {
    Baseline baseline = made_up_baseline({});
    slow(baseline, kernel_case(7), "s03", factor);
    std::vector<Finding> const findings = audit(baseline, {});
    ASSERT_THAT(findings, SizeIs(1)) << factor << fmt::format("{}", fmt::join(texts(findings), "\n"));
    EXPECT_EQ(findings[0].kind, FindingKind::outlier);
    EXPECT_THAT(findings[0].sessions, ElementsAre("s03"));
    EXPECT_THAT(findings[0].cases, ElementsAre(kernel_case(7)));
    EXPECT_EQ(findings[0].name, "outlier:run1/s3:" + kernel_case(7));
    EXPECT_THAT(findings[0].text, AllOf(HasSubstr("session s3 of run run1 (s03)"), HasSubstr(kernel_case(7)),
                                        HasSubstr(fmt::format("cycles {:+.0f}", 100 * (factor - 1)).substr(0, 9))));
  }
}

TEST(Audit, FindsTwoSessionsThatAreSlowerThanTheOthers) {
  Baseline baseline = made_up_baseline({.sessions = 4});
  slow(baseline, kernel_case(7), "s02", 2);
  slow(baseline, kernel_case(7), "s04", 2.1);
  EXPECT_THAT(names(baseline), ElementsAre("outlier:run1/s2:" + kernel_case(7), "outlier:run1/s4:" + kernel_case(7)));
}

TEST(Audit, DoesNotTakeTwoLevelsOfAKernelForNoise) {
  for (double const factor : {1.06, 1.08, 1.2, 2.0}) {
    Baseline baseline = made_up_baseline({});
    for (char const* session : {"s02", "s04", "s06", "s08"}) {
      slow(baseline, kernel_case(7), session, factor);
    }
    EXPECT_THAT(names(baseline), ElementsAre("outlier:run1/s2:" + kernel_case(7), "outlier:run1/s4:" + kernel_case(7),
                                             "outlier:run1/s6:" + kernel_case(7), "outlier:run1/s8:" + kernel_case(7)))
        << factor;
  }
}

TEST(Audit, LeavesTheTwoLevelsOfALibraryAlone) {
  Baseline baseline = made_up_baseline({});
  // Like a split-k kernel, and with it the ratios of the cases measured beside it.
  slow(baseline, library_case(1), "s03", 1.09);
  slow(baseline, library_case(1), "s05", 1.09);
  for (int i = 5; i < 10; ++i) {
    baseline.cases.at(kernel_case(i)).ratio.at(2) /= 1.09;
    baseline.cases.at(kernel_case(i)).ratio.at(4) /= 1.09;
  }
  EXPECT_THAT(texts(audit(baseline, {})), IsEmpty());
  slow(baseline, library_case(2), "s03", 2);
  EXPECT_THAT(names(baseline), ElementsAre("outlier:run1/s3:" + library_case(2))) << "too much even for a library";
}

TEST(Audit, NamesASessionThatIsOffInManyCases) {
  Baseline baseline = made_up_baseline({.cases = 150});
  ASSERT_EQ(baseline.cases.size(), 180U);
  double factor = 1.07;
  for (int i = 0; i < 41; ++i) {
    slow(baseline, kernel_case(i), "s03", factor);
    factor = i < 30 ? 1.07 : 2.1;
  }
  std::vector<Finding> const findings = audit(baseline, {});
  ASSERT_THAT(findings, SizeIs(1)) << fmt::format("{}", fmt::join(texts(findings), "\n"));
  EXPECT_EQ(findings[0].kind, FindingKind::session);
  EXPECT_EQ(findings[0].name, "session:run1/s3");
  EXPECT_THAT(findings[0].cases, SizeIs(41));
  EXPECT_THAT(findings[0].text, AllOf(HasSubstr("session s3 of run run1 (s03): 41 of 180 cases are"),
                                      HasSubstr("to 110 % slower than in the other sessions of its card (cycles")));
}

TEST(Audit, NamesASessionThatIsALittleSlowerInAllCases) {
  Baseline baseline = made_up_baseline({});
  slow_all(baseline, "s02", 1.03);
  std::vector<Finding> const findings = audit(baseline, {});
  ASSERT_THAT(findings, SizeIs(1)) << fmt::format("{}", fmt::join(texts(findings), "\n"));
  EXPECT_EQ(findings[0].name, "session:run1/s2");
  EXPECT_THAT(findings[0].text, HasSubstr("40 of 48 cases are"));
  // A lower clock only shows in the times, where large differences are normal.
  Baseline cooler = made_up_baseline({});
  for (auto& [id, entry] : cooler.cases) {
    entry.time_ns.at(1) *= 1.03;
  }
  EXPECT_THAT(texts(audit(cooler, {})), IsEmpty());
}

TEST(Audit, AsksOtherCardsWhereACardHasTooFewSessions) {
  Baseline baseline = made_up_baseline({.cards = 3, .sessions = 2});
  EXPECT_THAT(texts(audit(baseline, {.min_sessions = 2})), IsEmpty());
  slow(baseline, kernel_case(3), "s03", 2);
  EXPECT_THAT(names(baseline), ElementsAre("outlier:run2/s1:" + kernel_case(3)));
}

TEST(Audit, OfTwoSessionsThatDifferNamesTheLaterOne) {
  Baseline baseline = made_up_baseline({.sessions = 2});
  slow(baseline, kernel_case(3), "s01", 2);
  std::vector<std::string> const found = names(baseline, {.min_sessions = 2});
  EXPECT_THAT(found, ElementsAre("outlier:run1/s2:" + kernel_case(3)));
}

TEST(Audit, AllowsCardsWhatCardsDifferBy) {
  Baseline baseline = made_up_baseline({.cards = 3, .sessions = 4, .card_sd = 0.001});
  auto const slow_card = [&](int number, double factor) {
    for (char const* session : {"s05", "s06", "s07", "s08"}) {
      slow(baseline, kernel_case(number), session, factor);
    }
  };
  slow_card(1, 1.04);
  EXPECT_THAT(texts(audit(baseline, {})), IsEmpty());
  slow_card(2, 1.6);
  std::vector<Finding> const findings = audit(baseline, {});
  ASSERT_THAT(findings, SizeIs(1)) << fmt::format("{}", fmt::join(texts(findings), "\n"));
  EXPECT_EQ(findings[0].kind, FindingKind::level);
  EXPECT_THAT(findings[0].sessions, ElementsAre("s05", "s06", "s07", "s08"));
  EXPECT_EQ(findings[0].name, "level:run2/s1:" + kernel_case(2));
  EXPECT_THAT(findings[0].text, AllOf(HasSubstr("sessions s05, s06, s07, s08 (run run2)"), HasSubstr("other cards")));
}

/// A baseline with two acceptances of sessions on one card.
Baseline accepted_twice() {
  Baseline baseline = made_up_baseline({.cards = 2, .sessions = 4});
  for (model::BaselineSession& session : baseline.sessions) {
    session.device_uuid = "GPU-0";
  }
  return baseline;
}

TEST(Audit, FindsAnotherLevelThanThatAcceptedBefore) {
  Baseline baseline = accepted_twice();
  EXPECT_THAT(texts(audit(baseline, {})), IsEmpty());
  for (char const* session : {"s05", "s06", "s07", "s08"}) {
    slow(baseline, kernel_case(4), session, 1.1);
    slow(baseline, library_case(0), session, 1.1);
  }
  std::vector<Finding> const findings = audit(baseline, {});
  ASSERT_THAT(findings, SizeIs(1)) << "a library may have two levels: "
                                   << fmt::format("{}", fmt::join(texts(findings), "\n"));
  EXPECT_EQ(findings[0].name, "level:run2/s1:" + kernel_case(4));
  EXPECT_THAT(findings[0].text, HasSubstr("the sessions accepted before on this card"));
}

TEST(Audit, FindsAnotherLevelInAllCases) {
  Baseline baseline = accepted_twice();
  for (char const* session : {"s05", "s06", "s07", "s08"}) {
    slow_all(baseline, session, 1.03);
  }
  EXPECT_THAT(names(baseline), ElementsAre("level:run2/s1"));
}

TEST(Audit, HoldsSessionsUnderOtherSettingsAgainstNoRatio) {
  Baseline baseline = accepted_twice();
  for (char const* session : {"s05", "s06", "s07", "s08"}) {
    auto const found = std::find_if(baseline.sessions.begin(), baseline.sessions.end(),
                                    [&](model::BaselineSession const& one) { return one.id == session; });
    found->libraries = {{"cuBLAS", "14.0"}};
    for (int i = 0; i < 3; ++i) {
      slow(baseline, library_case(i), session, 0.6);
    }
    for (int i = 0; i < 15; ++i) {
      std::size_t const at = static_cast<std::size_t>(found - baseline.sessions.begin());
      baseline.cases.at(kernel_case(i)).ratio.at(at) /= 0.6;
    }
  }
  EXPECT_THAT(texts(audit(baseline, {})), IsEmpty());
  for (model::BaselineSession& session : baseline.sessions) {
    session.libraries = {{"cuBLAS", "13.1"}};
  }
  EXPECT_THAT(names(baseline), Contains(HasSubstr("level:run2"))) << "with the same library version it is odd";
}

TEST(Audit, ExpectsMoreOfNeighboursOnASharedDevice) {
  Baseline baseline = made_up_baseline({.cases = 20, .noise = 0.04, .ratio_noise = 0.04, .clock_sd = 0});
  slow(baseline, kernel_case(3), "s02", 2);
  EXPECT_THAT(texts(audit(baseline, shared())), IsEmpty());
  EXPECT_THAT(names(baseline), Contains("outlier:run1/s2:" + kernel_case(3)));
  slow(baseline, kernel_case(4), "s02", 10);
  EXPECT_THAT(names(baseline, shared()), ElementsAre("outlier:run1/s2:" + kernel_case(4)));
  slow_all(baseline, "s05", 2);
  EXPECT_THAT(names(baseline, shared()), ElementsAre("session:run1/s5", "outlier:run1/s2:" + kernel_case(4)));
}

TEST(Audit, LetsNoNoiseExcuseAFactorOfTen) {
  Baseline baseline = made_up_baseline({.cases = 20, .noise = 0.4, .ratio_noise = 0.4});
  slow(baseline, kernel_case(4), "s02", 30);
  EXPECT_THAT(names(baseline, shared()), Contains("outlier:run1/s2:" + kernel_case(4)));
}

TEST(Audit, DoesNotDependOnTheUnit) {
  Baseline baseline = made_up_baseline({});
  slow(baseline, kernel_case(7), "s03", 1.3);
  Baseline scaled = baseline;
  for (auto& [id, entry] : scaled.cases) {
    for (double& time : entry.time_ns) time *= 1e3;
    for (double& cycles : entry.cycles) cycles *= 7;
  }
  EXPECT_EQ(texts(audit(baseline, {})), texts(audit(scaled, {})));
}

TEST(Audit, DoesWithTimesAlone) {
  Baseline baseline = made_up_baseline({.clock_sd = 0});
  for (auto& [id, entry] : baseline.cases) {
    entry.reference = id;
    entry.cycles.clear();
    entry.ratio.assign(entry.session.size(), 1);
  }
  EXPECT_THAT(texts(audit(baseline, {})), IsEmpty());
  slow(baseline, kernel_case(7), "s03", 1.5);
  EXPECT_THAT(names(baseline), ElementsAre("outlier:run1/s3:" + kernel_case(7)));
}

// ---- the same numbers twice

/// Copies the numbers of session `other` to `session`, those of case i to case i + shift.
void copy(Baseline& baseline, std::size_t other, std::size_t session, std::size_t shift, std::size_t every = 1) {
  std::vector<model::BaselineCase*> cases;
  for (auto& [id, entry] : baseline.cases) {
    cases.push_back(&entry);
  }
  Baseline const before = baseline;
  std::vector<model::BaselineCase const*> from;
  for (auto const& [id, entry] : before.cases) {
    from.push_back(&entry);
  }
  for (std::size_t i = 0; i < cases.size(); i += every) {
    model::BaselineCase const& source = *from[(i + shift) % from.size()];
    cases[i]->time_ns[session] = source.time_ns[other];
    cases[i]->ratio[session] = source.ratio[other];
    cases[i]->cycles[session] = source.cycles[other];
  }
}

TEST(Audit, FindsASessionThatIsThereTwice) {
  Baseline baseline = made_up_baseline({});
  copy(baseline, 1, 4, 0);
  std::vector<Finding> const findings = audit(baseline, {});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].kind, FindingKind::duplicate);
  EXPECT_EQ(findings[0].name, "duplicate:run1/s5") << "the later one of the two must be named";
  EXPECT_THAT(findings[0].text, HasSubstr("holds the numbers of session s2 of run run1 (s02) in 48 of 48 cases"));
}

TEST(Audit, FindsASessionOfWhichMostIsThereTwice) {
  Baseline baseline = made_up_baseline({});
  copy(baseline, 1, 4, 0);
  for (int i = 0; i < 20; ++i) {
    slow(baseline, kernel_case(i), "s05", 1.0005);
  }
  EXPECT_THAT(names(baseline), ElementsAre("duplicate:run1/s5"));
  Baseline half = made_up_baseline({});
  copy(half, 1, 4, 0, 2);
  EXPECT_THAT(texts(audit(half, {})), IsEmpty()) << "equal numbers in every other case are not enough for a duplicate";
}

TEST(Audit, FindsASessionWhoseCasesWereRotated) {
  Baseline baseline = made_up_baseline({});
  copy(baseline, 1, 4, 1);
  std::vector<Finding> const findings = audit(baseline, {});
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].name, "duplicate:run1/s5");
  EXPECT_THAT(findings[0].text, HasSubstr("under the names of other cases"));
}

TEST(Audit, ComparesTheDigitsThatAFileKeeps) {
  Baseline baseline = made_up_baseline({});
  copy(baseline, 1, 4, 0);
  for (auto& [id, entry] : baseline.cases) {
    entry.time_ns[4] *= 1 + 1e-9;
    entry.cycles[4] *= 1 + 1e-9;
  }
  EXPECT_THAT(names(baseline), ElementsAre("duplicate:run1/s5"));
}

// ---- remarks

TEST(Audit, RemarksOnCasesWithFewSessions) {
  Baseline baseline = made_up_baseline({});
  model::BaselineCase& entry = baseline.cases.at(kernel_case(3));
  for (auto* column : {&entry.time_ns, &entry.ratio, &entry.cycles}) {
    column->resize(2);
  }
  entry.session.resize(2);
  std::vector<Finding> const findings = audit(baseline, {});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].kind, FindingKind::few_sessions);
  EXPECT_THAT(findings[0].cases, ElementsAre(kernel_case(3)));
  EXPECT_THAT(findings[0].text, HasSubstr("1 case with fewer than 3 sessions"));
}

TEST(Audit, RemarksOnSessionsThatDifferSoMuchThatTheGateSeesLittle) {
  // Two levels without a clear gap between them, as somebody who wants +5 % to pass could arrange.
  auto const spread = [](std::vector<double> const& factors) {
    Baseline baseline = made_up_baseline({});
    for (std::size_t i = 0; i < factors.size(); ++i) {
      slow(baseline, kernel_case(3), baseline.sessions.at(i).id, factors[i]);
    }
    return baseline;
  };
  std::vector<Finding> const findings = audit(spread({1, 1.08, 1.01, 1.09, 1.02, 1.10, 1.005, 1.085}), {});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].name, "scattered:cycles");
  EXPECT_THAT(findings[0].cases, ElementsAre(kernel_case(3)));
  EXPECT_THAT(findings[0].text, HasSubstr("1 case whose sessions of one card differ by up to 4.3 %"));
  EXPECT_THAT(names(spread({1, 1.02, 1.01, 1.02, 1, 1.01, 1, 1.02})), IsEmpty()) << "below two percent";
  EXPECT_THAT(names(spread({1, 1.08, 1.01, 1.09, 1.02, 1.10, 1.005, 1.085}), shared()), IsEmpty()) << "usual there";
}

TEST(Audit, RemarksOnSessionsThatWereTimedInAnotherWay) {
  Baseline baseline = made_up_baseline({.cards = 2, .sessions = 4});
  for (std::size_t i = 4; i < 8; ++i) {
    baseline.sessions[i].timing = 2;
  }
  std::vector<Finding> const findings = audit(baseline, {});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].kind, FindingKind::other_timing);
  EXPECT_THAT(findings[0].sessions, ElementsAre("s01", "s02", "s03", "s04"));
}

TEST(Audit, RemarksOnMixedMachineCode) {
  Baseline baseline = made_up_baseline({});
  model::BaselineCase& entry = baseline.cases.at(kernel_case(3));
  entry.launched = {{.function = "f", .machine_code = "abc"}};
  EXPECT_THAT(texts(audit(baseline, {})), IsEmpty());
  entry.machine_code.clear();
  EXPECT_THAT(names(baseline), ElementsAre("mixed_code:machine_code"));
  entry.launches.clear();
  EXPECT_THAT(names(baseline), ElementsAre("mixed_code:machine_code", "mixed_code:launches"));
}

TEST(Audit, KnowsWhatSomebodyAccepted) {
  Baseline baseline = made_up_baseline({});
  slow(baseline, kernel_case(7), "s03", 2);
  Finding const finding = audit(baseline, {}).at(0);
  EXPECT_EQ(accepted_despite(baseline, finding), "");
  baseline.accepted[0].despite = {{.finding = finding.name, .text = finding.text, .why = "seen before"}};
  EXPECT_EQ(accepted_despite(baseline, finding), "seen before");
}

}  // namespace
}  // namespace perfcheck::store
