// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/creep_text.h"

#include "perfcheck/model/json_members.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/report/columns.h"
#include "perfcheck/trends/history_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace perfcheck::trends {
namespace {

using creep::CaseCreep;
using creep::Status;
using nlohmann::json;

// A note names so many cases; the command names all.
constexpr std::size_t kNamedInANote = 3;

bool crept(CreptCase const& one) { return one.found.status == Status::drifted || one.found.status == Status::creeping; }

/// "1a2b3c4d5e6f", or when the run was, where its commit is not known.
std::string commit_at(CreptDevice const& device, int run) {
  if (run < 0) {
    return "-";
  }
  CreepRun const& at = device.runs[static_cast<std::size_t>(run)];
  return model::one_line(at.commit.empty() ? "run of " + at.when : at.commit.substr(0, 12));
}

std::string percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

std::string anchor_text(CreptDevice const& device, CaseCreep const& found) {
  std::string const name = found.anchor == creep::AnchorKind::release && device.release
                               ? "release " + model::one_line(device.release->name)
                               : std::string(creep::to_text(found.anchor));
  return fmt::format("{} ({} up to {})", name, counted(static_cast<std::size_t>(found.anchor_runs), "run"),
                     commit_at(device, found.anchor_to));
}

std::string device_line(CreptDevice const& device) {
  return model::one_line(fmt::format(
             "{}, {}: {} over {}, compared with {}", device.device_name, device.operation,
             counted(device.cases.size(), "case"), counted(device.runs.size(), "run"),
             device.release
                 ? fmt::format("release {} ({})", device.release->name, commit_at(device, device.release->run))
                 : std::string("their first runs: there is no release tag among them"))) +
         "\n";
}

std::vector<std::string> row(CreptDevice const& device, CreptCase const& one) {
  CaseCreep const& found = one.found;
  bool const told = found.runs > 0;
  return {model::one_line(found.id),
          std::string(creep::to_text(found.status)),
          told ? std::string(report::to_text(one.metric)) : "-",
          told ? drift_text(found) : "-",
          fmt::format("{:.2f} %", 100 * found.margin),
          commit_at(device, found.onset),
          commit_at(device, found.alarm),
          std::string(creep::to_text(found.reason))};
}

/// "118 steady, 1 drifted, 60 left out (the same machine code in every run since)".
std::string count_line(CreptDevice const& device) {
  std::string line;
  for (Status const status : {Status::drifted, Status::creeping, Status::steady}) {
    std::size_t const count = device.count(status);
    if (count > 0 || status == Status::steady) {
      line += fmt::format("{}{} {}", line.empty() ? "" : ", ", count, creep::to_text(status));
    }
  }
  for (Status const status : {Status::unknown, Status::left_out}) {
    std::map<creep::Reason, std::size_t> reasons;
    for (CreptCase const& one : device.cases) {
      reasons[one.found.reason] += one.found.status == status ? 1 : 0;
    }
    for (auto const& [reason, count] : reasons) {
      if (count > 0) {
        line += fmt::format(", {} {} ({})", count, status == Status::unknown ? "cannot be told" : "left out",
                            creep::to_text(reason));
      }
    }
  }
  return line + "\n";
}

std::string contribution_line(CreptDevice const& device, creep::Contribution const& one) {
  CreepRun const& run = device.runs[static_cast<std::size_t>(one.run)];
  std::string const moved =
      one.moved ? fmt::format("{} ({:+.2f} to {:+.2f})", percent(*one.moved), 100 * *one.low, 100 * *one.high)
                : std::string("not to be told");
  return fmt::format("      {:<26}{} {} {}\n", moved, one.moved && !one.likeliest ? "or " : "   ",
                     commit_at(device, one.run), model::one_line(run.subject));
}

std::string story(CreptDevice const& device, CreptCase const& one) {
  CaseCreep const& found = one.found;
  std::string text = fmt::format(
      "\n{}\n    {}: {} {} in the last {}, against {}; {:.2f} % allowed\n    began at {}, {} since {}\n",
      model::one_line(found.id), creep::to_text(found.status), report::to_text(one.metric), drift_text(found),
      counted(static_cast<std::size_t>(found.runs), "run"), anchor_text(device, found), 100 * found.margin,
      commit_at(device, found.onset), found.status == Status::drifted ? "more than is allowed" : "beyond chance",
      commit_at(device, found.alarm));
  text +=
      found.contributions.empty() ? "    no commit since changed its machine code\n" : "    may have contributed:\n";
  for (creep::Contribution const& contribution : found.contributions) {
    text += contribution_line(device, contribution);
  }
  return text;
}

json place_json(CreptDevice const& device, int run) {
  CreepRun const& at = device.runs[static_cast<std::size_t>(run)];
  json object = {{"when", at.when}};
  model::put_nonempty(object, "commit", at.commit);
  return object;
}

json contribution_json(CreptDevice const& device, creep::Contribution const& one) {
  json object = place_json(device, one.run);
  model::put_nonempty(object, "subject", device.runs[static_cast<std::size_t>(one.run)].subject);
  object["after"] = place_json(device, one.before);
  object["likeliest"] = one.likeliest;
  model::put_number(object, "moved", one.moved);
  model::put_number(object, "low", one.low);
  model::put_number(object, "high", one.high);
  return object;
}

json case_json(CreptDevice const& device, CreptCase const& one) {
  CaseCreep const& found = one.found;
  json object = {{"id", found.id}, {"status", creep::to_text(found.status)}, {"margin", found.margin}};
  model::put_nonempty(object, "reason", std::string(creep::to_text(found.reason)));
  if (found.anchor_from >= 0) {
    object["anchor"] = {{"kind", creep::to_text(found.anchor)},
                        {"from", place_json(device, found.anchor_from)},
                        {"to", place_json(device, found.anchor_to)},
                        {"runs", found.anchor_runs}};
  }
  if (found.runs > 0) {
    object["metric"] = report::to_text(one.metric);
    object["drift"] = found.drift;
    object["low"] = found.low;
    object["high"] = found.high;
    object["runs"] = found.runs;
    object["p"] = found.p;
  }
  if (crept(one)) {
    object["onset"] = place_json(device, found.onset);
    object["alarm"] = place_json(device, found.alarm);
    object["commits"] = json::array();
    for (creep::Contribution const& contribution : found.contributions) {
      object["commits"].push_back(contribution_json(device, contribution));
    }
  }
  return object;
}

/// "cycles +1.02 % (+0.91 to +1.13) in gemm/simt/naive@... since 1a2b3c4d5e6f (0.50 % allowed)".
std::string named(CreptDevice const& device, CreptCase const& one) {
  return fmt::format("{} {} in {} since {} ({:.2f} % allowed)", report::to_text(one.metric), drift_text(one.found),
                     one.found.id, commit_at(device, one.found.onset), 100 * one.found.margin);
}

std::string note_about(CreptDevice const& device, Status status, std::string const& history) {
  std::string list;
  std::size_t named_so_far = 0;
  for (CreptCase const& one : device.cases) {
    if (one.found.status == status && named_so_far < kNamedInANote) {
      list += fmt::format("{}{}", named_so_far++ == 0 ? "" : "; ", named(device, one));
    }
  }
  std::size_t const count = device.count(status);
  if (count > named_so_far) {
    list += fmt::format("; and {} more", count - named_so_far);
  }
  bool const drifted = status == Status::drifted;
  return fmt::format(
      "creep: {} {} over many commits, by steps that this check lets pass: {}; `perfcheck history creep "
      "--history {}` names the commits",
      counted(count, "case"), drifted ? "became slower than is allowed" : "is becoming slower, within what is allowed",
      list, history);
}

}  // namespace

