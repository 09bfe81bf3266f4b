// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/protocol/messages.h"

#include "samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>

namespace perfcheck::protocol {
namespace {

using model::FormatError;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string error_of_request(std::string const& line) {
  try {
    (void)decode_request(line, "peer");
  } catch (FormatError const& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_answer(std::string const& line) {
  try {
    (void)decode_answer(line, "peer");
  } catch (FormatError const& error) {
    return error.what();
  }
  return "no error";
}

TEST(Messages, EveryRequestSurvivesItsLine) {
  for (Request const& request : samples::requests()) {
    std::string const line = encode(request);
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    EXPECT_EQ(line.back(), '\n');
    Request const decoded = decode_request(line, "peer");
    EXPECT_EQ(decoded.index(), request.index());
    EXPECT_EQ(encode(decoded), line);
  }
}

TEST(Messages, EveryAnswerSurvivesItsLine) {
  for (Answer const& answer : samples::answers()) {
    std::string const line = encode(answer);
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    Answer const decoded = decode_answer(line, "peer");
    EXPECT_EQ(decoded.index(), answer.index());
    EXPECT_EQ(encode(decoded), line);
  }
}

TEST(Messages, EveryOptionOfAMeasurementArrives) {
  MeasureOptions const sent = samples::measure_request().options;
  auto const decoded = std::get<MeasureRequest>(decode_request(encode(Request(samples::measure_request())), "peer"));
  EXPECT_EQ(decoded.case_id, samples::measure_request().case_id);
  EXPECT_EQ(decoded.options.seed, sent.seed);
  EXPECT_EQ(decoded.options.verify_only, sent.verify_only);
  EXPECT_EQ(decoded.options.replay_ms, sent.replay_ms);
  EXPECT_EQ(decoded.options.max_seconds, sent.max_seconds);
  EXPECT_EQ(decoded.options.idle_share, sent.idle_share);
  EXPECT_EQ(decoded.options.min_rounds, sent.min_rounds);
  EXPECT_EQ(decoded.options.max_rounds, sent.max_rounds);
  EXPECT_EQ(decoded.options.precision, sent.precision);
  EXPECT_EQ(decoded.options.inject_percent, sent.inject_percent);
}

TEST(Messages, OnlyAWorkerThatSaysSoIsToldWhatWasVerified) {
  MeasureRequest request = samples::measure_request();
  EXPECT_THAT(encode(Request(request)), Not(HasSubstr("verified"))) << "older workers refuse unknown keys";
  request.options.verified = true;
  EXPECT_TRUE(std::get<MeasureRequest>(decode_request(encode(Request(request)), "peer")).options.verified);
  request.options.verify_only = true;
  EXPECT_THROW((void)decode_request(encode(Request(request)), "peer"), model::FormatError);
  HelloAnswer hello = samples::hello_answer();
  EXPECT_THAT(encode(Answer(hello)), Not(HasSubstr("skips_verification")));
  hello.skips_verification = true;
  EXPECT_TRUE(std::get<HelloAnswer>(decode_answer(encode(Answer(hello)), "peer")).skips_verification);
}

TEST(Messages, APlanArrivesWithItsReasons) {
  auto const plan = std::get<PlanAnswer>(decode_answer(encode(Answer(samples::plan_answer())), "peer"));
  ASSERT_EQ(plan.cases.size(), 2U);
  EXPECT_EQ(plan.cases[0].skip_reason, model::SkipReason::refused);
  EXPECT_EQ(plan.cases[0].reason, "k must be a multiple of 16");
  EXPECT_FALSE(plan.cases[1].skip_reason.has_value());
  EXPECT_EQ(plan.cases[1].work.flop, 1024);
  EXPECT_EQ(plan.cases[1].work.bytes, 768);
  ASSERT_EQ(plan.rejected.size(), 1U);
  EXPECT_EQ(plan.rejected[0].message, "is not a data type");
}

TEST(Messages, WhatStandsBehindATimeArrives) {
  auto const hello = std::get<HelloAnswer>(decode_answer(encode(Answer(samples::hello_answer())), "peer"));
  EXPECT_EQ(hello.device.peak_cache_gb_s, 5500);
  EXPECT_EQ(hello.device.empty_launch_ns, 812.5);
  EXPECT_EQ(hello.kernels.at(0).executes, "i8");
  EXPECT_EQ(hello.kernels.at(0).work_share, 0.875);
  ResultAnswer const sent{.result = samples::measured_result(), .context_lost = false};
  auto const result = std::get<ResultAnswer>(decode_answer(encode(Answer(sent)), "peer")).result;
  ASSERT_TRUE(result.proof);
  EXPECT_EQ(result.proof->outputs_compared, 36);
  EXPECT_EQ(result.proof->clock_deviation, 0.001);
}

TEST(Messages, TextThatIsNotUtf8IsMendedAndLineBreaksAreEscaped) {
  std::string const line = encode(Answer(ErrorAnswer{.code = "internal", .message = "a\xff\nb\x01"}));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(std::get<ErrorAnswer>(decode_answer(line, "peer")).message, "a\xef\xbf\xbd\nb\x01");
}

TEST(Messages, WhatNoLineCanCarryIsRefused) {
  MeasureRequest request = samples::measure_request();
  request.options.seed = kMaxSeed + 1;
  EXPECT_THROW((void)encode(Request(request)), std::invalid_argument);
  EXPECT_THROW((void)encode(Answer(ErrorAnswer{.code = "internal", .message = std::string(kMaxLineBytes, 'x')})),
               std::invalid_argument);
}

TEST(Messages, TheVersionIsLookedAtBeforeAnythingElse) {
  EXPECT_THROW((void)decode_request(R"({"type":"hello","protocol":1,"who":"someone"})", "peer"), VersionError);
  EXPECT_THROW((void)decode_answer(R"({"type":"hello","protocol":0})", "peer"), VersionError);
  EXPECT_THAT(error_of_answer(R"({"type":"hello","protocol":1})"),
              AllOf(HasSubstr("peer"), HasSubstr("version 1"), HasSubstr("same release")));
  EXPECT_THAT(error_of_answer(R"({"type":"hello","protocol":"2"})"), HasSubstr("protocol"));
}

struct BadLine {
  char const* line;
  char const* says;
};

TEST(Messages, MalformedLinesAreRefusedByBothSides) {
  for (BadLine const& bad :
       {BadLine{"", "empty"}, BadLine{"   ", "empty"}, BadLine{"hello", "JSON"}, BadLine{"{", "cut off"},
        BadLine{"{}", "type"}, BadLine{"[]", "object"}, BadLine{"null", "object"}, BadLine{R"({"type":3})", "type"},
        BadLine{R"({"type":"bye"} {"type":"bye"})", "JSON"}, BadLine{R"({"type":"bye","type":"bye"})", "twice"},
        BadLine{R"({"type":"dance"})", "hello"}, BadLine{"\x80\xff", "JSON"}}) {
    EXPECT_THAT(error_of_request(bad.line), AllOf(HasSubstr("peer"), HasSubstr(bad.says))) << bad.line;
    EXPECT_THAT(error_of_answer(bad.line), AllOf(HasSubstr("peer"), HasSubstr(bad.says))) << bad.line;
  }
}

TEST(Messages, ARequestIsNoAnswerAndTheOtherWayRound) {
  EXPECT_THAT(error_of_answer(encode(Request(ByeRequest{}))), HasSubstr("is not an answer"));
  EXPECT_THAT(error_of_request(encode(samples::answers()[3])), HasSubstr("is not a request"));
}

/// The line of `message` after a change.
template <typename Change>
std::string changed(std::string const& line, Change change) {
  json object = json::parse(line);
  change(object);
  return object.dump();
}

TEST(Messages, MissingAndUnknownKeysAreNamed) {
  for (Request const& request : samples::requests()) {
    std::string const line = encode(request);
    json const message = json::parse(line);
    for (auto const& item : message.items()) {
      EXPECT_THAT(error_of_request(changed(line, [&](json& object) { object.erase(item.key()); })),
                  HasSubstr(item.key()));
    }
    EXPECT_THAT(error_of_request(changed(line, [](json& object) { object["surprise"] = 1; })), HasSubstr("surprise"));
  }
  for (Answer const& answer : samples::answers()) {
    std::string const line = encode(answer);
    json const message = json::parse(line);
    for (auto const& item : message.items()) {
      // Optional: an operation may report no axes, and a case tells its launches or why there are none.
      if (std::set<std::string>{"problems", "launches", "message"}.contains(item.key()) && message["type"] != "error") {
        continue;
      }
      EXPECT_THAT(error_of_answer(changed(line, [&](json& object) { object.erase(item.key()); })),
                  HasSubstr(item.key()));
    }
    EXPECT_THAT(error_of_answer(changed(line, [](json& object) { object["surprise"] = 1; })), HasSubstr("surprise"));
  }
}

struct BadValue {
  char const* pointer;
  char const* value;
  char const* says;
};

TEST(Messages, BadValuesOfAMeasureRequestAreRefusedWithTheirPlace) {
  std::string const line = encode(Request(samples::measure_request()));
  for (BadValue const& bad :
       {BadValue{"/case", "\"naive\"", "case"}, BadValue{"/case", "\"@p\"", "case"},
        BadValue{"/case", "\"k@\"", "case"}, BadValue{"/options/seed", "-1", "options.seed"},
        BadValue{"/options/seed", "9007199254740992", "options.seed"}, BadValue{"/options/seed", "1.5", "options.seed"},
        BadValue{"/options/verify_only", "0", "options.verify_only"},
        BadValue{"/options/replay_ms", "0", "options.replay_ms"},
        BadValue{"/options/max_seconds", "-1", "options.max_seconds"},
        BadValue{"/options/idle_share", "-1", "options.idle_share"},
        BadValue{"/options/min_rounds", "0", "options.min_rounds"},
        BadValue{"/options/max_rounds", "2", "options.max_rounds"},
        BadValue{"/options/max_rounds", "99999999999", "options.max_rounds"},
        BadValue{"/options/precision", "null", "options.precision"},
        BadValue{"/options/inject_percent", "-0.5", "options.inject_percent"},
        BadValue{"/options/inject_percent", "1e999", "peer"}}) {
    std::string text = changed(line, [&](json& object) { object[json::json_pointer(bad.pointer)] = "VALUE"; });
    text.replace(text.find("\"VALUE\""), 7, bad.value);
    EXPECT_THAT(error_of_request(text), HasSubstr(bad.says)) << bad.pointer << " " << bad.value;
  }
}

TEST(Messages, BadValuesOfAnswersAreRefusedWithTheirPlace) {
  std::string const plan = encode(Answer(samples::plan_answer()));
  for (BadValue const& bad : {BadValue{"/cases/1/id", "\"naive\"", "cases[1].id"},
                              BadValue{"/cases/1/reference", "\"\"", "cases[1].reference"},
                              BadValue{"/cases/0/skip_reason", "\"lazy\"", "cases[0].skip_reason"},
                              BadValue{"/cases/0/reason", "\"\"", "cases[0].reason"},
                              BadValue{"/cases/1/work/flop", "-1", "cases[1].work.flop"},
                              BadValue{"/cases/1/work/speed", "1", "cases[1].work.speed"},
                              BadValue{"/cases/1/reason", "\"why not\"", "cases[1].reason"},
                              BadValue{"/rejected/0/message", "\"\"", "rejected[0].message"},
                              BadValue{"/problems/0/text", "\"\"", "problems[0].text"},
                              BadValue{"/problems/0/axes/1/value", "true", "problems[0].axes[1].value"},
                              BadValue{"/problems/0/axes/1/name", "\"types\"", "problems[0].axes[1].name"}}) {
    std::string const text =
        changed(plan, [&](json& object) { object[json::json_pointer(bad.pointer)] = json::parse(bad.value); });
    EXPECT_THAT(error_of_answer(text), HasSubstr(bad.says)) << bad.pointer << " " << bad.value;
  }
}

TEST(Messages, ANumberThatIsNoneDoesNotTurnIntoAResult) {
  model::CaseResult result = samples::measured_result();
  result.rounds->time_ns[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)decode_answer(encode(Answer(ResultAnswer{.result = result, .context_lost = false})), "peer"),
               FormatError);
}

TEST(Messages, DamagedLinesNeverDoMoreThanThrow) {
  std::mt19937_64 random(20240611);
  for (Answer const& answer : samples::answers()) {
    std::string const line = encode(answer);
    for (int i = 0; i < 400; ++i) {
      std::string damaged = line.substr(0, random() % 4 == 0 ? random() % line.size() : line.size());
      for (auto hits = random() % 4; hits > 0 && !damaged.empty(); --hits) {
        damaged[random() % damaged.size()] = static_cast<char>(random());
      }
      try {
        (void)decode_answer(damaged, "peer");
      } catch (FormatError const&) {
      }
    }
  }
}

}  // namespace
}  // namespace perfcheck::protocol
