// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/object_reader.h"
#include "perfcheck/protocol/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace perfcheck::protocol {
namespace {

using model::ObjectReader;
using nlohmann::json;

/// A message being read. `origin` names the peer and the message in errors.
struct Message {
  std::string type;
  std::string origin;
  ObjectReader fields;

  Message(json const& message, std::string_view peer)
      : type(ObjectReader(message, peer, "").text("type")),
        origin(fmt::format("{}: {} message", peer, shown(type))),
        fields(message, origin, "") {
    (void)fields.text("type");
  }

 private:
  /// An unknown type may be any text, so errors do not repeat it.
  static std::string_view shown(std::string const& type) {
    static constexpr std::array<std::string_view, 8> kTypes = {"hello", "plan",     "measure", "launches",
                                                               "bye",   "progress", "result",  "error"};
    auto const* const known = std::find(kTypes.begin(), kTypes.end(), type);
    return known == kTypes.end() ? "unknown" : *known;
  }
};

/// Read before every other key, because their meaning depends on it.
int version(Message& message) {
  int64_t const version = message.fields.integer("protocol");
  if (version != kProtocolVersion) {
    throw VersionError(
        fmt::format("{}: protocol version {} is not supported, this side speaks version {}; "
                    "build perfcheck and the worker from the same release",
                    message.origin, version, kProtocolVersion));
  }
  return kProtocolVersion;
}

std::string case_id(ObjectReader& fields, char const* key) {
  std::string id = fields.text(key);
  if (!model::is_case_id(id)) fields.fail(key, model::kCaseIdRule);
  return id;
}

// ---- requests ----

HelloRequest hello_request(Message& message) {
  HelloRequest request;
  request.protocol = version(message);
  request.client = message.fields.text("client");
  request.device = message.fields.small_integer("device");
  return request;
}

MeasureOptions measure_options(json const& object, std::string_view origin, std::string const& place) {
  ObjectReader fields(object, origin, place);
  MeasureOptions options;
  options.seed = static_cast<uint64_t>(fields.integer("seed", 0, static_cast<int64_t>(kMaxSeed)));
  options.verify_only = fields.boolean("verify_only");
  options.replay_ms = fields.positive("replay_ms");
  options.max_seconds = fields.positive("max_seconds");
  options.idle_share = fields.number("idle_share", 0);
  options.min_rounds = fields.small_integer("min_rounds", 1);
  options.max_rounds = fields.small_integer("max_rounds", 1);
  if (options.max_rounds < options.min_rounds) fields.fail("max_rounds", "must not be less than min_rounds");
  options.precision = fields.number("precision", 0);
  options.inject_percent = fields.number("inject_percent", 0);
  options.verified = fields.has("verified") && fields.boolean("verified");
  if (options.verified && options.verify_only) fields.fail("verified", "leaves nothing to do with verify_only");
  fields.finish();
  return options;
}

MeasureRequest measure_request(Message& message) {
  MeasureRequest request;
  request.case_id = case_id(message.fields, "case");
  request.options =
      measure_options(message.fields.object("options"), message.origin, message.fields.place_of("options"));
  return request;
}

// ---- answers ----

HelloAnswer hello_answer(Message& message) {
  HelloAnswer answer;
  answer.protocol = version(message);
  ObjectReader& fields = message.fields;
  answer.worker = model::worker_from_json(fields.object("worker"), message.origin, fields.place_of("worker"));
  answer.device = model::device_from_json(fields.object("device"), message.origin, fields.place_of("device"));
  answer.environment =
      model::environment_from_json(fields.object("environment"), message.origin, fields.place_of("environment"));
  json const& kernels = fields.array("kernels");
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    answer.kernels.push_back(model::kernel_from_json(kernels[i], message.origin, fields.place_of("kernels", i)));
  }
  if (fields.has("state")) {
    answer.state = model::device_state_from_json(fields.object("state"), message.origin, fields.place_of("state"));
  }
  answer.skips_verification = fields.has("skips_verification") && fields.boolean("skips_verification");
  answer.tells_launches = fields.has("tells_launches") && fields.boolean("tells_launches");
  return answer;
}

