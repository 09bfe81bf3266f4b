// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON form of one case's result, with the rules that make a result trustworthy.
#include "json_case.h"
#include "json_number.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/object_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfcheck::model {

using nlohmann::json;

namespace {

/// Who measured, and so what a result must prove.
enum class Measurer { worker, other_program };

}  // namespace

json to_json(DeviceState const& state) {
  json object = {{"throttle_reasons", state.throttle_reasons}};
  put_optional(object, "sm_clock_mhz", state.sm_clock_mhz);
  put_optional(object, "memory_clock_mhz", state.memory_clock_mhz);
  put_optional(object, "power_w", state.power_w);
  put_optional(object, "temperature_c", state.temperature_c);
  if (state.other_processes) {
    object["other_processes"] = *state.other_processes;
  }
  put_nonempty(object, "processes", state.processes);
  put_nonempty(object, "faults", state.faults);
  return object;
}

DeviceState device_state_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  DeviceState state;
  state.sm_clock_mhz = reader.optional_number("sm_clock_mhz", 0);
  state.memory_clock_mhz = reader.optional_number("memory_clock_mhz", 0);
  state.power_w = reader.optional_number("power_w", 0);
  state.temperature_c = reader.optional_number("temperature_c");
  state.throttle_reasons = reader.texts("throttle_reasons");
  if (reader.has("other_processes")) {
    state.other_processes = reader.small_integer("other_processes");
  }
  state.processes = reader.texts_or_none("processes");
  state.faults = reader.texts_or_none("faults");
  reader.finish();
  return state;
}

namespace {

json verification_to_json(Verification const& verification) {
  json checks = json::array();
  for (Check const& check : verification.checks) {
    json object = {{"name", check.name}, {"passed", check.passed}};
    put_optional(object, "error_over_bound", check.error_over_bound);
    put_nonempty(object, "detail", check.detail);
    checks.push_back(std::move(object));
  }
  return {{"passed", verification.passed}, {"checks", std::move(checks)}};
}

Check check_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  Check check;
  check.name = reader.nonempty_text("name");
  check.passed = reader.boolean("passed");
  check.error_over_bound = reader.optional_number("error_over_bound", 0);
  check.detail = reader.text_or("detail", "");
  reader.finish();
  return check;
}

Verification verification_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  Verification verification;
  verification.passed = reader.boolean("passed");
  for (json const& check : reader.array("checks")) {
    verification.checks.push_back(
        check_from_json(check, origin, reader.place_of("checks", verification.checks.size())));
  }
  // "All of no checks passed" is true and means nothing, so it does not count as passed.
  bool const every_check_passed =
      !verification.checks.empty() && std::all_of(verification.checks.begin(), verification.checks.end(),
                                                  [](Check const& check) { return check.passed; });
  if (verification.passed && !every_check_passed) {
    reader.fail("passed", "is true, but not every check passed or there is none; measure again");
  }
  if (!verification.passed && every_check_passed) {
    reader.fail("passed", "is false, but every check passed; measure again");
  }
  reader.finish();
  return verification;
}

json rounds_to_json(Rounds const& rounds) {
  json object = {{"launches", rounds.launches}, {"time_ns", measurements(rounds.time_ns)}};
  if (!rounds.reference_time_ns.empty()) {
    object["reference_launches"] = rounds.reference_launches;
    object["reference_time_ns"] = measurements(rounds.reference_time_ns);
  }
  if (!rounds.clock_mhz.empty()) {
    object["clock_mhz"] = measurements(rounds.clock_mhz);
  }
  if (!rounds.reference_clock_mhz.empty()) {
    object["reference_clock_mhz"] = measurements(rounds.reference_clock_mhz);
  }
  return object;
}

std::vector<double> column(ObjectReader& reader, char const* key, std::size_t rounds) {
  std::vector<double> values = reader.positives(key);
  if (values.size() != rounds) {
    reader.fail(key, fmt::format("has {} values but time_ns has {}; columns must be of equal length, so measure again",
                                 values.size(), rounds));
  }
  return values;
}

/// `reference_optional`: the times of the reference and their launches may be absent, together.
Rounds rounds_from_json(json const& source, std::string_view origin, std::string_view place, bool reference_optional) {
  ObjectReader reader(source, origin, place);
  Rounds rounds;
  rounds.launches = reader.small_integer("launches", 1);
  rounds.time_ns = reader.positives("time_ns");
  std::size_t const count = rounds.time_ns.size();
  if (count == 0) {
    reader.fail("time_ns", "is empty; a measured case needs at least one round, so measure again");
  }
  bool const has_reference = reader.has("reference_time_ns") || reader.has("reference_launches");
  if (has_reference || !reference_optional) {
    rounds.reference_launches = reader.small_integer("reference_launches", 1);
    rounds.reference_time_ns = column(reader, "reference_time_ns", count);
  }
  if (reader.has("clock_mhz")) {
    rounds.clock_mhz = column(reader, "clock_mhz", count);
  }
  if (reader.has("reference_clock_mhz")) {
    rounds.reference_clock_mhz = column(reader, "reference_clock_mhz", count);
  }
  reader.finish();
  return rounds;
}

json proof_to_json(Proof const& proof) {
  return {{"replays", proof.replays},
          {"compared", proof.compared},
          {"outputs_compared", proof.outputs_compared},
          {"clock_deviation", measurement(proof.clock_deviation)}};
}

