// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the digest of a baseline file covers and what not, and how a file gets a new one.
#include "errors.h"
#include "perfcheck/model/json.h"
#include "samples.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <set>

namespace perfcheck::model {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::string valid_text() { return baseline_to_text(samples::complete_baseline()); }

std::string refusal_of(json const& file) {
  return format_error_of([&] { (void)baseline_from_text(file.dump(), "baselines/gpu/gemm.json"); });
}

/// The same values, with the keys of every object in reverse order.
nlohmann::ordered_json turned_round(json const& value) {
  if (value.is_object()) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (auto member = value.rbegin(); member != value.rend(); ++member) {
      object[member.key()] = turned_round(*member);
    }
    return object;
  }
  if (value.is_array()) {
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (json const& element : value) {
      array.push_back(turned_round(element));
    }
    return array;
  }
  return nlohmann::ordered_json::parse(value.dump());
}

TEST(BaselineDigest, IsWrittenAndReadBack) {
  json const file = json::parse(valid_text());
  EXPECT_THAT(file.at("digest").get<std::string>(), MatchesRegex("[0-9a-f]{16}"));
  EXPECT_EQ(file.at("digest"), baseline_digest(file));
  EXPECT_TRUE(baseline_from_text(valid_text(), "f").has_digest);
}

TEST(BaselineDigest, DependsNeitherOnTheOrderOfKeysNorOnBlanks) {
  json const file = json::parse(valid_text());
  std::string const turned = turned_round(file).dump(7);
  ASSERT_GT(turned.find("\"accepted\""), turned.find("\"sessions\""));
  EXPECT_EQ(baseline_to_text(baseline_from_text(turned, "f")), valid_text());
  EXPECT_NO_THROW((void)baseline_from_text(file.dump(), "f"));
}

TEST(BaselineDigest, DependsNotOnHowANumberIsWritten) {
  std::string const valid = valid_text();
  for (auto const& [before, after] : {std::pair{"180651,", "180651.0,"}, {"180651,", "1.80651e5,"}, {"[1]", "[1e0]"}}) {
    std::string text = valid;
    ASSERT_NE(text.find(before), std::string::npos) << before;
    text.replace(text.find(before), std::string(before).size(), after);
    EXPECT_EQ(baseline_to_text(baseline_from_text(text, "f")), valid) << after;
  }
}

TEST(BaselineDigest, SeesEveryChangeOfAValue) {
  json const file = json::parse(valid_text());
  json const flat = file.flatten();
  int changes = 0;
  for (auto const& item : flat.items()) {
    json changed = file;
    json& value = changed.at(json::json_pointer(item.key()));
    if (item.key() == "/digest" || item.key() == "/schema") {
      continue;
    }
    if (value.is_string()) {
      value = value.get<std::string>() + "x";
    } else if (value.is_number()) {
      value = value.get<double>() * 1.5 + 1;
    } else {
      continue;  // an empty object or array
    }
    // Some changes break another rule; the reader then reports that one.
    EXPECT_NE(baseline_digest(changed), file.at("digest")) << item.key();
    EXPECT_NE(refusal_of(changed), "") << item.key();
    ++changes;
  }
  EXPECT_GT(changes, 60);
}

TEST(BaselineDigest, SeesTimesAndCyclesThatWereScaledByHand) {
  json file = json::parse(valid_text());
  for (json& entry : file.at("cases")) {
    for (char const* column : {"time_ns", "cycles"}) {
      for (json& value : entry.contains(column) ? entry.at(column) : entry["none"] = json::array()) {
        value = value.get<double>() * 1.5;
      }
    }
    entry.erase("none");
  }
  EXPECT_THAT(refusal_of(file), AllOf(HasSubstr("baselines/gpu/gemm.json: digest: is "), HasSubstr("edited or merged"),
                                      HasSubstr("restore it from version control"),
                                      HasSubstr("perfcheck baseline upgrade baselines/gpu/gemm.json")));
}

TEST(BaselineDigest, SeesElementsThatChangedPlacesAndSessionsThatAreGone) {
  json file = json::parse(valid_text());
  json& ratio = file.at("cases").at("gemm/simt/naive@f32,nn,m512n512k512").at("ratio");
  std::swap(ratio.at(0), ratio.at(1));
  EXPECT_THAT(refusal_of(file), HasSubstr("edited or merged"));
  file = json::parse(valid_text());
  file.at("cases").erase("gemm/library/cublas_f32@f32,nn,m512n512k512");
  EXPECT_THAT(refusal_of(file), HasSubstr("edited or merged"));
}

TEST(BaselineDigest, MustBeThere) {
  json file = json::parse(valid_text());
  file.erase("digest");
  EXPECT_THAT(refusal_of(file), HasSubstr("digest: is missing: the file was edited"));
  file["digest"] = "";
  EXPECT_THAT(refusal_of(file), HasSubstr("digest: is missing"));
}

TEST(BaselineDigest, IsUnknownToOlderVersionsWhichSayThatTheyHaveNone) {
  json file = json::parse(valid_text());
  for (char const* schema : kEarlierBaselineSchemas) {
    file["schema"] = schema;
    EXPECT_THAT(refusal_of(file), HasSubstr("digest: unknown key"))
        << "an older schema must not be a way to switch off the digest";
    json without = file;
    without.erase("digest");
    EXPECT_FALSE(baseline_from_text(without.dump(), "f").has_digest);
  }
}

TEST(UpgradedBaseline, HasANewDigestAndElseWhatItHad) {
  json const file = json::parse(valid_text());
  json edited = file;
  edited.at("sessions").at(0).at("driver") = "600.0";
  json old = edited;
  old["schema"] = kEarlierBaselineSchemas.front();
  old.erase("digest");
  for (json const& given : {edited, old}) {
    std::string const text = upgraded_baseline(given.dump(), "f");
    json expected = edited;
    expected["digest"] = baseline_digest(edited);
    EXPECT_EQ(json::parse(text), expected);
    EXPECT_TRUE(baseline_from_text(text, "f").has_digest);
    EXPECT_EQ(upgraded_baseline(text, "f"), text);
  }
  EXPECT_EQ(upgraded_baseline(valid_text(), "f"), valid_text()) << "a valid file must stay as it is";
}

TEST(UpgradedBaseline, KeepsDigitsThatPerfcheckWouldNotHaveWritten) {
  json file = json::parse(valid_text());
  json& time = file.at("cases").at("gemm/simt/naive@f32,nn,m512n512k512").at("time_ns").at(0);
  time = 91238.123456;
  json const upgraded = json::parse(upgraded_baseline(file.dump(), "f"));
  EXPECT_EQ(upgraded.at("cases"), file.at("cases"));
}

TEST(UpgradedBaseline, RefusesWhatIsNoBaselineFile) {
  for (std::string const& text : {std::string("{"), std::string("{}"), valid_text().substr(1),
                                  std::string("{\"schema\": \"perfcheck.run/2\"}")}) {
    EXPECT_NE(format_error_of([&] { (void)upgraded_baseline(text, "f"); }), "") << text.substr(0, 40);
  }
  json file = json::parse(valid_text());
  file.at("cases").at("gemm/simt/naive@f32,nn,m512n512k512").at("time_ns").at(0) = -1;
  EXPECT_THAT(format_error_of([&] { (void)upgraded_baseline(file.dump(), "f"); }), HasSubstr("greater than 0"));
}

}  // namespace
}  // namespace perfcheck::model
