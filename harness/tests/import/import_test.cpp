// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Detecting the format of a text, and what holds for every imported run.
#include "documents.h"
#include "perfcheck/model/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace perfcheck::importing::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json a_google_benchmark() { return google_benchmark({repetition("BM_A/1", 0, 10), repetition("BM_A/1", 1, 11)}); }
json an_nvbench() { return nvbench("copy", {state({}, "1e-3")}); }

TEST(Import, RecognisesTheFormatByItsContent) {
  EXPECT_EQ(imported(a_google_benchmark()).imported_from, "Google Benchmark");
  EXPECT_EQ(imported(an_nvbench()).imported_from, "NVBench 0.1.0");
  model::Run own = imported(a_google_benchmark());
  own.id = "own";
  EXPECT_EQ(imported(json::parse(model::run_to_text(own))).id, "own");
}

TEST(Import, LeavesPerfchecksOwnRunsAsTheyAre) {
  std::string const text = model::run_to_text(imported(a_google_benchmark()));
  ImportOptions options;
  options.device_name = "another";
  options.operation = "another";
  EXPECT_EQ(model::run_to_text(run_from_any(text, "f", options)), text);
}

TEST(Import, SaysWhatIsAcceptedWhenItIsNoneOfThese) {
  for (char const* const text :
       {"{}", "[]", "1", "\"context\"", "{\"benchmarks\": []}", "{\"context\": {}}",
        "{\"a\": {\"context\": 1, \"benchmarks\": 2}}", "{\"devices\": [], \"benchmarks\": []}"}) {
    std::string const error = complaint(std::string(text));
    EXPECT_THAT(error, HasSubstr("perfcheck run --out")) << text;
    EXPECT_THAT(error, HasSubstr("--benchmark_out")) << text;
    EXPECT_THAT(error, HasSubstr("--jsonbin")) << text;
  }
}

TEST(Import, RefusesWhatTheOtherReadersRefuse) {
  EXPECT_THAT(complaint(std::string()), HasSubstr("is empty"));
  EXPECT_THAT(complaint(std::string("{\"schema\": \"perfcheck.run/9\"}")), HasSubstr("perfcheck.run/9"));
  for (json const& document : {a_google_benchmark(), an_nvbench()}) {
    std::string const text = document.dump();
    EXPECT_THAT(complaint(text.substr(0, text.size() / 2)), HasSubstr("cut off"));
    EXPECT_THAT(complaint(text + text), HasSubstr("not valid JSON"));
    EXPECT_THAT(complaint("{\"benchmarks\": 1," + text.substr(1)), HasSubstr("benchmarks: the key appears twice"));
    std::string const deep = "{\"deep\": " + std::string(70, '[') + std::string(70, ']') + ",";
    EXPECT_THAT(complaint(deep + text.substr(1)), HasSubstr("nested deeper"));
  }
}

TEST(Import, EveryCutIsRefused) {
  for (json const& document : {a_google_benchmark(), an_nvbench()}) {
    std::string const text = document.dump();
    for (std::size_t length = 0; length < text.size(); ++length) {
      EXPECT_NE(complaint(text.substr(0, length)), "") << length;
    }
  }
}

TEST(Import, TheSameTextIsTheSameRunAndAnotherIsAnother) {
  json const document = a_google_benchmark();
  json other = document;
  other["benchmarks"][0]["real_time"] = 10.5;
  ImportOptions named;
  named.device_name = "runner";
  EXPECT_EQ(imported(document).id, imported(document).id);
  EXPECT_EQ(imported(document).id, imported(document, named).id);
  EXPECT_NE(imported(document).id, imported(other).id);
}

TEST(Import, TakesFromTheOptionsWhatFilesDoNotSay) {
  ImportOptions options;
  options.device_name = "Build server, 8 cores";
  options.operation = "copies";
  options.tool_version = "1.2.3";
  options.source = {.commit = "abc", .branch = "main", .dirty = true};
  options.started = "2020-01-02T03:04:05Z";
  for (json const& document : {a_google_benchmark(), an_nvbench()}) {
    model::Run const run = imported(document, options);
    EXPECT_EQ(run.sessions.at(0).device.name, "Build server, 8 cores");
    EXPECT_EQ(run.sessions.at(0).device.slug, "build-server-8-cores");
    EXPECT_EQ(run.worker.operation, "copies");
    EXPECT_EQ(run.tool_version, "1.2.3");
    EXPECT_EQ(run.source.commit, "abc");
    EXPECT_TRUE(run.source.dirty);
    EXPECT_TRUE(reads_back(run));
  }
  EXPECT_EQ(imported(an_nvbench(), options).started, "2020-01-02T03:04:05Z");
  EXPECT_EQ(imported(a_google_benchmark(), options).started, "2026-11-22T07:40:36Z");
}

TEST(Import, NeedsADateWhereTheFileHasNone) {
  EXPECT_THROW((void)run_from_any(an_nvbench().dump(), "f", {}), model::FormatError);
}

TEST(Import, RefusesADeviceNameThatMakesNoFolder) {
  ImportOptions options;
  options.device_name = "\xE6\xA9\x9F";
  EXPECT_THAT(complaint(a_google_benchmark(), options), HasSubstr("--device-name"));
}

TEST(Import, EveryCaseIsItsOwnControlWithoutVerification) {
  for (json const& document : {a_google_benchmark(), an_nvbench()}) {
    model::Run const run = imported(document);
    ASSERT_EQ(run.sessions.size(), 1U);
    for (model::CaseResult const& result : run.sessions[0].cases) {
      EXPECT_EQ(result.reference, result.id);
      EXPECT_FALSE(result.verification);
      EXPECT_TRUE(result.rounds->reference_time_ns.empty());
    }
    ASSERT_EQ(run.kernels.size(), 1U);
    EXPECT_EQ(run.kernels[0].id, model::split_case_id(run.sessions[0].cases[0].id).kernel);
    EXPECT_TRUE(reads_back(run));
  }
}

/// Replaces every value of a document in turn: each change must be refused or give a run that perfcheck can write and
/// read.
void replace_every_value(json const& document) {
  json const hostile = {nullptr, true,  -1,    0,    1.5,           1e308,         UINT64_MAX,
                        "",      "a@b", "nan", "\n", json::array(), json::object()};
  json const flat = document.flatten();
  std::size_t refused = 0, kept = 0;
  for (auto const& item : flat.items()) {
    for (json::json_pointer place(item.key()); !place.empty(); place.pop_back()) {
      for (json const& value : hostile) {
        json changed = document;
        changed[place] = value;
        try {
          EXPECT_TRUE(reads_back(imported(changed))) << place << " " << value;
          ++kept;
        } catch (model::FormatError const&) {
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(refused, 100U);
  EXPECT_GT(kept, 100U);  // unneeded values are not looked at
}

TEST(Import, NoValueMakesARunThatCannotBeReadBack) {
  replace_every_value(a_google_benchmark());
  replace_every_value(nvbench("copy", {state({axis_value("N", "int64", "8")}, "1e-3")}));
}

}  // namespace
}  // namespace perfcheck::importing::testing
