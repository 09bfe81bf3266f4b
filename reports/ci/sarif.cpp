// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/escape.h"
#include "ci/items.h"
#include "ci/json_document.h"
#include "ci/writers.h"
#include "perfcheck/model/digest.h"
#include "perfcheck/model/json_members.h"

#include <fmt/format.h>

#include <set>

namespace perfcheck::report::ci {
namespace {

using nlohmann::json;

constexpr char const* kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

char const* level_of(Item const& item) {
  if (item.failed && item.standing != Standing::undecided) return "error";
  return item.standing == Standing::improved || item.outcome == gate::kRecordedCode ? "note" : "warning";
}

/// The explanation of an outcome on a code scanning page.
char const* description_of(Standing standing) {
  switch (standing) {
    case Standing::regressed: return "The kernel is slower than its baseline by more than is allowed";
    case Standing::broken: return "There is no valid result: it is wrong, missing or cannot be used";
    case Standing::undecided: return "The evidence does not suffice to decide";
    case Standing::improved: return "The kernel is faster than its baseline";
    case Standing::fine:
    case Standing::skipped: break;
  }
  return "";
}

std::string rule_of(Item const& item) { return "perfcheck/" + item.outcome; }

/// A path as a relative reference of RFC 3986. Escapes colons, too, so that no path begins with a scheme.
std::string uri_of(std::string const& path) {
  std::string uri;
  for (char const c : path) {
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/+@,").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

json location_of(Item const& item) {
  json location = {{"logicalLocations", {{{"fullyQualifiedName", text_json(item.kernel)}, {"kind", "function"}}}}};
  if (item.entry != nullptr && !item.entry->file.empty()) {
    json& physical = location["physicalLocation"];
    physical["artifactLocation"] = {{"uri", uri_of(item.entry->file)}};
    if (item.entry->line > 0) physical["region"] = {{"startLine", item.entry->line}};
  }
  return location;
}

json result_of(CheckResult const& result, Item const& item) {
  std::string message = item.id + (item.is_kernel ? " (all cases together)" : "") + " " + words_of(item.outcome);
  if (!item.reason.empty()) message += ": " + item.reason;
  if (item.row != nullptr && !item.row->also_changed.empty()) message += "; " + item.row->also_changed;
  json object = {{"ruleId", text_json(rule_of(item))},
                 {"level", level_of(item)},
                 {"message", {{"text", text_json(message)}}},
                 {"locations", json::array({location_of(item)})}};
  // The same case on the same device is the same finding, whatever its numbers are today.
  object["partialFingerprints"]["perfcheckCase/v1"] = model::digest_of(item.id + "\n" + result.name);
  json& properties = object["properties"];
  properties["case"] = text_json(item.id);
  if (auto const change = item.change()) {
    put_digits(properties, "change", change->change);
    put_digits(properties, "low", change->low);
    put_digits(properties, "high", change->high);
  }
  if (item.decision != nullptr) put_digits(properties, "margin", item.decision->margin);
  return object;
}

json driver_of(CheckResult const& result, std::vector<Item> const& items) {
  json rules = json::array();
  std::set<std::string> known;
  for (Item const& item : items) {
    if (!item.stands_out() || !known.insert(rule_of(item)).second) continue;
    rules.push_back({{"id", text_json(rule_of(item))},
                     {"name", text_json(item.outcome)},
                     {"shortDescription", {{"text", description_of(item.standing)}}}});
  }
  json driver = {{"name", "perfcheck"}, {"rules", rules}};
  if (!result.run.tool_version.empty()) driver["version"] = text_json(result.run.tool_version);
  return driver;
}

}  // namespace

std::string write_sarif(CheckResult const& result) {
  std::vector<Item> const items = items_of(result);
  json results = json::array();
  for (Item const& item : items) {
    if (item.stands_out()) results.push_back(result_of(result, item));
  }
  json run = {{"tool", {{"driver", driver_of(result, items)}}}, {"results", results}};
  std::string const whole = failure_of_the_whole(result, items);
  json invocation = {{"executionSuccessful", whole.empty()}, {"exitCode", static_cast<int>(result.exit_code)}};
  if (!whole.empty()) {
    invocation["toolExecutionNotifications"] =
        json::array({{{"level", "error"}, {"message", {{"text", text_json(whole)}}}}});
  }
  run["invocations"] = json::array({invocation});
  if (!result.name.empty()) run["automationDetails"] = {{"id", text_json("perfcheck/" + result.name + "/")}};
  std::string const repository = link_target(result.run.source.repository);
  if (!repository.empty()) {
    json source = {{"repositoryUri", repository}};
    if (!result.run.source.commit.empty()) source["revisionId"] = text_json(result.run.source.commit);
    if (!result.run.source.branch.empty()) source["branch"] = text_json(result.run.source.branch);
    run["versionControlProvenance"] = json::array({source});
  }
  return model::document_text({{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", json::array({run})}});
}

}  // namespace perfcheck::report::ci