std::string drift_text(CaseCreep const& found) {
  return fmt::format("{} ({:+.2f} to {:+.2f})", percent(found.drift), 100 * found.low, 100 * found.high);
}

std::string creep_text(std::vector<CreptDevice> const& devices, Detail detail) {
  std::string text;
  for (CreptDevice const& device : devices) {
    text += (text.empty() ? "" : "\n") + device_line(device);
    std::vector<std::vector<std::string>> rows;
    for (CreptCase const& one : device.cases) {
      if (crept(one) || detail == Detail::verbose) {
        rows.push_back(row(device, one));
      }
    }
    using Align = report::Column::Align;
    if (!rows.empty()) {
      text += report::columns({{"case"},
                               {"status"},
                               {"of"},
                               {"change", Align::right},
                               {"allowed", Align::right},
                               {"began"},
                               {"told since"},
                               {"why"}},
                              rows);
    }
    text += count_line(device);
    for (CreptCase const& one : device.cases) {
      if (crept(one) && detail != Detail::quiet) {
        text += story(device, one);
      }
    }
  }
  return text;
}

json creep_json(CreptDevice const& device, Cases cases) {
  json object = {{"device", device.device_slug}, {"operation", device.operation},
                 {"runs", device.runs.size()},   {"judged", device.judged},
                 {"controls", device.controls},  {"controls_moved", device.controls_moved},
                 {"counts", json::object()},     {"cases", json::array()}};
  if (device.release) {
    object["release"] = place_json(device, device.release->run);
    object["release"]["name"] = device.release->name;
  }
  for (CreptCase const& one : device.cases) {
    std::string const status(creep::to_text(one.found.status));
    object["counts"][status] = object["counts"].value(status, 0) + 1;
    if (cases == Cases::all || crept(one)) {
      object["cases"].push_back(case_json(device, one));
    }
  }
  return object;
}

