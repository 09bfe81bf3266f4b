// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/results_json.h"

#include "perfcheck/model/json_members.h"

#include <algorithm>

namespace perfcheck::results {
namespace {

using nlohmann::json;

json witness_json(gate::Witness const& witness) {
  return {{"change", witness.change},
          {"low", witness.low},
          {"high", witness.high},
          {"sd", witness.sd},
          {"baseline_sessions", witness.baseline_sessions},
          {"new_sessions", witness.new_sessions}};
}

json difference_json(gate::Difference const& difference) {
  json object = {
      {"what", difference.what}, {"before", difference.before}, {"after", difference.after}, {"text", difference.text}};
  if (difference.launch > 0) {
    object["launch"] = difference.launch;
  }
  return object;
}

json row_json(report::CaseRow const& row) {
  json object = {{"id", row.id}, {"outcome", row.outcome}, {"failed", row.failed}};
  if (!row.reason.empty()) {
    object["reason"] = row.reason;
  }
  if (row.skip_reason) {
    object["skip_reason"] = model::to_text(*row.skip_reason);
  }
  for (report::MetricRow const& metric : report::metrics()) {
    if (metric.readers.results) {
      model::put_number(object, metric.key, metric.of(row));
    }
  }
  return object;
}

void add_decision(json& object, gate::CaseDecision const& decision) {
  object["verdict"] = model::to_text(decision.verdict);
  object["reason_code"] = decision.reason_code;
  object["margin"] = decision.margin;
  model::put_number(object, "detectable", decision.detectable);
  model::put_number(object, "at_most", decision.at_most);
  model::put_number(object, "behind", decision.behind);
  if (!decision.renamed_from.empty()) {
    object["renamed_from"] = decision.renamed_from;
  }
  if (!decision.decided_by.empty()) {
    object["decided_by"] = decision.decided_by;
  }
  if (decision.ratio) {
    object["ratio_change"] = witness_json(*decision.ratio);
  }
  if (decision.cycles) {
    object["cycles_change"] = witness_json(*decision.cycles);
  }
  if (decision.time) {
    object["time_change"] = witness_json(*decision.time);
  }
  for (gate::Difference const& difference : decision.differences) {
    object["differences"].push_back(difference_json(difference));
  }
}

json run_part(model::Run const& run, std::vector<report::CaseRow> const& rows, model::ExitCode exit_code) {
  json counts = json::object();
  for (report::CaseRow const& row : rows) {
    counts[row.outcome] = counts.value(row.outcome, 0) + 1;
  }
  model::DeviceInfo const device = run.sessions.empty() ? model::DeviceInfo{} : run.sessions.front().device;
  return {{"schema", kCheckSchema},
          {"exit_code", static_cast<int>(exit_code)},
          {"counts", counts},
          {"run",
           {{"id", run.id},
            {"started", run.started},
            {"seconds", run.seconds},
            {"suite", run.suite},
            {"filters", run.filters},
            {"injected", run.injected},
            {"commit", run.source.commit},
            {"dirty", run.source.dirty},
            {"worker", run.worker.name},
            {"backend", run.worker.backend},
            {"sessions", run.sessions.size()}}},
          {"device", {{"name", device.name}, {"slug", device.slug}, {"uuid", device.uuid}}}};
}

}  // namespace

json check_json(model::Run const& run, gate::Decisions const& decisions, std::vector<report::CaseRow> const& rows) {
  json object = run_part(run, rows, decisions.exit_code);
  object["notes"] = decisions.notes;
  object["cases"] = json::array();
  for (report::CaseRow const& row : rows) {
    json entry = row_json(row);
    auto const decision = std::find_if(decisions.cases.begin(), decisions.cases.end(),
                                       [&](gate::CaseDecision const& one) { return one.id == row.id; });
    if (decision != decisions.cases.end()) {
      add_decision(entry, *decision);
    }
    object["cases"].push_back(std::move(entry));
  }
  object["kernels"] = json::array();
  for (gate::CaseDecision const& decision : decisions.kernels) {
    json entry = {{"id", decision.id}, {"reason", decision.reason}};
    add_decision(entry, decision);
    object["kernels"].push_back(std::move(entry));
  }
  return object;
}

json run_json(model::Run const& run, std::vector<std::string> const& notes, std::vector<report::CaseRow> const& rows,
              model::ExitCode exit_code) {
  json object = run_part(run, rows, exit_code);
  object["notes"] = notes;
  object["cases"] = json::array();
  for (report::CaseRow const& row : rows) {
    object["cases"].push_back(row_json(row));
  }
  return object;
}

}  // namespace perfcheck::results
