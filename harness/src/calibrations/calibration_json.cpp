// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrations/calibration_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace perfcheck::calibrations {
namespace {

using nlohmann::json;

json rates_json(calibrate::RatesByPercent const& rates) {
  json list = json::array();
  for (auto const& [percent, rate] : rates) {
    list.push_back({{"percent", percent}, {"trials", rate.trials}, {"found", rate.found}, {"units", rate.units}});
  }
  return list;
}

json noise_json(calibrate::NoiseSplit const& noise) {
  json object = json::object();
  for (auto const& [name, value] :
       {std::pair{"rounds", noise.rounds}, {"sessions", noise.sessions}, {"cards", noise.cards}}) {
    if (value) {
      object[name] = *value;
    }
  }
  return object;
}

json case_json(calibrate::CaseRates const& one, calibrate::Calibration const& calibration) {
  json object = {{"id", one.id},
                 {"library", one.library},
                 {"time_ns", one.time_ns},
                 {"seconds", one.seconds},
                 {"device_seconds", one.device_seconds ? json(*one.device_seconds) : json()},
                 {"detectable", one.detectable ? json(*one.detectable) : json()},
                 {"untouched", one.untouched},
                 {"flagged", one.flagged},
                 {"false_alarms", one.false_alarms},
                 {"inconclusive", one.inconclusive},
                 {"device", rates_json(one.of(calibrate::Origin::device))},
                 {"added", rates_json(one.of(calibrate::Origin::added))},
                 {"equal_code", rates_json(one.of(calibrate::Origin::equal))}};
  if (auto const noise = calibration.noise.find(one.id); noise != calibration.noise.end()) {
    object["noise"] = {{"ratio", noise_json(noise->second.ratio)},
                       {"cycles", noise_json(noise->second.cycles)},
                       {"time", noise_json(noise->second.time)}};
  }
  return object;
}

json units_json(calibrate::Units const& units) { return {{"of", units.of}, {"false", units.alarmed}}; }

json checks_json(calibrate::SimulatedChecks const& checks) {
  return {{"checks", checks.checks},
          {"false_checks", checks.alarms},
          {"false_kernel_checks", checks.kernel_alarms},
          {"undecided_checks", checks.undecided}};
}

json rule_json(calibrate::RuleRates const& rule) {
  return {{"name", rule.name},
          {"source", rule.source},
          {"untouched", rule.untouched},
          {"false_alarms", rule.false_alarms},
          {"sessions", rule.screens},
          {"false_sessions", rule.false_screens},
          {"device", rates_json(rule.device)}};
}

}  // namespace

json calibration_json(calibrate::Calibration const& calibration) {
  calibrate::SuiteRates const& rates = calibration.rates;
  json object = {{"schema", kCalibrationSchema},
                 {"suite", calibration.suite},
                 {"confirm_sessions", calibration.confirm_sessions},
                 {"compared_with", calibration.compared_with},
                 {"checks", rates.screens},
                 {"false_checks", rates.false_screens},
                 {"false_kernel_checks", rates.false_kernel_screens},
                 {"inconclusive_checks", rates.inconclusive_screens},
                 {"blocks", units_json(rates.blocks)},
                 {"independent_cards", units_json(rates.cards)},
                 {"baselines", rates.baselines},
                 {"no_alarm_possible", rates.no_alarm_possible},
                 {"changed", rates.changed},
                 {"cards", json::array()},
                 {"cases", json::array()},
                 {"misses", json::array()},
                 {"rules", json::array()}};
  for (std::size_t i = 0; i < calibration.places.size(); ++i) {
    calibrate::Place const& place = calibration.places[i];
    calibrate::CardRates const& quiet = rates.by_card[i];
    object["cards"].push_back({{"uuid", place.card},
                               {"device", place.device},
                               {"driver", place.driver},
                               {"commit", place.commit},
                               {"libraries", place.libraries},
                               {"baseline_sessions", place.baseline_sessions},
                               {"blocks", place.blocks},
                               {"false_blocks", quiet.blocks.alarmed},
                               {"checks", quiet.screens},
                               {"false_checks", quiet.false_screens},
                               {"untouched", quiet.untouched},
                               {"flagged", quiet.flagged},
                               {"inconclusive", quiet.inconclusive}});
  }
  for (calibrate::CaseRates const& one : rates.cases) {
    object["cases"].push_back(case_json(one, calibration));
  }
  for (calibrate::Miss const& miss : calibration.misses) {
    object["misses"].push_back({{"id", miss.id},
                                {"percent", miss.goal.percent},
                                {"goal", miss.goal.share},
                                {"reached", miss.reached},
                                {"trials", miss.trials}});
  }
  for (calibrate::RuleRates const& rule : calibration.rules) {
    object["rules"].push_back(rule_json(rule));
  }
  return object;
}

nlohmann::json simulation_json(calibrate::Simulation const& simulation) {
  json object = {{"schema", kSimulationSchema},
                 {"confirm_sessions", simulation.confirm_sessions},
                 {"all", checks_json(simulation.result)},
                 {"equal_code", checks_json(simulation.equal)},
                 {"other_code", checks_json(simulation.rebuilt)},
                 {"decisions", simulation.decisions},
                 {"flagged", simulation.flagged},
                 {"cards", json::array()},
                 {"left_out", simulation.left_out},
                 {"findings", json::array()}};
  for (calibrate::SimulatedCard const& card : simulation.cards) {
    json one = checks_json(card.result);
    one["name"] = card.name;
    one["recorded_sessions"] = card.recorded_sessions;
    one["baseline_sessions"] = card.baseline_sessions;
    object["cards"].push_back(std::move(one));
  }
  for (calibrate::SimulatedFinding const& finding : simulation.findings) {
    object["findings"].push_back({{"check", finding.check},
                                  {"id", finding.id},
                                  {"kernel", finding.is_kernel},
                                  {"verdict", model::to_text(finding.verdict)},
                                  {"reason_code", finding.reason_code}});
  }
  return object;
}

}  // namespace perfcheck::calibrations
