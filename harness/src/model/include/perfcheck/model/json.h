// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON forms of the model: strict readers, deterministic writers.
//
// Readers reject unknown keys, duplicate keys, missing keys, wrong types, NaN and Infinity, negative or zero durations,
// duplicate case ids and unknown schema versions. Every error is a FormatError whose text names the file, the place
// (a path such as sessions[0].cases[3].rounds.time_ns[7], or line and column for text that is not JSON) and the remedy.
#pragma once

#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace perfcheck::model {

class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Parses JSON text strictly: no duplicate keys, no comments, nothing after the value, bounded nesting. `origin` names
/// the source in errors.
nlohmann::json parse_strict(std::string_view text, std::string_view origin);

/// The canonical text of a JSON value: sorted keys, two-space indent, arrays of numbers and short arrays of strings on
/// one line, newline at the end. An object under a key of `on_one_line` is also written on one line; so is each element
/// of an array under such a key. Throws FormatError for NaN and Infinity.
std::string json_to_text(nlohmann::json const& value, std::set<std::string> const& on_one_line = {});

// Parts that the worker protocol uses, too. Measurements are rounded here, so that decisions made from memory and from
// the file see the same numbers. Absent members and empty optional strings are left out.
nlohmann::json to_json(DeviceInfo const& device);
nlohmann::json to_json(Environment const& environment);
nlohmann::json to_json(WorkerInfo const& worker);
nlohmann::json to_json(DeviceState const& state);
nlohmann::json to_json(Work const& work);
nlohmann::json to_json(CaseResult const& result);
nlohmann::json to_json(KernelEntry const& kernel);
nlohmann::json to_json(ProblemInfo const& problem);
nlohmann::json launches_to_json(std::vector<LaunchAttributes> const& launches);
DeviceInfo device_from_json(nlohmann::json const& json, std::string_view origin, std::string_view place);
Environment environment_from_json(nlohmann::json const& json, std::string_view origin, std::string_view place);
WorkerInfo worker_from_json(nlohmann::json const& json, std::string_view origin, std::string_view place);
DeviceState device_state_from_json(nlohmann::json const& json, std::string_view origin, std::string_view place);
Work work_from_json(nlohmann::json const& json, std::string_view origin, std::string_view place);
CaseResult case_result_from_json(nlohmann::json const& json, std::string_view origin, std::string_view place);
KernelEntry kernel_from_json(nlohmann::json const& json, std::string_view origin, std::string_view place);
class ObjectReader;
/// Reads the optional member "problems".
std::vector<ProblemInfo> problems_from_json(ObjectReader& reader, std::string_view origin);
/// Reads the optional member `key`: what a case launches.
std::vector<LaunchAttributes> launches_from_json(ObjectReader& reader, char const* key, std::string_view origin);

nlohmann::json to_json(Run const& run);
/// Run file text: json_to_text of the run, six significant digits for measurements.
std::string run_to_text(Run const& run);
Run run_from_text(std::string_view text, std::string_view origin);

/// Includes a digest of everything else in the file.
nlohmann::json to_json(Baseline const& baseline);
/// Baseline file text: as above, one case per block, so that accepting new sessions gives a readable diff.
std::string baseline_to_text(Baseline const& baseline);

/// `ignored` is for code that writes a new digest, and for tests.
enum class DigestCheck { required, ignored };
/// Refuses a file whose digest does not match its contents because it was edited, or merged by hand. Files of versions
/// without a digest are accepted, with `has_digest` set to false.
Baseline baseline_from_text(std::string_view text, std::string_view origin, DigestCheck digest = DigestCheck::required);

/// Digest of everything in a parsed baseline file except the digest itself. Whitespace, key order and the spelling of
/// numbers (1, 1.0, 1e0) make no difference. Detects accidental edits, not forgery: anybody can compute it.
std::string baseline_digest(nlohmann::json const& file);

/// Rewrites a baseline file, of any version and with any digest, as one of the current version with the digest of its
/// contents. No other value changes. Throws FormatError if the text is otherwise no valid baseline file.
std::string upgraded_baseline(std::string_view text, std::string_view origin);

}  // namespace perfcheck::model
