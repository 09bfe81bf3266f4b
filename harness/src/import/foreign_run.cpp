// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "foreign_run.h"

#include "names.h"
#include "perfcheck/model/digest.h"
#include "perfcheck/model/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace perfcheck::importing {
namespace {

constexpr double kLongestSeconds = 1e12;  // of a case; 30,000 years

/// Reads `count` digits and the text `behind` them; false when there is something else.
bool read_digits(std::string_view& text, std::size_t count, int& value, std::string_view behind) {
  if (text.size() < count + behind.size()) {
    return false;
  }
  value = 0;
  for (char const c : text.substr(0, count)) {
    if (c < '0' || c > '9') {
      return false;
    }
    value = 10 * value + (c - '0');
  }
  text.remove_prefix(count);
  bool const as_wanted = text.starts_with(behind);
  text.remove_prefix(as_wanted ? behind.size() : 0);
  return as_wanted;
}

/// "Z", "+02:00" or "-0330", in minutes.
std::optional<int> offset_of(std::string_view text) {
  if (text == "Z") {
    return 0;
  }
  if (!text.starts_with('+') && !text.starts_with('-')) {
    return std::nullopt;
  }
  int const sign = text.front() == '-' ? -1 : 1;
  text.remove_prefix(1);
  int hours = 0, minutes = 0;
  if (!read_digits(text, 2, hours, "")) {
    return std::nullopt;
  }
  text.remove_prefix(text.starts_with(':') ? 1 : 0);
  bool const valid = read_digits(text, 2, minutes, "") && text.empty() && hours <= 14 && minutes <= 59;
  return valid ? std::optional(sign * (60 * hours + minutes)) : std::nullopt;
}

std::vector<model::KernelEntry> kernels_of(std::vector<model::CaseResult> const& cases) {
  std::set<std::string> ids;
  for (model::CaseResult const& result : cases) {
    ids.insert(model::split_case_id(result.id).kernel);
  }
  std::vector<model::KernelEntry> kernels;
  for (std::string const& id : ids) {
    kernels.push_back({.id = id});
  }
  return kernels;
}

[[noreturn]] void reject(std::string_view origin, std::string_view problem) {
  throw model::FormatError(fmt::format("{}: {}", origin, problem));
}

/// Every number in the file was usable, but after converting units or adding up it may be too large or too small.
void require_usable(model::CaseResult const& result, std::string_view origin) {
  auto const usable = [](std::vector<double> const& column) {
    return std::all_of(column.begin(), column.end(), [](double value) { return std::isfinite(value) && value > 0; });
  };
  bool const rounds_usable = !result.rounds || (usable(result.rounds->time_ns) && usable(result.rounds->clock_mhz));
  if (!rounds_usable || !std::isfinite(result.work.bytes) || !(result.seconds < kLongestSeconds)) {
    reject(origin, fmt::format("the numbers of {} are of no size that can be measured; record the file again",
                               shown(result.id)));
  }
}

std::string first_of(std::string const& given, std::string const& otherwise) {
  return given.empty() ? otherwise : given;
}

}  // namespace

model::CaseResult foreign_case(model::CaseName const& name) {
  model::CaseResult result;
  result.id = result.reference = model::case_id(name.kernel, name.problem);
  return result;
}

model::Run assembled(ForeignRun foreign, ImportOptions const& options, std::string_view origin) {
  if (foreign.cases.empty()) {
    reject(origin, "holds no result; record it again, with a filter that matches");
  }
  for (model::CaseResult const& result : foreign.cases) {
    require_usable(result, origin);
  }
  model::DeviceInfo& device = foreign.device;
  device.name = first_of(options.device_name, device.name);
  device.slug = model::slug_of(device.name);
  if (device.slug.empty()) {
    reject(origin, fmt::format("the name of the device, {}, has no letter or digit that could name a folder; give "
                               "another with --device-name",
                               shown(device.name)));
  }
  if (!foreign.version.empty()) {
    foreign.environment.libraries[foreign.library] = foreign.version;
  }
  model::Run run;
  run.id = foreign.id;
  run.started = first_of(foreign.started, options.started);
  if (run.started.empty()) {
    reject(origin, "holds no date; say when it was measured");
  }
  run.tool_version = options.tool_version;
  run.imported_from = foreign.version.empty() ? foreign.tool : foreign.tool + " " + foreign.version;
  run.source = options.source.commit.empty() ? foreign.source : options.source;
  run.worker.name = foreign.program;
  run.worker.backend = device.backend;
  run.worker.operation = first_of(options.operation, foreign.operation);
  run.kernels = kernels_of(foreign.cases);
  for (model::CaseResult const& result : foreign.cases) {
    run.seconds += result.seconds;
  }
  run.sessions.push_back({.id = "s1",
                          .started = run.started,
                          .purpose = model::SessionPurpose::screen,
                          .device = device,
                          .environment = std::move(foreign.environment),
                          .seed = 0,
                          .restarts = 0,
                          .cases = std::move(foreign.cases)});
  return run;
}

std::string id_from_text(std::string_view prefix, std::string_view text) {
  return fmt::format("{}-{}", prefix, model::digest_of(text));
}

std::optional<std::string> utc_of(std::string_view moment) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  bool const read = read_digits(moment, 4, year, "-") && read_digits(moment, 2, month, "-") &&
                    read_digits(moment, 2, day, "T") && read_digits(moment, 2, hour, ":") &&
                    read_digits(moment, 2, minute, ":") && read_digits(moment, 2, second, "");
  std::optional<int> const offset = read ? offset_of(moment) : std::nullopt;
  std::chrono::year_month_day const date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!offset || !date.ok() || hour > 23 || minute > 59 || second > 60) {
    return std::nullopt;
  }
  auto const utc = std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute - *offset) +
                   std::chrono::seconds(second);
  auto const midnight = std::chrono::floor<std::chrono::days>(utc);
  std::chrono::year_month_day const utc_date(midnight);
  std::chrono::hh_mm_ss const time(utc - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(utc_date.year()),
                     static_cast<unsigned>(utc_date.month()), static_cast<unsigned>(utc_date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

}  // namespace perfcheck::importing
