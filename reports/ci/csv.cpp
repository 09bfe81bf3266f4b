// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/escape.h"
#include "ci/items.h"
#include "ci/writers.h"

#include <fmt/format.h>

#include <array>

namespace perfcheck::report::ci {
namespace {

constexpr int kDigits = 6;

std::string number(std::optional<double> value) { return digits(value, kDigits); }

/// A column: title and what stands in it. Texts are cells of csv_cell(), numbers as they are.
struct Field {
  char const* title;
  std::string (*cell)(CheckResult const&, Item const&);
};

using Witness = std::optional<gate::Witness>;

Witness ratio_of(Item const& item) { return item.decision == nullptr ? std::nullopt : item.decision->ratio; }
Witness cycles_of(Item const& item) { return item.decision == nullptr ? std::nullopt : item.decision->cycles; }
Witness time_of(Item const& item) { return item.decision == nullptr ? std::nullopt : item.decision->time; }

std::string change_of(Witness const& witness) { return witness ? number(witness->change) : ""; }
std::string low_of(Witness const& witness) { return witness ? number(witness->low) : ""; }
std::string high_of(Witness const& witness) { return witness ? number(witness->high) : ""; }

model::DeviceInfo device_info(CheckResult const& result) {
  return result.run.sessions.empty() ? model::DeviceInfo{} : result.run.sessions.front().device;
}

std::string decision_text(Item const& item, std::string gate::CaseDecision::* member) {
  return item.decision == nullptr ? "" : csv_cell(item.decision->*member);
}

using R = CheckResult;
using I = Item;

constexpr std::array kFields = {
    Field{"case", [](R const&, I const& i) { return csv_cell(i.id); }},
    Field{"kernel", [](R const&, I const& i) { return csv_cell(i.kernel); }},
    Field{"problem", [](R const&, I const& i) { return csv_cell(i.problem); }},
    Field{"outcome", [](R const&, I const& i) { return csv_cell(i.outcome); }},
    Field{"failed", [](R const&, I const& i) { return std::string(i.failed ? "1" : "0"); }},
    Field{"reason_code", [](R const&, I const& i) { return decision_text(i, &gate::CaseDecision::reason_code); }},
    Field{"decided_by", [](R const&, I const& i) { return decision_text(i, &gate::CaseDecision::decided_by); }},
    Field{"time_ns", [](R const&, I const& i) { return number(i.row->time_ns); }},
    Field{"time_before_ns", [](R const&, I const& i) { return number(time_before(i)); }},
    Field{"tflops", [](R const&, I const& i) { return number(i.row->tflops); }},
    Field{"gb_s", [](R const&, I const& i) { return number(i.row->gb_s); }},
    Field{"reference_share", [](R const&, I const& i) { return number(i.row->reference_share); }},
    Field{"naive_speedup", [](R const&, I const& i) { return number(i.row->naive_speedup); }},
    Field{"peak_share", [](R const&, I const& i) { return number(i.row->peak_share); }},
    Field{"cycles", [](R const&, I const& i) { return number(i.row->cycles); }},
    Field{"clock_mhz", [](R const&, I const& i) { return number(i.row->clock_mhz); }},
    Field{"noise", [](R const&, I const& i) { return number(i.row->noise); }},
    Field{"change", [](R const&, I const& i) { return change_of(i.change()); }},
    Field{"change_low", [](R const&, I const& i) { return low_of(i.change()); }},
    Field{"change_high", [](R const&, I const& i) { return high_of(i.change()); }},
    Field{"margin", [](R const&, I const& i) { return i.decision == nullptr ? "" : number(i.decision->margin); }},
    Field{"detectable", [](R const&, I const& i) { return number(i.row->detectable); }},
    Field{"at_most", [](R const&, I const& i) { return number(i.row->at_most); }},
    Field{"ratio_change", [](R const&, I const& i) { return change_of(ratio_of(i)); }},
    Field{"ratio_low", [](R const&, I const& i) { return low_of(ratio_of(i)); }},
    Field{"ratio_high", [](R const&, I const& i) { return high_of(ratio_of(i)); }},
    Field{"cycles_change", [](R const&, I const& i) { return change_of(cycles_of(i)); }},
    Field{"cycles_low", [](R const&, I const& i) { return low_of(cycles_of(i)); }},
    Field{"cycles_high", [](R const&, I const& i) { return high_of(cycles_of(i)); }},
    Field{"time_change", [](R const&, I const& i) { return change_of(time_of(i)); }},
    Field{"time_low", [](R const&, I const& i) { return low_of(time_of(i)); }},
    Field{"time_high", [](R const&, I const& i) { return high_of(time_of(i)); }},
    Field{"reason", [](R const&, I const& i) { return csv_cell(i.reason); }},
    Field{"also_changed", [](R const&, I const& i) { return csv_cell(i.row->also_changed); }},
    Field{"file", [](R const&, I const& i) { return i.entry == nullptr ? "" : csv_cell(i.entry->file); }},
    Field{"line",
          [](R const&,
             I const& i) { return i.entry == nullptr || i.entry->line <= 0 ? "" : std::to_string(i.entry->line); }},
    Field{"result", [](R const& r, I const&) { return csv_cell(r.name); }},
    Field{"device", [](R const& r, I const&) { return csv_cell(device_info(r).name); }},
    Field{"uuid", [](R const& r, I const&) { return csv_cell(device_info(r).uuid); }},
    Field{"commit", [](R const& r, I const&) { return csv_cell(r.run.source.commit); }},
    Field{"run", [](R const& r, I const&) { return csv_cell(r.run.id); }},
    Field{"started", [](R const& r, I const&) { return csv_cell(r.run.started); }},
};

}  // namespace

std::string write_csv(CheckResult const& result) {
  std::string text;
  for (Field const& field : kFields) text += fmt::format("{}{}", text.empty() ? "" : ",", field.title);
  text += "\r\n";
  for (Item const& item : items_of(result)) {
    if (item.row == nullptr) continue;
    std::string line;
    for (Field const& field : kFields) line += (&field == &kFields.front() ? "" : ",") + field.cell(result, item);
    text += line + "\r\n";
  }
  return text;
}

}  // namespace perfcheck::report::ci
