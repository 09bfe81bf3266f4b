// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/protocol/sealed_messages.h"

#include "perfcheck/model/object_reader.h"
#include "perfcheck/protocol/messages.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vector>

namespace perfcheck::protocol {
namespace {

using model::ObjectReader;
using nlohmann::json;

constexpr BatchPart kParts[] = {BatchPart::launches, BatchPart::one_stand_in, BatchPart::two_stand_ins};
constexpr char const* text_of(BatchPart part) {
  switch (part) {
    case BatchPart::launches: return "launches";
    case BatchPart::one_stand_in: return "one_stand_in";
    case BatchPart::two_stand_ins: return "two_stand_ins";
  }
  return "";
}

json body(SealedHello const& hello) {
  return {{"type", "hello"}, {"version", kSealedVersion}, {"device", hello.device}};
}
json body(OpenRequest const& request) {
  return {{"type", "open"},           {"kernel", request.kernel}, {"problem", request.problem},
          {"handle", request.handle}, {"bytes", request.bytes},   {"meeting", request.meeting}};
}
json body(RecordRequest const& request) {
  return {{"type", "record"}, {"launches", request.launches}, {"part", text_of(request.part)}, {"cold", request.cold}};
}
json body(GoRequest const& /*request*/) { return {{"type", "go"}}; }

SealedHello hello(ObjectReader& fields, std::string_view origin) {
  if (auto const version = fields.integer("version"); version != kSealedVersion) {
    throw VersionError(
        fmt::format("{}: version {} of the messages of sealed timing is not supported, this side speaks "
                    "version {}; build the judge and the worker from the same release",
                    origin, version, kSealedVersion));
  }
  return {.device = fields.small_integer("device")};
}

RecordRequest record_request(ObjectReader& fields) {
  RecordRequest request;
  request.launches = fields.small_integer("launches", 1);
  std::vector<std::string> texts;
  for (BatchPart const part : kParts) texts.emplace_back(text_of(part));
  std::string const text = fields.choice("part", texts);
  for (BatchPart const part : kParts) {
    if (text == text_of(part)) request.part = part;
  }
  request.cold = fields.boolean("cold");
  return request;
}

OpenRequest open_request(ObjectReader& fields) {
  OpenRequest request;
  request.kernel = fields.text("kernel");
  request.problem = fields.nonempty_text("problem");
  request.handle = fields.nonempty_text("handle");
  request.bytes = fields.integer("bytes", 1);
  request.meeting = fields.nonempty_text("meeting");
  return request;
}

}  // namespace

std::string encode(SealedRequest const& request) {
  return std::visit([](auto const& one) { return body(one); }, request).dump();
}

std::string encode(SealedAnswer const& answer) {
  if (answer.error.empty()) return json{{"type", "ok"}}.dump();
  return json{{"type", "error"}, {"message", answer.error}, {"refused", answer.refused}}.dump(
      -1, ' ', false, json::error_handler_t::replace);
}

SealedRequest decode_sealed_request(std::string_view line, std::string_view origin) {
  json const object = model::parse_strict(line, origin);
  ObjectReader fields(object, origin, "");
  std::string const type = fields.choice("type", {"hello", "open", "record", "go"});
  SealedRequest request;
  if (type == "hello") {
    request = hello(fields, origin);
  } else if (type == "open") {
    request = open_request(fields);
  } else if (type == "record") {
    request = record_request(fields);
  } else {
    request = GoRequest{};
  }
  fields.finish();
  return request;
}

SealedAnswer decode_sealed_answer(std::string_view line, std::string_view origin) {
  json const object = model::parse_strict(line, origin);
  ObjectReader fields(object, origin, "");
  SealedAnswer answer;
  if (fields.choice("type", {"ok", "error"}) == "error") {
    answer.error = fields.nonempty_text("message");
    answer.refused = fields.boolean("refused");
  }
  fields.finish();
  return answer;
}

}  // namespace perfcheck::protocol
