// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Samples carry no timestamp: neither GitLab nor Prometheus's textfile collector accepts one.
#include "ci/escape.h"
#include "ci/items.h"
#include "ci/writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

namespace perfcheck::report::ci {
namespace {

// More digits would make every run differ from the previous one without saying anything.
constexpr int kDigits = 4;

struct Family {
  std::string name;
  std::string unit;  ///< the end of its name; empty without one
  std::string help;
  std::function<std::optional<double>(Item const&)> value;
};

std::optional<double> scaled(std::optional<double> value, double factor) {
  return value ? std::optional(*value * factor) : std::nullopt;
}

/// A time ratio: 1.03 is 3 % slower.
template <double gate::Witness::* member>
std::optional<double> ratio(Item const& item) {
  auto const change = item.change();
  return change ? std::optional(1 + (*change).*member) : std::nullopt;
}

void add_metrics(std::vector<Family>& families, Place place) {
  for (MetricRow const& metric : metrics()) {
    Gauge const& gauge = metric.gauge;
    if (gauge.name != nullptr && gauge.place == place) {
      families.push_back(
          {gauge.name, gauge.unit, gauge.help,
           [of = metric.of, factor = gauge.factor](Item const& item) { return scaled(of(*item.row), factor); }});
    }
  }
}

std::vector<Family> all_families() {
  std::vector<Family> families;
  add_metrics(families, Place::before_change);
  families.push_back({"perfcheck_case_change_ratio", "ratio",
                      "Now over the baseline, by the metric that decides; 1 is as it was.",
                      ratio<&gate::Witness::change>});
  families.push_back({"perfcheck_case_change_low_ratio", "ratio", "Lower confidence limit of the change.",
                      ratio<&gate::Witness::low>});
  families.push_back({"perfcheck_case_change_high_ratio", "ratio", "Upper confidence limit of the change.",
                      ratio<&gate::Witness::high>});
  add_metrics(families, Place::after_change);
  families.push_back({"perfcheck_case_failed", "", "1 for a case that alone makes the check fail, else 0.",
                      [](Item const& item) { return std::optional(item.failed ? 1.0 : 0.0); }});
  return families;
}

std::string head_of(std::string const& name, char const* type, std::string const& unit, std::string const& help) {
  std::string text = fmt::format("# TYPE {} {}\n", name, type);
  if (!unit.empty()) text += fmt::format("# UNIT {} {}\n", name, unit);
  return text + fmt::format("# HELP {} {}\n", name, help);
}

/// Labels in the order given.
std::string labels_of(std::vector<std::pair<char const*, std::string>> const& labels) {
  std::string text;
  for (auto const& [name, value] : labels) {
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", name, openmetrics_label(value));
  }
  return "{" + text + "}";
}

std::string samples_of(Family const& family, CheckResult const& result, std::vector<Item const*> const& cases) {
  std::string text;
  std::set<std::string> known;  // readers refuse two samples of the same name and labels
  for (Item const* item : cases) {
    std::string const value = digits(family.value(*item), kDigits);
    std::string const labels =
        labels_of({{"result", result.name}, {"kernel", item->kernel}, {"problem", item->problem}});
    if (!value.empty() && known.insert(labels).second) text += fmt::format("{}{} {}\n", family.name, labels, value);
  }
  return text.empty() ? text : head_of(family.name, "gauge", family.unit, family.help) + text;
}

std::string counts_of(CheckResult const& result, std::vector<Item const*> const& cases) {
  std::map<std::string, int> counts;
  for (Item const* item : cases) ++counts[item->outcome];
  std::string text = head_of("perfcheck_cases", "gauge", "", "Cases by outcome.");
  for (auto const& [outcome, count] : counts) {
    text += fmt::format("perfcheck_cases{} {}\n", labels_of({{"result", result.name}, {"outcome", outcome}}), count);
  }
  text += head_of("perfcheck_exit_code", "gauge", "", "How the command ended: 0 is well.");
  return text + fmt::format("perfcheck_exit_code{} {}\n", labels_of({{"result", result.name}}),
                            static_cast<int>(result.exit_code));
}

std::string info_of(CheckResult const& result) {
  model::Session const session = result.run.sessions.empty() ? model::Session{} : result.run.sessions.front();
  return head_of("perfcheck_run", "info", "", "What was measured, and where.") +
         fmt::format("perfcheck_run_info{} 1\n", labels_of({{"result", result.name},
                                                            {"device", session.device.name},
                                                            {"driver", session.environment.driver},
                                                            {"commit", result.run.source.commit},
                                                            {"branch", result.run.source.branch},
                                                            {"suite", result.run.suite}}));
}

}  // namespace

std::string write_openmetrics(CheckResult const& result) {
  std::vector<Item> const items = items_of(result);
  std::vector<Item const*> cases;
  for (Item const& item : items) {
    if (item.row != nullptr) cases.push_back(&item);
  }
  // Sorted, because the order of interest changes from run to run.
  std::sort(cases.begin(), cases.end(), [](Item const* a, Item const* b) { return a->id < b->id; });
  std::string text = info_of(result) + counts_of(result, cases);
  for (Family const& family : all_families()) text += samples_of(family, result, cases);
  return text + "# EOF\n";
}

}  // namespace perfcheck::report::ci