PlannedCase planned_case(json const& object, std::string_view origin, std::string const& place) {
  ObjectReader fields(object, origin, place);
  PlannedCase planned;
  planned.id = case_id(fields, "id");
  planned.reference = case_id(fields, "reference");
  planned.work = model::work_from_json(fields.object("work"), origin, fields.place_of("work"));
  planned.arithmetic = fields.text("arithmetic");
  if (fields.has("skip_reason")) {
    planned.skip_reason = model::skip_reason_from_text(fields.choice("skip_reason", model::skip_reason_texts()));
    planned.reason = fields.nonempty_text("reason");
  }
  fields.finish();
  return planned;
}

RejectedProblem rejected_problem(json const& object, std::string_view origin, std::string const& place) {
  ObjectReader fields(object, origin, place);
  RejectedProblem rejected{.problem = fields.text("problem"), .message = fields.nonempty_text("message")};
  fields.finish();
  return rejected;
}

PlanAnswer plan_answer(Message& message) {
  PlanAnswer answer;
  json const& cases = message.fields.array("cases");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    answer.cases.push_back(planned_case(cases[i], message.origin, message.fields.place_of("cases", i)));
  }
  json const& rejected = message.fields.array("rejected");
  for (std::size_t i = 0; i < rejected.size(); ++i) {
    answer.rejected.push_back(rejected_problem(rejected[i], message.origin, message.fields.place_of("rejected", i)));
  }
  answer.problems = model::problems_from_json(message.fields, message.origin);
  return answer;
}

ResultAnswer result_answer(Message& message) {
  ResultAnswer answer;
  answer.result =
      model::case_result_from_json(message.fields.object("result"), message.origin, message.fields.place_of("result"));
  answer.context_lost = message.fields.boolean("context_lost");
  return answer;
}

LaunchesAnswer launches_answer(Message& message) {
  ObjectReader& fields = message.fields;
  LaunchesAnswer answer;
  answer.case_id = case_id(fields, "case");
  answer.launches = model::launches_from_json(fields, "launches", message.origin);
  answer.message = fields.has("message") ? fields.nonempty_text("message") : "";
  answer.context_lost = fields.boolean("context_lost");
  return answer;
}

// ---- dispatch ----

Request request_of(Message& message) {
  if (message.type == "hello") return hello_request(message);
  if (message.type == "plan") return PlanRequest{.problems = message.fields.texts("problems")};
  if (message.type == "measure") return measure_request(message);
  if (message.type == "launches") return LaunchesRequest{.case_id = case_id(message.fields, "case")};
  if (message.type == "bye") return ByeRequest{};
  message.fields.fail("type", "is not a request; requests are hello, plan, measure, launches and bye");
}

Answer answer_of(Message& message) {
  ObjectReader& fields = message.fields;
  if (message.type == "hello") return hello_answer(message);
  if (message.type == "plan") return plan_answer(message);
  if (message.type == "progress") {
    return ProgressAnswer{.case_id = case_id(fields, "case"), .phase = fields.nonempty_text("phase")};
  }
  if (message.type == "result") return result_answer(message);
  if (message.type == "launches") return launches_answer(message);
  if (message.type == "error") {
    return ErrorAnswer{.code = fields.nonempty_text("code"), .message = fields.nonempty_text("message")};
  }
  fields.fail("type", "is not an answer; answers are hello, plan, progress, result, launches and error");
}

}  // namespace

Request decode_request(std::string_view line, std::string_view origin) {
  json const object = model::parse_strict(line, origin);
  Message message(object, origin);
  Request request = request_of(message);
  message.fields.finish();
  return request;
}

Answer decode_answer(std::string_view line, std::string_view origin) {
  json const object = model::parse_strict(line, origin);
  Message message(object, origin);
  Answer answer = answer_of(message);
  message.fields.finish();
  return answer;
}

}  // namespace perfcheck::protocol
