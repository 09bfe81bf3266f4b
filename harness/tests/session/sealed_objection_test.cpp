// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which sealed times support an ordinary one, and the objections to those that do not.
#include "perfcheck/session/sealed_objection.h"

#include <gmock/gmock.h>

#include <limits>

namespace perfcheck::session {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char const* kId = "set/a@f32";
constexpr char const* kReference = "set/reference@f32";
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kRounds = 5;

model::CaseResult ordinary(double time_ns, double reference_ns) {
  model::CaseResult result;
  result.id = kId;
  result.reference = kReference;
  result.status = model::CaseStatus::measured;
  result.rounds.emplace();
  result.rounds->time_ns.assign(kRounds, time_ns);
  result.rounds->reference_time_ns.assign(kRounds, reference_ns);
  return result;
}

model::SealedResult sealed(double time_ns, double reference_ns) {
  model::SealedResult result;
  result.id = kId;
  result.reference = kReference;
  result.status = model::SealedStatus::timed;
  result.launches = result.reference_launches = 4;
  result.verified = 100;
  result.time_ns.assign(3, time_ns);
  result.reference_time_ns.assign(3, reference_ns);
  return result;
}

struct Times {
  char const* what;
  double ordinary, ordinary_reference, sealed, sealed_reference;
  bool supported;
};

class SealedObjection : public ::testing::TestWithParam<Times> {};

TEST_P(SealedObjection, FollowsTheRule) {
  Times const& times = GetParam();
  std::string const objection =
      objection_of(ordinary(times.ordinary, times.ordinary_reference), sealed(times.sealed, times.sealed_reference));
  EXPECT_EQ(objection.empty(), times.supported) << times.what << ": " << objection;
}

INSTANTIATE_TEST_SUITE_P(
    Table, SealedObjection,
    ::testing::Values(Times{"the same", 20000, 40000, 20000, 40000, true},
                      Times{"shorter, by any amount", 20000, 40000, 100, 40000, true},
                      Times{"at the time's limit, 1.05 t + 3 us", 20000, 40000, 24000, 48000, true},
                      Times{"above the time's limit", 20000, 40000, 24001, 80000, false},
                      Times{"3 us are nothing to a launch of a millisecond", 1e6, 2e6, 1.053e6, 2.106e6, true},
                      Times{"nor does the share of a twentieth forgive more", 1e6, 2e6, 1.0531e6, 4e6, false},
                      Times{"within the ratio's limit, 1.04 + 2 us / 40 us", 20000, 40000, 21799, 40000, true},
                      Times{"above the ratio's limit alone", 20000, 40000, 21801, 40000, false},
                      Times{"of a long reference, where the slack is nothing", 1e6, 2e6, 1.0402e6, 2e6, true},
                      Times{"above that", 1e6, 2e6, 1.0412e6, 2e6, false},
                      Times{"both slower alike, as by a lower clock", 20000, 40000, 22000, 44000, true},
                      Times{"the slack is a share of the judge's reference", 10000, 10000, 13400, 11100, true},
                      Times{"and not of the worker's, which would forgive this", 10000, 10000, 13400, 10900, false},
                      Times{"four times as long", 20000, 40000, 80000, 40000, false}),
    [](auto const& test) { return "Row" + std::to_string(test.index); });

TEST(SealedObjections, NameBothTimesAndBothRatios) {
  EXPECT_EQ(objection_of(ordinary(20100, 40200), sealed(81200, 40000)),
            "timed sealed, a launch takes 81.20 us (2.030 of its reference), the worker's own timing says 20.10 us "
            "(0.500): what the worker measured is not what the kernel takes");
}

TEST(SealedObjections, MediansDecideAndNotWhatIsRare) {
  model::SealedResult result = sealed(20000, 40000);
  result.time_ns[0] = 1e9;
  EXPECT_EQ(objection_of(ordinary(20000, 40000), result), "");
}

TEST(SealedObjections, RatiosAreOfTheSameRound) {
  model::SealedResult result = sealed(20000, 40000);
  result.time_ns = {20000, 24000, 28000};
  result.reference_time_ns = {28000, 24000, 20000};
  EXPECT_THAT(objection_of(ordinary(24000, 24000), result), "");
  result.reference_time_ns = {20000, 12000, 28000};
  EXPECT_THAT(objection_of(ordinary(24000, 24000), result), "") << "one bad round of three must not matter";
  result.reference_time_ns = {10000, 12000, 28000};
  EXPECT_THAT(objection_of(ordinary(24000, 24000), result), HasSubstr("(2.000 of its reference)"));
}

TEST(SealedObjections, ATimeWithInputsInTheCacheIsHeldToTheSameLimit) {
  model::SealedResult result = sealed(20000, 40000);
  result.warm_time_ns.assign(3, 24000);
  EXPECT_EQ(objection_of(ordinary(20000, 40000), result), "") << "the limit is 1.05 t + 3 us";
  result.warm_time_ns.assign(3, 24001);
  EXPECT_THAT(objection_of(ordinary(20000, 40000), result),
              StartsWith("timed sealed, a launch takes 24.00 us with its inputs in the cache, "));
  result.write_back_ns = 500;
  result.warm_time_ns.assign(3, 24500);
  EXPECT_EQ(objection_of(ordinary(20000, 40000), result), "") << "the time of writing back must be added to the limit";
  result.warm_time_ns.assign(3, kNan);
  EXPECT_NE(objection_of(ordinary(20000, 40000), result), "") << "NaN must not support a time";
}

TEST(SealedObjections, ACaseThatIsItsOwnControlIsHeldToItsTime) {
  model::CaseResult control = ordinary(20000, 20000);
  control.reference = control.id;
  model::SealedResult alone = sealed(23900, 23900);
  alone.reference.clear();
  alone.reference_time_ns.clear();
  EXPECT_EQ(objection_of(control, alone), "");
  alone.time_ns.assign(3, 26000);
  EXPECT_EQ(objection_of(control, alone),
            "timed sealed, a launch takes 26.00 us, the worker's own timing says 20.00 us: what the worker measured is "
            "not what the kernel takes");
}

TEST(SealedObjections, EveryOtherStatusIsOneWithItsMessage) {
  for (auto const status :
       {model::SealedStatus::incorrect, model::SealedStatus::invalid, model::SealedStatus::failed}) {
    model::SealedResult result;
    result.id = kId;
    result.status = status;
    result.message = "what the judge said";
    EXPECT_EQ(objection_of(ordinary(20000, 40000), result),
              "timed sealed it is " + std::string(to_text(status)) + ": what the judge said");
  }
}

TEST(SealedObjections, ARefusalSaysWhatToDo) {
  model::SealedResult result;
  result.id = kId;
  result.status = model::SealedStatus::refused;
  result.message = "there is no device 3";
  EXPECT_THAT(objection_of(ordinary(20000, 40000), result),
              AllOf(StartsWith("the judge refused it: there is no device 3; "), HasSubstr("--sealed")));
}

TEST(SealedObjections, NumbersThatCannotBeUsedNeverSupport) {
  EXPECT_THAT(objection_of(ordinary(20000, 40000), sealed(kNan, 40000)),
              HasSubstr("the judge's numbers cannot be used"));
  EXPECT_THAT(objection_of(ordinary(20000, 40000), sealed(20000, kNan)),
              HasSubstr("the judge's numbers cannot be used"));
  EXPECT_THAT(objection_of(ordinary(20000, 40000), sealed(-1, 40000)), HasSubstr("the judge's numbers cannot be used"));
  EXPECT_THAT(objection_of(ordinary(kNan, 40000), sealed(20000, 40000)), HasSubstr("there is no ordinary time"));
  model::SealedResult empty = sealed(20000, 40000);
  empty.time_ns.clear();
  EXPECT_THAT(objection_of(ordinary(20000, 40000), empty), HasSubstr("the judge's numbers cannot be used"));
  model::SealedResult uneven = sealed(20000, 40000);
  uneven.reference_time_ns.pop_back();
  EXPECT_THAT(objection_of(ordinary(20000, 40000), uneven), HasSubstr("the judge's numbers cannot be used"));
  model::CaseResult untimed = ordinary(20000, 40000);
  untimed.rounds.reset();
  EXPECT_THAT(objection_of(untimed, sealed(20000, 40000)), HasSubstr("the case has no rounds"));
}

TEST(SealedObjections, AnotherCaseOrAnotherReferenceNeverSupports) {
  model::SealedResult other = sealed(20000, 40000);
  other.id = "set/b@f32";
  EXPECT_THAT(objection_of(ordinary(20000, 40000), other), HasSubstr("another case, set/b@f32"));
  model::SealedResult beside = sealed(20000, 40000);
  beside.reference = "set/slow@f32";
  EXPECT_THAT(objection_of(ordinary(20000, 40000), beside), HasSubstr("beside set/slow@f32"));
  model::SealedResult alone = sealed(20000, 40000);
  alone.reference.clear();
  alone.reference_time_ns.clear();
  EXPECT_THAT(objection_of(ordinary(20000, 40000), alone), HasSubstr("beside no reference"));
}

TEST(SealedObjections, AnUpheldOneTakesTheTimesAway) {
  model::CaseResult result = ordinary(20000, 40000);
  result.proof.emplace();
  result.stop_reason = "precise";
  uphold("it is not so", result);
  EXPECT_EQ(result.status, model::CaseStatus::invalid);
  EXPECT_EQ(result.message, "sealed timing: it is not so");
  EXPECT_FALSE(result.rounds);
  EXPECT_FALSE(result.proof);
  EXPECT_EQ(result.stop_reason, "");
}

}  // namespace
}  // namespace perfcheck::session
