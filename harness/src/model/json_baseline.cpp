// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The baseline file.
#include "json_number.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/object_reader.h"
#include "perfcheck/model/one_line.h"
#include "place.h"
#include "schema.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace perfcheck::model {

using nlohmann::json;

namespace {

/// A column that a case need not have.
struct OptionalColumn {
  char const* key;
  std::vector<double> BaselineCase::* values;
};
constexpr std::array<OptionalColumn, 4> kOptionalColumns = {{{"cycles", &BaselineCase::cycles},
                                                             {"clock_mhz", &BaselineCase::clock_mhz},
                                                             {"power_w", &BaselineCase::power_w},
                                                             {"tail", &BaselineCase::tail}}};

std::string file_text(json const& file) { return json_to_text(file, {"despite", "input_policy", "launched"}); }

json acceptance_to_json(Acceptance const& acceptance) {
  json object = {{"who", acceptance.who}, {"when", acceptance.when},         {"commit", acceptance.commit},
                 {"why", acceptance.why}, {"sessions", acceptance.sessions}, {"cases", acceptance.cases}};
  for (Despite const& one : acceptance.despite) {
    object["despite"].push_back({{"finding", one.finding}, {"text", one.text}, {"why", one.why}});
  }
  return object;
}

Despite despite_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  Despite despite{
      .finding = reader.nonempty_text("finding"), .text = reader.text("text"), .why = reader.nonempty_text("why")};
  reader.finish();
  return despite;
}

Acceptance acceptance_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  Acceptance acceptance;
  acceptance.who = reader.text("who");
  acceptance.when = reader.text("when");
  acceptance.commit = reader.text("commit");
  acceptance.why = reader.text("why");
  acceptance.sessions = reader.texts("sessions");
  acceptance.cases = reader.small_integer("cases");
  if (reader.has("despite")) {
    for (json const& one : reader.array("despite")) {
      acceptance.despite.push_back(
          despite_from_json(one, origin, reader.place_of("despite", acceptance.despite.size())));
    }
  }
  reader.finish();
  return acceptance;
}

json session_to_json(BaselineSession const& session) {
  json object = {{"id", session.id}, {"started", session.started}, {"libraries", session.libraries}};
  put_nonempty(object, "device_uuid", session.device_uuid);
  put_nonempty(object, "driver", session.driver);
  put_nonempty(object, "cuda_runtime", session.cuda_runtime);
  put_optional(object, "power_limit_w", session.power_limit_w);
  if (session.timing != kFirstTiming) object["timing"] = session.timing;
  put_nonempty(object, "commit", session.commit);
  put_nonempty(object, "suite", session.suite);
  put_nonempty(object, "run_session", session.run_session);
  return object;
}

BaselineSession session_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  BaselineSession session;
  session.id = reader.nonempty_text("id");
  session.started = reader.nonempty_text("started");
  session.device_uuid = reader.text_or("device_uuid", "");
  session.driver = reader.text_or("driver", "");
  session.cuda_runtime = reader.text_or("cuda_runtime", "");
  session.libraries = reader.text_map("libraries");
  session.power_limit_w = reader.optional_number("power_limit_w", 0);
  session.timing = reader.small_integer_or("timing", kFirstTiming, kFirstTiming);
  session.commit = reader.text_or("commit", "");
  session.suite = reader.text_or("suite", "");
  session.run_session = reader.text_or("run_session", "");
  reader.finish();
  return session;
}

json input_policy_to_json(InputPolicy const& policy) {
  json object = to_json(policy.work);
  put_nonempty(object, "arithmetic", policy.arithmetic);
  object["replay_launches"] = policy.replay_launches;
  return object;
}

InputPolicy input_policy_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  InputPolicy policy;
  policy.arithmetic = reader.text_or("arithmetic", "");
  policy.work = {.flop = reader.number("flop", 0), .bytes = reader.number("bytes", 0)};
  policy.replay_launches = reader.small_integer("replay_launches", 1);
  reader.finish();
  return policy;
}

json case_to_json(BaselineCase const& entry) {
  json object = {{"reference", entry.reference},
                 {"session", entry.session},
                 {"time_ns", measurements(entry.time_ns)},
                 {"ratio", measurements(entry.ratio, kRatioDigits)}};
  put_nonempty(object, "machine_code", entry.machine_code);
  put_nonempty(object, "launches", entry.launches);
  put_nonempty(object, "work", entry.work);
  for (OptionalColumn const& optional : kOptionalColumns) {
    if (!(entry.*optional.values).empty()) {
      object[optional.key] = measurements(entry.*optional.values);
    }
  }
  if (!entry.launched.empty()) {
    object["launched"] = launches_to_json(entry.launched);
  }
  if (entry.input_policy) {
    object["input_policy"] = input_policy_to_json(*entry.input_policy);
  }
  return object;
}

/// A column of one value per session of the case.
std::vector<double> column(ObjectReader& reader, char const* key, std::size_t sessions) {
  std::vector<double> values = reader.positives(key);
  if (values.size() != sessions) {
    reader.fail(key, fmt::format("has {} values but there are {} sessions; columns must be of equal length, so restore "
                                 "the file from version control",
                                 values.size(), sessions));
  }
  return values;
}

