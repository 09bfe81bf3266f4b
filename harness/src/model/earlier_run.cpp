// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "earlier_run.h"

#include "perfcheck/model/json.h"
#include "perfcheck/model/one_line.h"
#include "place.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <string>

namespace perfcheck::model {
namespace {

using nlohmann::json;

// New in version 2.
constexpr std::array kKernelKeys = {"executes", "work_share"};
constexpr std::array kDeviceKeys = {"peak_cache_gb_s", "empty_launch_ns"};
constexpr std::array kCaseKeys = {"proof"};
constexpr std::array kStatuses = {CaseStatus::implausible, CaseStatus::invalid};
// New in version 3.
constexpr std::array kLaunchKeys = {"called_code", "constants", "arguments", "attributes", "other_nodes", "graph"};
// New in version 4.
constexpr std::array kRunKeys = {"problems"};
constexpr std::array kWorkerKeys = {"operations"};

/// Looks for newer keys wherever the file has the expected shape; values of the wrong type are skipped.
class Earlier {
 public:
  Earlier(std::string_view schema, std::string_view origin)
      : schema_(schema),
        origin_(origin),
        is_first_(schema == kEarlierRunSchemas.back()),
        is_third_(schema == kEarlierRunSchemas.front()) {}

  void check_run(json const& run) const {
    refuse_keys(run, "", kRunKeys);
    if (run.is_object() && run.contains("worker")) refuse_keys(run.at("worker"), "worker", kWorkerKeys);
    if (is_third_) return;
    each(run, "kernels", "kernels", [&](json const& kernel, std::string const& place) {
      if (is_first_) refuse_keys(kernel, place, kKernelKeys);
    });
    for (char const* sessions : {"sessions", "base_sessions"}) {
      each(run, sessions, sessions,
           [&](json const& session, std::string const& place) { check_session(session, place); });
    }
  }

 private:
  template <typename Check>
  static void each(json const& object, char const* key, std::string const& place, Check check) {
    auto const found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end() || !found->is_array()) {
      return;
    }
    for (std::size_t i = 0; i < found->size(); ++i) {
      check((*found)[i], fmt::format("{}[{}]", place, i));
    }
  }

  void check_session(json const& session, std::string const& place) const {
    if (is_first_ && session.is_object() && session.contains("device")) {
      refuse_keys(session.at("device"), place + ".device", kDeviceKeys);
    }
    each(session, "cases", place + ".cases", [&](json const& one, std::string const& where) {
      if (is_first_) check_case(one, where);
      each(one, "launches", where + ".launches",
           [&](json const& launch, std::string const& of_launch) { refuse_keys(launch, of_launch, kLaunchKeys); });
    });
  }

  void check_case(json const& one, std::string const& place) const {
    refuse_keys(one, place, kCaseKeys);
    for (CaseStatus const status : kStatuses) {
      if (one.is_object() && one.value("status", json()) == to_text(status)) {
        refuse(place + ".status", fmt::format("\"{}\" is no status", to_text(status)));
      }
    }
  }

  template <typename Keys>
  void refuse_keys(json const& object, std::string const& place, Keys const& keys) const {
    for (char const* key : keys) {
      if (object.is_object() && object.contains(key)) {
        refuse(member_place(place, key), "unknown key");
      }
    }
  }

  [[noreturn]] void refuse(std::string const& place, std::string const& problem) const {
    throw_format_error(origin_, place,
                       fmt::format("{} in a {} file; it belongs to a later version, so write the file again with the "
                                   "perfcheck that measured it",
                                   problem, schema_));
  }

  std::string_view schema_, origin_;
  bool is_first_, is_third_;
};

}  // namespace

void refuse_newer_keys(json const& run, std::string_view schema, std::string_view origin) {
  if (schema != kRunSchema) Earlier(schema, origin).check_run(run);
}

}  // namespace perfcheck::model