Proof proof_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  Proof proof;
  proof.replays = reader.small_integer("replays");
  proof.compared = reader.small_integer("compared");
  if (proof.compared > proof.replays) {
    reader.fail("compared", "must not be larger than replays");
  }
  proof.outputs_compared = reader.integer("outputs_compared", 0);
  if (proof.outputs_compared < proof.compared) {
    reader.fail("outputs_compared", "must not be smaller than compared: a replay has at least one output");
  }
  proof.clock_deviation = reader.number("clock_deviation", 0);
  reader.finish();
  return proof;
}

void require_case_id(ObjectReader const& reader, char const* key, std::string const& id) {
  if (!is_case_id(id)) {
    reader.fail(key, kCaseIdRule);
  }
}

/// What a status promises about the rest of the result.
void require_consistent(ObjectReader const& reader, CaseResult const& result, Measurer measurer) {
  bool const measured = result.status == CaseStatus::measured;
  std::string const status(to_text(result.status));
  bool const unverified = !result.verification && measurer == Measurer::other_program;
  if (measured && !unverified && !(result.verification && result.verification->passed)) {
    reader.fail("verification", "must have passed in a measured case: a wrong kernel has no time; measure again");
  }
  if (measured && !result.rounds) {
    reader.fail("rounds", "is missing in a measured case; measure again");
  }
  if (!measured && result.rounds) {
    reader.fail("rounds", fmt::format("must not be given for a case that is {}; measure again", status));
  }
  if (!measured && result.proof) {
    reader.fail("proof", fmt::format("must not be given for a case that is {}; measure again", status));
  }
  if (result.status == CaseStatus::incorrect && !(result.verification && !result.verification->passed)) {
    reader.fail("verification", "must be given and not passed in an incorrect case; measure again");
  }
  if (!measured && result.message.empty()) {
    reader.fail("message", fmt::format("must say why the case is {}", status));
  }
  bool const skipped = result.status == CaseStatus::skipped;
  if (result.skip_reason.has_value() != skipped) {
    reader.fail("skip_reason", fmt::format("must {}be given for a case that is {}", skipped ? "" : "not ", status));
  }
  if (result.skip_reason == SkipReason::verify_only && !(result.verification && result.verification->passed)) {
    reader.fail("verification", "must have passed in a case that was only to be verified; verify again");
  }
}

}  // namespace

json to_json(CaseResult const& result) {
  json object = {{"id", result.id},
                 {"status", to_text(result.status)},
                 {"work", to_json(result.work)},
                 {"seconds", measurement(result.seconds)}};
  put_nonempty(object, "reference", result.reference);
  put_nonempty(object, "message", result.message);
  put_nonempty(object, "arithmetic", result.arithmetic);
  put_nonempty(object, "stop_reason", result.stop_reason);
  if (result.skip_reason) {
    object["skip_reason"] = to_text(*result.skip_reason);
  }
  if (result.verification) {
    object["verification"] = verification_to_json(*result.verification);
  }
  if (!result.launches.empty()) {
    object["launches"] = launches_to_json(result.launches);
  }
  if (result.rounds) {
    object["rounds"] = rounds_to_json(*result.rounds);
  }
  if (result.proof) {
    object["proof"] = proof_to_json(*result.proof);
  }
  if (result.state) {
    object["state"] = to_json(*result.state);
  }
  if (result.injected_percent != 0) {
    object["injected_percent"] = measurement(result.injected_percent);
  }
  put_nonempty(object, "unfit", result.unfit);
  if (result.device_seconds) {
    object["device_seconds"] = measurement(*result.device_seconds);
  }
  return object;
}

namespace {

CaseResult read_case(json const& source, std::string_view origin, std::string_view place, Measurer measurer) {
  ObjectReader reader(source, origin, place);
  CaseResult result;
  result.id = reader.text("id");
  require_case_id(reader, "id", result.id);
  result.status = case_status_from_text(reader.choice("status", case_status_texts())).value();
  result.reference = reader.text_or("reference", "");
  if (result.status == CaseStatus::measured || !result.reference.empty()) {
    require_case_id(reader, "reference", result.reference);
  }
  result.message = reader.text_or("message", "");
  if (reader.has("skip_reason")) {
    result.skip_reason = skip_reason_from_text(reader.choice("skip_reason", skip_reason_texts()));
  }
  if (reader.has("verification")) {
    result.verification =
        verification_from_json(reader.object("verification"), origin, reader.place_of("verification"));
  }
  result.launches = launches_from_json(reader, "launches", origin);
  result.work = work_from_json(reader.object("work"), origin, reader.place_of("work"));
  result.arithmetic = reader.text_or("arithmetic", "");
  if (reader.has("rounds")) {
    bool const reference_optional = measurer == Measurer::other_program && result.reference == result.id;
    result.rounds = rounds_from_json(reader.object("rounds"), origin, reader.place_of("rounds"), reference_optional);
  }
  if (reader.has("proof")) {
    result.proof = proof_from_json(reader.object("proof"), origin, reader.place_of("proof"));
  }
  if (reader.has("state")) {
    result.state = device_state_from_json(reader.object("state"), origin, reader.place_of("state"));
  }
  result.stop_reason = reader.text_or("stop_reason", "");
  result.injected_percent = reader.number_or("injected_percent", 0, 0);
  result.unfit = reader.texts_or_none("unfit");
  result.seconds = reader.number("seconds", 0);
  if (reader.has("device_seconds")) {
    result.device_seconds = reader.number("device_seconds", 0);
  }
  require_consistent(reader, result, measurer);
  reader.finish();
  return result;
}

}  // namespace

CaseResult case_result_from_json(json const& source, std::string_view origin, std::string_view place) {
  return read_case(source, origin, place, Measurer::worker);
}

CaseResult imported_case_from_json(json const& source, std::string_view origin, std::string_view place) {
  return read_case(source, origin, place, Measurer::other_program);
}

}  // namespace perfcheck::model
