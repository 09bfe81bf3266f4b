// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// docs/protocol.md and docs/schemas/protocol.schema.json describe what the program does.
#include "perfcheck/protocol/contract.h"
#include "perfcheck/protocol/messages.h"
#include "samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace perfcheck::protocol {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string document(std::string const& name) {
  std::ifstream in(std::string(PERFCHECK_DOCS_DIR) + "/" + name);
  EXPECT_TRUE(in.good()) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The lines of all ```json blocks.
std::vector<std::string> examples(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```json") {
      inside = true;
    } else if (line.starts_with("```")) {
      inside = false;
    } else if (inside) {
      lines.push_back(line);
    }
  }
  return lines;
}

TEST(ProtocolDocument, EveryExampleIsAValidMessageAndEveryMessageHasOne) {
  std::string const text = document("protocol.md");
  std::size_t const answers_begin = text.find("\n## Answers");
  ASSERT_NE(answers_begin, std::string::npos);
  std::set<std::size_t> requests, answers;
  for (std::string const& line : examples(text.substr(0, answers_begin))) {
    EXPECT_NO_THROW(requests.insert(decode_request(line, "docs/protocol.md").index())) << line;
  }
  for (std::string const& line : examples(text.substr(answers_begin))) {
    EXPECT_NO_THROW({
      Answer const answer = decode_answer(line, "docs/protocol.md");
      answers.insert(answer.index());
      auto const* const plan = std::get_if<PlanAnswer>(&answer);
      EXPECT_EQ(plan != nullptr ? plan_breach(*plan) : Breach(), std::nullopt);
    }) << line;
  }
  EXPECT_EQ(requests.size(), std::variant_size_v<Request>);
  EXPECT_EQ(answers.size(), std::variant_size_v<Answer>);
}

TEST(ProtocolDocument, NamesVersionLimitAndOptions) {
  std::string const text = document("protocol.md");
  EXPECT_THAT(text, HasSubstr("# The worker protocol, version " + std::to_string(kProtocolVersion)));
  EXPECT_THAT(text, HasSubstr(std::to_string(kMaxLineBytes) + " bytes"));
  json const request = json::parse(encode(Request(samples::measure_request())));
  for (auto const& item : request["options"].items()) {
    EXPECT_THAT(text, HasSubstr("`" + item.key() + "`"));
  }
}

json schema() { return json::parse(document("schemas/protocol.schema.json")); }

TEST(ProtocolSchema, EveryReferenceLeadsSomewhere) {
  json const protocol = schema();
  json const run = json::parse(document("schemas/run.schema.json"));
  json const flat = protocol.flatten();
  for (auto const& item : flat.items()) {
    if (!item.key().ends_with("/$ref")) continue;
    std::string const target = item.value();
    std::size_t const hash = target.find('#');
    json const& file = hash == 0 ? protocol : run;
    EXPECT_TRUE(hash == 0 || target.substr(0, hash) == "run.schema.json") << target;
    EXPECT_TRUE(file.contains(json::json_pointer(target.substr(hash + 1)))) << target;
  }
}

TEST(ProtocolSchema, NamesTheVersionAndTheLargestSeed) {
  json const defs = schema()["$defs"];
  EXPECT_EQ(defs["hello_request"]["properties"]["protocol"]["const"], kProtocolVersion);
  EXPECT_EQ(defs["hello_answer"]["properties"]["protocol"]["const"], kProtocolVersion);
  EXPECT_EQ(defs["measure_options"]["properties"]["seed"]["maximum"], kMaxSeed);
}

/// A definition of the schema, and the place of such an object in a valid message.
struct Place {
  char const* definition;
  std::string line;
  char const* pointer;
  bool is_request;
};

std::vector<Place> places() {
  std::vector<std::string> requests, answers;
  for (Request const& request : samples::requests()) requests.push_back(encode(request));
  for (Answer const& answer : samples::answers()) answers.push_back(encode(answer));
  return {{"hello_request", requests[0], "", true},        {"plan_request", requests[1], "", true},
          {"measure_request", requests[2], "", true},      {"measure_options", requests[2], "/options", true},
          {"bye_request", requests[3], "", true},          {"hello_answer", answers[0], "", false},
          {"plan_answer", answers[1], "", false},          {"planned_case", answers[1], "/cases/0", false},
          {"planned_case", answers[1], "/cases/1", false}, {"rejected_problem", answers[1], "/rejected/0", false},
          {"progress_answer", answers[2], "", false},      {"result_answer", answers[3], "", false},
          {"error_answer", answers[4], "", false},         {"launches_request", requests[4], "", true},
          {"launches_answer", answers[5], "", false},      {"launches_answer", answers[6], "", false}};
}

bool decodes(Place const& place, json const& message) {
  try {
    if (place.is_request) {
      (void)decode_request(message.dump(), "peer");
    } else {
      (void)decode_answer(message.dump(), "peer");
    }
    return true;
  } catch (model::FormatError const&) {
    return false;
  }
}

TEST(ProtocolSchema, HasTheKeysThatTheMessagesHave) {
  json const defs = schema()["$defs"];
  std::set<std::string> seen;
  for (Place const& place : places()) {
    seen.insert(place.definition);
    json const& definition = defs.at(place.definition);
    json const message = json::parse(place.line);
    json const object = message.at(json::json_pointer(place.pointer));
    EXPECT_EQ(definition.at("additionalProperties"), false) << place.definition;
    auto const required = definition.at("required").get<std::set<std::string>>();
    bool const is_skipped = object.contains("skip_reason");
    for (auto const& item : definition.at("properties").items()) {
      if (!object.contains(item.key())) {
        EXPECT_FALSE(required.contains(item.key())) << place.definition << "." << item.key();
        continue;
      }
      json without = message;
      without.at(json::json_pointer(place.pointer)).erase(item.key());
      bool const needed = required.contains(item.key()) || is_skipped;  // a skip and its reason come together
      EXPECT_EQ(decodes(place, without), !needed) << place.definition << " without " << item.key();
    }
    for (auto const& item : object.items()) {
      EXPECT_TRUE(definition.at("properties").contains(item.key())) << place.definition << "." << item.key();
    }
  }
  seen.insert({"request", "answer"});
  std::set<std::string> all;
  for (auto const& item : defs.items()) all.insert(item.key());
  EXPECT_EQ(seen, all);
}

}  // namespace
}  // namespace perfcheck::protocol
