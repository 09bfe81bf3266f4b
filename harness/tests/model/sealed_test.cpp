// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The line that a judge prints: what it holds, and what is refused.
#include "perfcheck/model/sealed.h"

#include "errors.h"
#include "samples.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <optional>

namespace perfcheck::model {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

json valid() { return json::parse(to_json_line(samples::sealed_result())); }

TEST(Sealed, ReadsWhatItWrote) {
  for (SealedResult const& result : {samples::sealed_result(), samples::sealed_refusal()}) {
    std::string const line = to_json_line(result);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(to_json_line(parse_sealed(line, "judge")), line);
  }
}

TEST(Sealed, EveryMemberArrives) {
  SealedResult const result = parse_sealed(to_json_line(samples::sealed_result()), "judge");
  EXPECT_EQ(result.id, "set/a@f32,nn,m64n64k64");
  EXPECT_EQ(result.reference, "set/reference@f32,nn,m64n64k64");
  EXPECT_EQ(result.status, SealedStatus::timed);
  EXPECT_EQ(result.message, "");
  EXPECT_EQ(result.launches, 16);
  EXPECT_EQ(result.reference_launches, 8);
  EXPECT_EQ(result.verified, 4096);
  EXPECT_THAT(result.time_ns, ElementsAre(20100, 20300, 20200));
  EXPECT_THAT(result.reference_time_ns, ElementsAre(40100, 40300, 40200));
  EXPECT_EQ(result.around_ns, 850);
  EXPECT_THAT(result.confinement.applied, ElementsAre("another user (65534)", "its own mounts"));
  EXPECT_THAT(result.confinement.missing, ElementsAre("its own processes: unshare: Operation not permitted"));
}

TEST(Sealed, EveryStatusHasATextThatIsRead) {
  for (SealedStatus const status :
       {SealedStatus::incorrect, SealedStatus::invalid, SealedStatus::failed, SealedStatus::refused}) {
    SealedResult result = samples::sealed_refusal();
    result.status = status;
    EXPECT_EQ(parse_sealed(to_json_line(result), "judge").status, status) << to_text(status);
  }
  EXPECT_EQ(to_text(SealedStatus::timed), "timed");
}

TEST(Sealed, TimesWithInputsInTheCacheMayBeThere) {
  SealedResult result = samples::sealed_result();
  EXPECT_EQ(to_json_line(result).find("warm_time_ns"), std::string::npos);
  result.warm_time_ns = {15000, 15100};
  result.write_back_ns = 1700;
  EXPECT_THAT(parse_sealed(to_json_line(result), "judge").warm_time_ns, ElementsAre(15000, 15100));
  EXPECT_EQ(parse_sealed(to_json_line(result), "judge").write_back_ns, 1700);
}

TEST(Sealed, ACaseWithoutAReferenceHasNoTimesOfOne) {
  json line = valid();
  line.erase("reference");
  line["reference_time_ns"] = json::array();
  line["reference_launches"] = 0;
  SealedResult const result = parse_sealed(line.dump(), "judge");
  EXPECT_EQ(result.reference, "");
  EXPECT_THAT(result.reference_time_ns, IsEmpty());
}

struct Defect {
  char const* key;
  std::optional<json> value;  ///< absent: the key is removed
  char const* message;
};

void expect_refused(json line, Defect const& defect) {
  if (defect.value) {
    line[defect.key] = *defect.value;
  } else {
    line.erase(defect.key);
  }
  SCOPED_TRACE(line.dump());
  expect_holds(format_error_of([&] { (void)parse_sealed(line.dump(), "judge"); }), defect.message);
}

TEST(Sealed, AWrongTimedLineIsRefusedWithItsPlace) {
  std::vector<Defect> const defects = {
      {"schema", std::nullopt, "judge: schema: is missing"},
      {"schema", "perfcheck.sealed/2", "but this perfcheck reads perfcheck.sealed/1"},
      {"schema", "perfcheck.run/2", "a perfcheck.sealed/1 file is wanted here"},
      {"case", std::nullopt, "judge: case: is missing"},
      {"case", "no_problem", "judge: case: must be a case id"},
      {"case", 3, "judge: case: "},
      {"reference", "", "judge: reference: must be a case id"},
      {"reference", std::nullopt, "judge: reference_time_ns: has 3 values, but 0 belong to it"},
      {"status", "timd", "did you mean \"timed\"?"},
      {"status", "measured", "valid are timed, incorrect, invalid, failed, refused"},
      {"message", "fine", "judge: message: must not be given for a case that is timed"},
      {"launches", 0, "judge: launches: must be at least 1"},
      {"launches", -1, "judge: launches: "},
      {"launches", 1.5, "judge: launches: "},
      {"reference_launches", 0, "judge: reference_launches: must be at least 1"},
      {"verified", 0, "judge: verified: must be at least 1"},
      {"verified", -4, "judge: verified: "},
      {"time_ns", json::array(), "judge: time_ns: is empty"},
      {"time_ns", json{1, 2, 0}, "judge: time_ns[2]: must be a finite number greater than 0"},
      {"time_ns", json{1, -2, 3}, "judge: time_ns[1]: must be a finite number greater than 0"},
      {"time_ns", json{1, nullptr, 3}, "judge: time_ns[1]: must be a finite number greater than 0"},
      {"time_ns", json{1, 2}, "judge: reference_time_ns: has 3 values, but 2 belong to it"},
      {"reference_time_ns", json{1, 2}, "judge: reference_time_ns: has 2 values, but 3 belong to it"},
      {"reference_time_ns", json::array(), "judge: reference_time_ns: has 0 values, but 3 belong to it"},
      {"reference_time_ns", json{1, 2, 0}, "judge: reference_time_ns[2]: "},
      {"warm_time_ns", json{1, 0}, "judge: warm_time_ns[1]: must be a finite number greater than 0"},
      {"around_ns", -1, "judge: around_ns: must be a number of at least 0"},
      {"around_ns", std::nullopt, "judge: around_ns: is missing"},
      {"confinement", std::nullopt, "judge: confinement: is missing"},
      {"confinement", json{{"applied", json::array()}}, "judge: confinement.missing: is missing"},
      {"confinement", json{{"applied", {1}}, {"missing", json::array()}}, "judge: confinement.applied[0]: "},
      {"tim_ns", 3, "judge: tim_ns: unknown key; did you mean \"time_ns\"?"},
  };
  for (Defect const& defect : defects) {
    expect_refused(valid(), defect);
  }
}

TEST(Sealed, ALineWithoutATimeSaysWhyAndHasNone) {
  json const refusal = json::parse(to_json_line(samples::sealed_refusal()));
  expect_refused(refusal, {"message", std::nullopt, "judge: message: must say why the case is refused"});
  expect_refused(refusal, {"message", "", "judge: message: must say why the case is refused"});
  expect_refused(refusal, {"time_ns", json{1}, "judge: time_ns: must be empty for a case that is refused"});
  expect_refused(refusal, {"reference_time_ns", json{1}, "judge: reference_time_ns: must be empty"});
  expect_refused(refusal, {"warm_time_ns", json{1}, "judge: warm_time_ns: must be empty"});
}

TEST(Sealed, WhatIsNoJsonIsRefused) {
  std::string const line = to_json_line(samples::sealed_result());
  for (std::string const& text : {std::string(), line.substr(0, line.size() / 2), line + line, std::string("NaN"),
                                  std::string("[]"), "{\"case\":\"a@b\"," + line.substr(1)}) {
    EXPECT_THROW((void)parse_sealed(text, "judge"), FormatError) << text;
  }
}

TEST(Sealed, ATimeThatIsNoNumberDoesNotArriveAsOne) {
  SealedResult result = samples::sealed_result();
  for (double const value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    result.time_ns[1] = value;
    EXPECT_THROW((void)parse_sealed(to_json_line(result), "judge"), FormatError);
  }
}

}  // namespace
}  // namespace perfcheck::model