std::string creep_json_text(std::vector<CreptDevice> const& devices, model::ExitCode exit_code) {
  json object = {
      {"schema", "perfcheck.creep/1"}, {"exit_code", static_cast<int>(exit_code)}, {"devices", json::array()}};
  for (CreptDevice const& device : devices) {
    object["devices"].push_back(creep_json(device, Cases::all));
  }
  return model::document_text(object);
}

std::optional<CreptDevice> creep_of_run(history::History& history, model::Run const& run, config::Config const& config,
                                        std::filesystem::path const& baselines, std::vector<std::string>& notes) {
  try {
    for (DeviceHistory const& device : devices_of(history, {})) {
      if (std::ranges::find(device.runs, run.id, &history::RunEntry::id) == device.runs.end()) {
        continue;
      }
      CreptDevice crept = creep_of(history, device, config, baselines, "", nullptr);
      for (Status const status : {Status::drifted, Status::creeping}) {
        if (crept.count(status) > 0) {
          notes.push_back(note_about(crept, status, history.name()));
        }
      }
      return crept;
    }
  } catch (std::exception const& error) {
    notes.push_back(fmt::format("creep: nothing can be said about it: {}", error.what()));
  }
  return std::nullopt;
}

model::ExitCode creep_exit_code(std::vector<CreptDevice> const& devices) {
  auto const any_case = [&](auto const& is) {
    return std::ranges::any_of(devices,
                               [&](CreptDevice const& device) { return std::ranges::any_of(device.cases, is); });
  };
  if (any_case([](CreptCase const& one) { return one.found.status == Status::drifted; })) {
    return model::ExitCode::regressed;
  }
  bool const machine_moved =
      any_case([](CreptCase const& one) { return one.found.reason == creep::Reason::controls_moved; });
  bool const judged = std::ranges::any_of(devices, [](CreptDevice const& device) { return device.judged > 0; });
  return judged && !machine_moved ? model::ExitCode::ok : model::ExitCode::undecided;
}

}  // namespace perfcheck::trends
