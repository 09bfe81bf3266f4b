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

constexpr std::array kNewKernelKeys = {"executes", "work_share"};
constexpr std::array kNewDeviceKeys = {"peak_cache_gb_s", "empty_launch_ns"};
constexpr std::array kNewCaseKeys = {"proof"};
constexpr std::array kNewStatuses = {CaseStatus::implausible, CaseStatus::invalid};

/// Walks what it can; values of a wrong type are skipped.
class Earlier {
 public:
  explicit Earlier(std::string_view origin) : origin_(origin) {}

  void check_run(json const& run) const {
    each(run, "kernels", "kernels",
         [&](json const& kernel, std::string const& place) { refuse_keys(kernel, place, kNewKernelKeys); });
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
    if (session.is_object() && session.contains("device")) {
      refuse_keys(session.at("device"), place + ".device", kNewDeviceKeys);
    }
    each(session, "cases", place + ".cases", [&](json const& one, std::string const& where) {
      refuse_keys(one, where, kNewCaseKeys);
      for (CaseStatus const status : kNewStatuses) {
        if (one.is_object() && one.value("status", json()) == to_text(status)) {
          refuse(where + ".status", fmt::format("\"{}\" is no status", to_text(status)));
        }
      }
    });
  }

  template <typename Keys>
  void refuse_keys(json const& object, std::string const& place, Keys const& keys) const {
    for (char const* key : keys) {
      if (object.is_object() && object.contains(key)) {
        refuse(place + "." + key, "unknown key");
      }
    }
  }

  [[noreturn]] void refuse(std::string const& place, std::string const& problem) const {
    throw_format_error(origin_, place,
                       fmt::format("{} in a {} file; it belongs to {}, so write the file again with the perfcheck that "
                                   "measured it",
                                   problem, kEarlierRunSchema, kRunSchema));
  }

  std::string_view origin_;
};

}  // namespace

void refuse_newer_keys(json const& run, std::string_view origin) { Earlier(origin).check_run(run); }

}  // namespace perfcheck::model
