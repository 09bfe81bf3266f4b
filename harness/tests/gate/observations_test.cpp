// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/gate/gate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace perfcheck::gate {
namespace {

using model::SessionPurpose;

model::Run run_with(std::vector<SessionPurpose> const& purposes) {
  model::Run run;
  run.id = "r";
  for (SessionPurpose const purpose : purposes) {
    model::Session session;
    session.id = fmt::format("s{}", run.sessions.size() + 1);
    session.purpose = purpose;
    session.device.uuid = "GPU-a";
    session.environment.driver = "580";
    for (char const* id : {"b@p", "a@p"}) {
      model::CaseResult result;
      result.id = id;
      session.cases.push_back(result);
    }
    run.sessions.push_back(session);
  }
  return run;
}

TEST(Observations, AreGroupedByCaseAndPurpose) {
  model::Run const run =
      run_with({SessionPurpose::screen, SessionPurpose::confirm, SessionPurpose::confirm, SessionPurpose::baseline});
  Observations const seen = observations_of(run);
  ASSERT_EQ(seen.cases.size(), 2U);
  EXPECT_EQ(seen.cases[0].id, "a@p");
  EXPECT_EQ(seen.cases[0].screen.size(), 2U);
  EXPECT_EQ(seen.cases[0].confirm.size(), 2U);
  EXPECT_EQ(seen.places.at(0).device_uuid, "GPU-a");
  EXPECT_EQ(seen.places.at(0).driver, "580");
}

TEST(Observations, KnowWhichKernelsAreALibrarys) {
  model::Run run = run_with({SessionPurpose::screen});
  run.kernels = {{.id = "a", .library = "BLAS"}, {.id = "b"}};
  for (model::CaseResult& result : run.sessions.front().cases) {
    result.reference = "a@p";
  }
  Observations const seen = observations_of(run);
  EXPECT_EQ(seen.cases[0].library, "BLAS");
  EXPECT_EQ(seen.cases[1].library, "");
  EXPECT_EQ(seen.cases[1].reference_library, "BLAS");
}

TEST(Observations, NeedASessionAndOneDevice) {
  EXPECT_THROW(observations_of(model::Run()), std::invalid_argument);
  model::Run run = run_with({SessionPurpose::screen, SessionPurpose::screen});
  run.sessions[1].device.uuid = "GPU-b";
  EXPECT_THROW(observations_of(run), std::invalid_argument) << "one case was measured on two cards";
  run.sessions[1].cases.clear();
  EXPECT_EQ(observations_of(run).places.size(), 1U) << "nothing was measured on the other card";
  run.sessions[1].device.slug = "another-model";
  EXPECT_THROW(observations_of(run), std::invalid_argument);
}

TEST(Observations, OfOneCardWereTimedAlikeWithTheSameSoftware) {
  using Edit = void (*)(model::Environment&);
  for (Edit const edit : {Edit([](model::Environment& one) { one.timing += 1; }),
                          Edit([](model::Environment& one) { one.driver = "590"; }),
                          Edit([](model::Environment& one) { one.libraries["cuBLAS"] = "99"; })}) {
    model::Run run = run_with({SessionPurpose::screen, SessionPurpose::confirm});
    edit(run.sessions[1].environment);
    EXPECT_THROW(observations_of(run), std::invalid_argument);
    edit(run.sessions[0].environment);
    EXPECT_NO_THROW(observations_of(run));
  }
}

TEST(WithConfirmation, SplitsSessionsThatWereNotMeasuredToConfirm) {
  model::Run const run =
      with_confirmation(run_with({SessionPurpose::baseline, SessionPurpose::baseline, SessionPurpose::baseline}));
  EXPECT_EQ(run.sessions[0].purpose, SessionPurpose::screen);
  EXPECT_EQ(run.sessions[1].purpose, SessionPurpose::confirm);
  EXPECT_EQ(run.sessions[2].purpose, SessionPurpose::confirm);
}

TEST(WithConfirmation, LeavesAConfirmedRunAlone) {
  model::Run const run =
      with_confirmation(run_with({SessionPurpose::screen, SessionPurpose::screen, SessionPurpose::confirm}));
  EXPECT_EQ(run.sessions[1].purpose, SessionPurpose::screen);
}

}  // namespace
}  // namespace perfcheck::gate
