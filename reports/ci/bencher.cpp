// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Bencher Metric Format: latency in ns, throughput in operations per second.
#include "ci/items.h"
#include "ci/json_document.h"
#include "ci/writers.h"
#include "perfcheck/model/digest.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/model/one_line.h"
#include "text/markup.h"

#include <cmath>

namespace perfcheck::report::ci {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestName = 1024;

/// Names that are too long are cut and end with a digest, so that they stay distinct.
std::string name_of(std::string const& id) {
  std::string name = model::one_line(id);
  if (character_count(name) <= kLongestName) return name;
  std::string const digest = model::digest_of(id);
  return shortened(name, kLongestName - digest.size() - 1) + digest;
}

json metric(std::optional<double> value, std::optional<double> low, std::optional<double> high) {
  json object = json::object();
  put_digits(object, "value", value);
  put_digits(object, "lower_value", low);
  put_digits(object, "upper_value", high);
  return object;
}

json measures_of(Item const& item) {
  std::optional<double> const time = item.row->time_ns;
  if (!time || !std::isfinite(*time) || *time <= 0) return json::object();
  std::optional<Limits> const limits = time_limits(item);
  auto const low = limits ? std::optional(limits->low) : std::nullopt;
  auto const high = limits ? std::optional(limits->high) : std::nullopt;
  json measures = {{"latency", metric(time, low, high)}};
  std::optional<double> const tflops = value_of(*item.row, "tflops");
  if (tflops && std::isfinite(*tflops)) {
    double const operations = *tflops * 1e12 * *time;  // times a nanosecond
    auto const rate = [&](std::optional<double> ns) { return ns ? std::optional(operations / *ns) : std::nullopt; };
    measures["throughput"] = metric(rate(time), rate(high), rate(low));
  }
  return measures;
}

}  // namespace

std::string write_bencher(CheckResult const& result) {
  json document = json::object();
  std::vector<Item> const items = items_of(result);
  for (Item const& item : items) {
    if (item.row == nullptr) continue;
    json const measures = measures_of(item);
    if (!measures.empty()) document[name_of(item.id)] = measures;
  }
  return model::document_text(document);
}

}  // namespace perfcheck::report::ci
