// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/protocol/messages.h"

#include "perfcheck/model/json_members.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

namespace perfcheck::protocol {
namespace {

using nlohmann::json;

json body(HelloRequest const& request) {
  return {{"type", "hello"}, {"protocol", request.protocol}, {"client", request.client}, {"device", request.device}};
}

json body(PlanRequest const& request) { return {{"type", "plan"}, {"problems", request.problems}}; }

json body(MeasureRequest const& request) {
  MeasureOptions const& options = request.options;
  if (options.seed > kMaxSeed) {
    throw std::invalid_argument(
        fmt::format("seed {} does not fit the worker protocol; use one up to {}", options.seed, kMaxSeed));
  }
  json how = {{"seed", options.seed},
              {"verify_only", options.verify_only},
              {"replay_ms", options.replay_ms},
              {"max_seconds", options.max_seconds},
              {"idle_share", options.idle_share},
              {"min_rounds", options.min_rounds},
              {"max_rounds", options.max_rounds},
              {"precision", options.precision},
              {"inject_percent", options.inject_percent}};
  if (options.verified) {
    how["verified"] = true;
  }
  return {{"type", "measure"}, {"case", request.case_id}, {"options", std::move(how)}};
}

json body(LaunchesRequest const& request) { return {{"type", "launches"}, {"case", request.case_id}}; }

json body(ByeRequest const& /*request*/) { return {{"type", "bye"}}; }

json body(HelloAnswer const& answer) {
  json kernels = json::array();
  for (model::KernelEntry const& kernel : answer.kernels) kernels.push_back(model::to_json(kernel));
  json object = {{"type", "hello"},
                 {"protocol", answer.protocol},
                 {"worker", model::to_json(answer.worker)},
                 {"device", model::to_json(answer.device)},
                 {"environment", model::to_json(answer.environment)},
                 {"kernels", std::move(kernels)}};
  if (answer.state) {
    object["state"] = model::to_json(*answer.state);
  }
  if (answer.skips_verification) {
    object["skips_verification"] = true;
  }
  if (answer.tells_launches) {
    object["tells_launches"] = true;
  }
  return object;
}

json body(PlannedCase const& planned) {
  json object = {{"id", planned.id},
                 {"reference", planned.reference},
                 {"work", model::to_json(planned.work)},
                 {"arithmetic", planned.arithmetic}};
  if (planned.skip_reason) {
    object["skip_reason"] = model::to_text(*planned.skip_reason);
    object["reason"] = planned.reason;
  }
  return object;
}

json body(PlanAnswer const& answer) {
  json cases = json::array();
  for (PlannedCase const& planned : answer.cases) cases.push_back(body(planned));
  json rejected = json::array();
  for (RejectedProblem const& problem : answer.rejected) {
    rejected.push_back({{"problem", problem.problem}, {"message", problem.message}});
  }
  json object = {{"type", "plan"}, {"cases", std::move(cases)}, {"rejected", std::move(rejected)}};
  for (model::ProblemInfo const& problem : answer.problems) object["problems"].push_back(model::to_json(problem));
  return object;
}

json body(ProgressAnswer const& answer) {
  return {{"type", "progress"}, {"case", answer.case_id}, {"phase", answer.phase}};
}

json body(ResultAnswer const& answer) {
  return {{"type", "result"}, {"result", model::to_json(answer.result)}, {"context_lost", answer.context_lost}};
}

json body(LaunchesAnswer const& answer) {
  json object = {{"type", "launches"}, {"case", answer.case_id}, {"context_lost", answer.context_lost}};
  if (!answer.launches.empty()) {
    object["launches"] = model::launches_to_json(answer.launches);
  }
  model::put_nonempty(object, "message", answer.message);
  return object;
}

json body(ErrorAnswer const& answer) { return {{"type", "error"}, {"code", answer.code}, {"message", answer.message}}; }

std::string line_of(json const& message) {
  std::string line = model::one_line_text(message);
  line += '\n';
  if (line.size() > kMaxLineBytes) {
    throw std::invalid_argument(
        fmt::format("a {} message of {} bytes does not fit a line of the worker protocol ({} bytes)",
                    message.at("type").get<std::string>(), line.size(), kMaxLineBytes));
  }
  return line;
}

}  // namespace

std::string encode(Request const& request) {
  return line_of(std::visit([](auto const& message) { return body(message); }, request));
}

std::string encode(Answer const& answer) {
  return line_of(std::visit([](auto const& message) { return body(message); }, answer));
}

}  // namespace perfcheck::protocol
