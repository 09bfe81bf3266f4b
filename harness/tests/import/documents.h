// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Made-up files in the formats of other programs.
#pragma once

#include "perfcheck/import/import.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace perfcheck::importing::testing {

/// One repetition of a Google Benchmark.
nlohmann::json repetition(std::string const& name, int index, double real_time, std::string const& unit = "ns");
/// One aggregate over its repetitions: "median", "mean".
nlohmann::json aggregate(std::string const& name, std::string const& what, double real_time);
/// A file of Google Benchmark with these entries.
nlohmann::json google_benchmark(std::vector<nlohmann::json> const& entries);

/// A summary of NVBench with one value.
nlohmann::json summary(std::string const& tag, nlohmann::json const& value);
/// A summary that names a side file.
nlohmann::json side_file(std::string const& tag, std::string const& name, int size);
/// One state on device 0: axis values as given, a mean time in seconds.
nlohmann::json state(std::vector<nlohmann::json> const& axis_values, std::string const& mean);
nlohmann::json axis_value(std::string const& name, std::string const& type, nlohmann::json const& value);
/// A file of NVBench with one benchmark.
nlohmann::json nvbench(std::string const& name, std::vector<nlohmann::json> const& states);

/// The run imported from a document; adds a date to `options` if there is none.
model::Run imported(nlohmann::json const& document, ImportOptions options = {});
/// The error of importing the document; fails the test if there is none.
std::string complaint(nlohmann::json const& document, ImportOptions options = {});
std::string complaint(std::string const& text, ImportOptions options = {});

/// The case of a run with this id; fails the test if there is none.
model::CaseResult case_of(model::Run const& run, std::string const& id);

/// Does the run survive being written and read back?
bool reads_back(model::Run const& run);

}  // namespace perfcheck::importing::testing
