// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON form of a judge's report, with the rules that a sealed time must satisfy.
#include "perfcheck/model/sealed.h"

#include "json_number.h"
#include "perfcheck/model/object_reader.h"
#include "perfcheck/model/run.h"
#include "schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace perfcheck::model {

using nlohmann::json;

namespace {

constexpr char const* kSealedSchema = "perfcheck.sealed/1";

constexpr std::array kStatuses = {SealedStatus::timed, SealedStatus::incorrect, SealedStatus::invalid,
                                  SealedStatus::failed, SealedStatus::refused};

/// The compiler reports a value without a row (-Wswitch).
constexpr std::string_view row_of(SealedStatus status) {
  switch (status) {
    case SealedStatus::timed: return "timed";
    case SealedStatus::incorrect: return "incorrect";
    case SealedStatus::invalid: return "invalid";
    case SealedStatus::failed: return "failed";
    case SealedStatus::refused: return "refused";
  }
  return {};
}

SealedStatus read_status(ObjectReader& reader) {
  std::vector<std::string> texts;
  for (SealedStatus const status : kStatuses) {
    texts.emplace_back(row_of(status));
  }
  std::string const text = reader.choice("status", texts);
  return *std::ranges::find_if(kStatuses, [&](SealedStatus status) { return row_of(status) == text; });
}

Confinement read_confinement(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  Confinement confinement{.applied = reader.texts("applied"), .missing = reader.texts("missing")};
  reader.finish();
  return confinement;
}

std::string read_case_id(ObjectReader& reader, char const* key) {
  std::string id = reader.text(key);
  if (!is_case_id(id)) {
    reader.fail(key, kCaseIdRule);
  }
  return id;
}

void require_no_times(ObjectReader const& reader, SealedResult const& result) {
  std::string const status(to_text(result.status));
  if (result.message.empty()) {
    reader.fail("message", fmt::format("must say why the case is {}", status));
  }
  for (auto const& [key, times] :
       {std::pair{"time_ns", &result.time_ns}, std::pair{"reference_time_ns", &result.reference_time_ns},
        std::pair{"warm_time_ns", &result.warm_time_ns}}) {
    if (!times->empty()) {
      reader.fail(key, fmt::format("must be empty for a case that is {}; time it again", status));
    }
  }
}

void require_times(ObjectReader const& reader, SealedResult const& result) {
  if (!result.message.empty()) {
    reader.fail("message", "must not be given for a case that is timed; time it again");
  }
  if (result.verified < 1) {
    reader.fail("verified", "must be at least 1 for a case that is timed: a time without a right output is none");
  }
  if (result.launches < 1) {
    reader.fail("launches", "must be at least 1 for a case that is timed");
  }
  if (result.time_ns.empty()) {
    reader.fail("time_ns", "is empty; a case that is timed needs at least one batch, so time it again");
  }
  std::size_t const wanted = result.reference.empty() ? 0 : result.time_ns.size();
  if (result.reference_time_ns.size() != wanted) {
    reader.fail("reference_time_ns",
                fmt::format("has {} values, but {} belong to it: one for each of time_ns where there is a reference",
                            result.reference_time_ns.size(), wanted));
  }
  if (!result.reference.empty() && result.reference_launches < 1) {
    reader.fail("reference_launches", "must be at least 1 for a case that is timed beside a reference");
  }
}

}  // namespace

std::string_view to_text(SealedStatus status) {
  std::string_view const text = row_of(status);
  if (text.empty()) {
    throw std::logic_error("a sealed status outside of its enum has no text");
  }
  return text;
}

std::string to_json_line(SealedResult const& result) {
  json object = {{"schema", kSealedSchema},
                 {"case", result.id},
                 {"status", to_text(result.status)},
                 {"launches", result.launches},
                 {"reference_launches", result.reference_launches},
                 {"verified", result.verified},
                 {"time_ns", measurements(result.time_ns)},
                 {"reference_time_ns", measurements(result.reference_time_ns)},
                 {"around_ns", measurement(result.around_ns)},
                 {"confinement", {{"applied", result.confinement.applied}, {"missing", result.confinement.missing}}}};
  if (!result.warm_time_ns.empty()) {
    object["warm_time_ns"] = measurements(result.warm_time_ns);
    object["write_back_ns"] = measurement(result.write_back_ns);
  }
  put_nonempty(object, "reference", result.reference);
  put_nonempty(object, "message", result.message);
  return one_line_text(object);
}

SealedResult parse_sealed(std::string_view line, std::string_view origin) {
  json const source = parse_strict(line, origin);
  ObjectReader reader(source, origin, "");
  require_schema(reader, kSealedSchema);
  SealedResult result;
  result.id = read_case_id(reader, "case");
  if (reader.has("reference")) {
    result.reference = read_case_id(reader, "reference");
  }
  result.status = read_status(reader);
  result.message = reader.text_or("message", "");
  result.launches = reader.small_integer("launches");
  result.reference_launches = reader.small_integer("reference_launches");
  result.verified = reader.integer("verified", 0);
  result.time_ns = reader.positives("time_ns");
  result.reference_time_ns = reader.positives("reference_time_ns");
  if (reader.has("warm_time_ns")) {
    result.warm_time_ns = reader.positives("warm_time_ns");
  }
  result.write_back_ns = reader.number_or("write_back_ns", 0, 0);
  result.around_ns = reader.number("around_ns", 0);
  result.confinement = read_confinement(reader.object("confinement"), origin, reader.place_of("confinement"));
  reader.finish();
  if (result.status == SealedStatus::timed) {
    require_times(reader, result);
  } else {
    require_no_times(reader, result);
  }
  return result;
}

}  // namespace perfcheck::model
