// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/history/export.h"

#include "perfcheck/model/json.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/model/object_reader.h"
#include "perfcheck/model/one_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfcheck::history {
namespace {

using model::ObjectReader;
using nlohmann::json;

std::string line_of(json const& object) { return model::one_line_text(object) + "\n"; }

json decision_json(RunDecision const& decision) {
  json cases = json::object();
  for (auto const& [id, one] : decision.cases) {
    json& object = cases[id] = {{"verdict", model::to_text(one.verdict)}};
    model::put_nonempty(object, "reason_code", one.reason_code);
    model::put_nonempty(object, "reason", one.reason);
    model::put_nonempty(object, "also_changed", one.also_changed);
    model::put_nonempty(object, "decided_by", one.decided_by);
    model::put_number(object, "change", one.change);
    model::put_number(object, "low", one.low);
    model::put_number(object, "high", one.high);
    model::put_number(object, "margin", one.margin);
    model::put_number(object, "detectable", one.detectable);
  }
  return {{"exit_code", static_cast<int>(decision.exit_code)}, {"notes", decision.notes}, {"cases", std::move(cases)}};
}

StoredDecision case_decision_from_json(json const& source, std::string_view origin, std::string const& place) {
  ObjectReader reader(source, origin, place);
  StoredDecision decision;
  decision.verdict = model::verdict_from_text(reader.choice("verdict", model::verdict_texts())).value();
  decision.reason_code = reader.text_or("reason_code", "");
  decision.reason = reader.text_or("reason", "");
  decision.also_changed = reader.text_or("also_changed", "");
  decision.decided_by = reader.text_or("decided_by", "");
  decision.change = reader.optional_number("change");
  decision.low = reader.optional_number("low");
  decision.high = reader.optional_number("high");
  decision.margin = reader.optional_number("margin");
  decision.detectable = reader.optional_number("detectable");
  reader.finish();
  return decision;
}

RunDecision decision_from_json(json const& source, std::string_view origin, std::string const& place) {
  ObjectReader reader(source, origin, place);
  RunDecision decision;
  decision.exit_code = static_cast<model::ExitCode>(reader.integer("exit_code", 0, 255));
  decision.notes = reader.texts("notes");
  json const& cases = reader.object("cases");
  ObjectReader const places(cases, origin, reader.place_of("cases"));
  for (auto const& [id, one] : cases.items()) {
    decision.cases[id] = case_decision_from_json(one, origin, places.place_of(id));
  }
  reader.finish();
  return decision;
}

StoredCalibration calibration_from_json(json const& source, std::string_view origin, std::string const& place) {
  ObjectReader reader(source, origin, place);
  StoredCalibration calibration;
  calibration.device_slug = reader.nonempty_text("device");
  calibration.operation = reader.nonempty_text("operation");
  calibration.recorded = reader.nonempty_text("recorded");
  calibration.document = reader.object("document").dump();
  reader.finish();
  return calibration;
}

std::string csv_field(std::string const& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (char const c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

std::string csv_field(std::optional<double> value) { return value ? fmt::format("{}", *value) : std::string(); }

}  // namespace

std::string export_line(model::Run const& run, std::optional<RunDecision> const& decision) {
  json object = {{"schema", kExportSchema}, {"run", model::to_json(run)}};
  if (decision) {
    object["decision"] = decision_json(*decision);
  }
  return line_of(object);
}

std::string export_line(StoredCalibration const& calibration) {
  return line_of({{"schema", kExportSchema},
                  {"calibration",
                   {{"device", calibration.device_slug},
                    {"operation", calibration.operation},
                    {"recorded", calibration.recorded},
                    {"document", model::parse_strict(calibration.document,
                                                     "calibration of " + model::one_line(calibration.recorded))}}}});
}

bool looks_like_export(std::string_view text) {
  // The keys of an exported line are sorted, so a run with its decision does not begin with the schema.
  std::string_view const line = text.substr(0, text.find('\n'));
  return line.find(fmt::format("\"schema\":\"{}\"", kExportSchema)) != std::string_view::npos;
}

ImportedLine import_line(std::string_view line, std::string_view origin) {
  json const source = model::parse_strict(line, origin);
  ObjectReader reader(source, origin, "");
  std::string const schema = reader.nonempty_text("schema");
  if (schema != kExportSchema) {
    reader.fail("schema", fmt::format("is {}, but this perfcheck reads {}; export it again with a perfcheck that knows "
                                      "this one",
                                      model::in_quotes(schema), kExportSchema));
  }
  ImportedLine imported;
  if (reader.has("calibration")) {
    imported.calibration = calibration_from_json(reader.object("calibration"), origin, "calibration");
  } else {
    imported.run = model::run_from_text(reader.object("run").dump(), origin);
    if (reader.has("decision")) {
      imported.decision = decision_from_json(reader.object("decision"), origin, "decision");
    }
  }
  reader.finish();
  return imported;
}

std::string csv_header() {
  return "run,started,committed,commit,dirty,device,operation,card,suite,origin,case,status,verdict,sessions,time_ns,"
         "time_hw,ratio,ratio_hw,cycles,cycles_hw,clock_mhz,power_w,temperature_c,noise,decided_by,change,low,high,"
         "margin,detectable\n";
}

std::string csv_line(RunEntry const& run, SeriesEntry const& series, Result const& result) {
  StoredDecision const none{};
  StoredDecision const& decision = result.decision ? *result.decision : none;
  std::vector<std::string> const fields{csv_field(run.id),
                                        csv_field(run.started),
                                        csv_field(run.committed),
                                        csv_field(run.commit),
                                        run.dirty ? "1" : "0",
                                        csv_field(run.device_slug),
                                        csv_field(run.operation),
                                        csv_field(run.card),
                                        csv_field(run.suite),
                                        csv_field(run.origin),
                                        csv_field(series.case_id),
                                        std::string(model::to_text(result.status)),
                                        result.decision ? std::string(model::to_text(decision.verdict)) : std::string(),
                                        fmt::format("{}", result.sessions),
                                        csv_field(result.time_ns),
                                        csv_field(result.time_hw),
                                        csv_field(result.ratio),
                                        csv_field(result.ratio_hw),
                                        csv_field(result.cycles),
                                        csv_field(result.cycles_hw),
                                        csv_field(result.clock_mhz),
                                        csv_field(result.power_w),
                                        csv_field(result.temperature_c),
                                        csv_field(result.noise),
                                        csv_field(decision.decided_by),
                                        csv_field(decision.change),
                                        csv_field(decision.low),
                                        csv_field(decision.high),
                                        csv_field(decision.margin),
                                        csv_field(decision.detectable)};
  return fmt::format("{}\n", fmt::join(fields, ","));
}

}  // namespace perfcheck::history