BaselineCase case_from_json(json const& source, std::string_view origin, std::string_view place,
                            std::set<std::string> const& sessions) {
  ObjectReader reader(source, origin, place);
  BaselineCase entry;
  entry.reference = reader.nonempty_text("reference");
  entry.machine_code = reader.text_or("machine_code", "");
  entry.launches = reader.text_or("launches", "");
  entry.work = reader.text_or("work", "");
  entry.session = reader.texts("session");
  if (entry.session.empty()) {
    reader.fail("session", "is empty; remove the case or accept a run that holds it");
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < entry.session.size(); ++i) {
    std::string const& id = entry.session[i];
    if (!sessions.contains(id)) {
      throw_format_error(
          origin, reader.place_of("session", i),
          fmt::format("there is no session {} in \"sessions\"; restore the file from version control", in_quotes(id)));
    }
    if (!seen.insert(id).second) {
      throw_format_error(origin, reader.place_of("session", i),
                         fmt::format("session {} appears twice; restore the file from version control", in_quotes(id)));
    }
  }
  entry.time_ns = column(reader, "time_ns", entry.session.size());
  entry.ratio = column(reader, "ratio", entry.session.size());
  for (OptionalColumn const& optional : kOptionalColumns) {
    if (reader.has(optional.key)) {
      entry.*optional.values = column(reader, optional.key, entry.session.size());
    }
  }
  entry.launched = launches_from_json(reader, "launched", origin);
  if (reader.has("input_policy")) {
    entry.input_policy = input_policy_from_json(reader.object("input_policy"), origin, reader.place_of("input_policy"));
  }
  reader.finish();
  return entry;
}

[[noreturn]] void refuse_digest(ObjectReader const& reader, std::string const& problem, std::string_view origin) {
  reader.fail("digest",
              fmt::format("{}: the file was edited or merged by hand; restore it from version control, or, if "
                          "that was meant, have it reviewed and run: perfcheck baseline upgrade {}",
                          problem, origin));
}

std::set<std::string> read_sessions(ObjectReader& reader, std::string_view origin, Baseline& baseline) {
  std::set<std::string> ids;
  for (json const& session : reader.array("sessions")) {
    std::string const place = reader.place_of("sessions", baseline.sessions.size());
    baseline.sessions.push_back(session_from_json(session, origin, place));
    if (!ids.insert(baseline.sessions.back().id).second) {
      throw_format_error(origin, member_place(place, "id"),
                         fmt::format("{} is the id of an earlier session too; restore the file from version control",
                                     in_quotes(baseline.sessions.back().id)));
    }
  }
  return ids;
}

}  // namespace

json to_json(Baseline const& baseline) {
  json object = {{"schema", kBaselineSchema},
                 {"operation", baseline.operation},
                 {"device_slug", baseline.device_slug},
                 {"device_name", baseline.device_name},
                 {"accepted", json::array()},
                 {"sessions", json::array()},
                 {"cases", json::object()}};
  for (Acceptance const& acceptance : baseline.accepted) {
    object["accepted"].push_back(acceptance_to_json(acceptance));
  }
  for (BaselineSession const& session : baseline.sessions) {
    object["sessions"].push_back(session_to_json(session));
  }
  for (auto const& [id, entry] : baseline.cases) {
    object["cases"][id] = case_to_json(entry);
  }
  object["digest"] = baseline_digest(object);
  return object;
}

std::string baseline_to_text(Baseline const& baseline) { return file_text(to_json(baseline)); }

namespace {

Baseline read(json const& source, std::string_view origin, DigestCheck digest) {
  ObjectReader reader(source, origin, "");
  bool const has_digest = require_schema(reader, kBaselineSchema, kEarlierBaselineSchemas) == kBaselineSchema;
  Baseline baseline;
  baseline.has_digest = has_digest;
  baseline.operation = reader.nonempty_text("operation");
  baseline.device_slug = reader.nonempty_text("device_slug");
  baseline.device_name = reader.nonempty_text("device_name");
  for (json const& acceptance : reader.array("accepted")) {
    baseline.accepted.push_back(
        acceptance_from_json(acceptance, origin, reader.place_of("accepted", baseline.accepted.size())));
  }
  std::set<std::string> const sessions = read_sessions(reader, origin, baseline);
  for (auto const& [id, entry] : reader.object("cases").items()) {
    CaseName const name = split_case_id(id);
    if (name.kernel.empty() || name.problem.empty()) {
      throw_format_error(origin, member_place("cases", id), "must be a case id of the form kernel@problem");
    }
    baseline.cases[id] = case_from_json(entry, origin, member_place("cases", id), sessions);
  }
  std::string const stored = has_digest ? reader.text_or("digest", "") : "";
  reader.finish();
  // Checked last, so that an error in a member is reported for that member.
  if (has_digest && digest == DigestCheck::required) {
    if (stored.empty()) {
      refuse_digest(reader, "is missing", origin);
    }
    if (std::string const actual = baseline_digest(source); stored != actual) {
      refuse_digest(reader, fmt::format("is {}, but that of the contents is {}", in_quotes(stored), in_quotes(actual)),
                    origin);
    }
  }
  return baseline;
}

}  // namespace

Baseline baseline_from_text(std::string_view text, std::string_view origin, DigestCheck digest) {
  return read(parse_strict(text, origin), origin, digest);
}

std::string upgraded_baseline(std::string_view text, std::string_view origin) {
  json file = parse_strict(text, origin);
  (void)read(file, origin, DigestCheck::ignored);
  file["schema"] = kBaselineSchema;
  file["digest"] = baseline_digest(file);
  return file_text(file);
}

}  // namespace perfcheck::model
