// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What else changed in the launches, beyond shapes and machine code: each part alone, and what must not be reported.
#include "perfcheck/gate/differences.h"

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

namespace perfcheck::gate::testing {
namespace {

using model::BaselineCase;
using model::CaseResult;
using model::LaunchAttributes;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

LaunchAttributes launch() {
  return {.function = "f",
          .grid = {16, 64, 1},
          .block = {128, 1, 1},
          .registers = 128,
          .machine_code = "code",
          .called_code = "called",
          .constants = "constants",
          .arguments = "arguments",
          .attributes = "default",
          .other_nodes = "none",
          .graph = "graph"};
}

/// A case with one stored session and two fresh ones, with equal launches.
struct Sides {
  BaselineCase stored;
  std::vector<CaseResult> fresh;

  explicit Sides(std::size_t launches = 1) {
    stored.launched.assign(launches, launch());
    CaseResult result;
    result.launches = stored.launched;
    fresh.assign(2, result);
    stored.machine_code = model::machine_code_of(result);
    stored.work = model::work_of(result);
  }

  /// Applies a change to one launch of every fresh session.
  void change(std::size_t number, std::function<void(LaunchAttributes&)> const& make) {
    for (CaseResult& result : fresh) make(result.launches[number]);
  }
  std::vector<Difference> found() const {
    std::vector<CaseResult const*> results;
    for (CaseResult const& result : fresh) results.push_back(&result);
    return differences_of(stored, {}, results, {});
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (Difference const& difference : found()) texts.push_back(difference.text);
    return texts;
  }
};

constexpr char const* kSameCode = "same machine code";
constexpr char const* kSameWork = "same work as far as hashes tell";

TEST(LaunchDifferences, OfTheSameWorkSayThatItIs) {
  EXPECT_THAT(Sides().texts(), ElementsAre(kSameCode, kSameWork));
  EXPECT_EQ(also_changed(Sides().found()),
            "same machine code, same work as far as hashes tell, and nothing else on record changed: suspect the "
            "machine, or what memory holds");
}

TEST(LaunchDifferences, AreEachFoundAlone) {
  struct Row {
    std::function<void(LaunchAttributes&)> change;
    char const *what, *text;
  };
  std::vector<Row> const rows = {
      {[](auto& l) { l.called_code = "x"; }, "called_code", "called code changed"},
      {[](auto& l) { l.constants = "x"; }, "constants", "constants changed"},
      {[](auto& l) { l.arguments = "x"; }, "arguments", "arguments changed"},
      {[](auto& l) { l.attributes = "cluster 2x1x1"; }, "attributes", "launch attributes default -> cluster 2x1x1"},
      {[](auto& l) { l.other_nodes = "memset 64 x 4 B to 0x0 in device memory", l.graph = "x"; }, "other_nodes",
       "memset/memcpy none -> memset 64 x 4 B to 0x0 in device memory"},
      {[](auto& l) { l.graph = "x"; }, "graph", "order of the launch's nodes changed"},
  };
  for (Row const& row : rows) {
    Sides sides;
    sides.change(0, row.change);
    EXPECT_THAT(sides.texts(), ElementsAre(kSameCode, row.text));
    EXPECT_EQ(sides.found().back().what, row.what);
    EXPECT_EQ(sides.found().back().launch, 0);
  }
}

TEST(LaunchDifferences, OfSeveralLaunchesSayWhichOne) {
  Sides sides(3);
  sides.change(1, [](auto& l) { l.constants = "x", l.arguments = "y", l.attributes = "cooperative"; });
  EXPECT_THAT(sides.texts(), ElementsAre(kSameCode, "constants changed in launch 2 of 3",
                                         "launch attributes default -> cooperative in launch 2 of 3",
                                         "arguments changed in launch 2 of 3"));
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(sides.found()[i].launch, 2);
}

TEST(LaunchDifferences, NeedBothSides) {
  for (auto const part : {&LaunchAttributes::called_code, &LaunchAttributes::constants, &LaunchAttributes::arguments,
                          &LaunchAttributes::attributes, &LaunchAttributes::other_nodes, &LaunchAttributes::graph}) {
    Sides now, before;
    now.change(0, [&](auto& l) { (l.*part).clear(); });
    before.stored.launched[0].*part = "";
    before.stored.work = "1:other";
    EXPECT_THAT(now.texts(), ElementsAre(kSameCode));
    EXPECT_THAT(before.texts(), ElementsAre(kSameCode));
  }
}

TEST(LaunchDifferences, OfArgumentsNeedSessionsThatAgree) {
  Sides stored;
  stored.change(0, [](auto& l) { l.arguments = "x"; });
  stored.stored.work.clear();  // the stored sessions did not agree
  EXPECT_THAT(stored.texts(), ElementsAre(kSameCode));
  Sides fresh;
  fresh.fresh[0].launches[0].arguments = "x";
  fresh.fresh[1].launches[0].arguments = "y";
  EXPECT_THAT(fresh.texts(), ElementsAre(kSameCode));
}

TEST(LaunchDifferences, SayTheSameWorkOnlyWhenAllSessionsDidIt) {
  Sides sides;
  sides.fresh[0].launches[0].arguments = "x";
  EXPECT_THAT(sides.texts(), ElementsAre(kSameCode));
  Sides earlier;
  earlier.stored.work.clear();
  EXPECT_THAT(earlier.texts(), ElementsAre(kSameCode));
  EXPECT_EQ(also_changed(earlier.found()),
            "same machine code, and nothing else on record changed: suspect the machine, or the arguments of the "
            "launch");
}

TEST(LaunchDifferences, OfAnotherMeaningOfWorkAreNone) {
  Sides sides;
  sides.stored.work = "0:" + sides.stored.work.substr(2);
  EXPECT_THAT(sides.texts(), ElementsAre(kSameCode));
}

TEST(LaunchDifferences, OfAGraphDoNotFollowFromAnotherGrid) {
  Sides sides;
  sides.change(0, [](auto& l) { l.grid = {8, 64, 1}, l.graph = "x"; });
  EXPECT_THAT(sides.texts(), ElementsAre(kSameCode, "grid 16x64x1 -> 8x64x1"));
}

}  // namespace
}  // namespace perfcheck::gate::testing
