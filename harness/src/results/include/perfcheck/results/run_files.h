// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Run files as the commands take them: perfcheck's own and those of other benchmark programs, one by one or a folder of
// sessions.
#pragma once

#include "perfcheck/import/import.h"

#include <filesystem>
#include <string>
#include <vector>

namespace perfcheck::results {

/// The run in a file of any format that perfcheck reads. A file that holds no date is dated by its last change;
/// NVBench's raw samples are looked for beside it. Throws store::IoError and model::FormatError.
model::Run read_any_run(std::filesystem::path const& file, importing::ImportOptions options);

/// Every run that `path` names: the file itself, or every .json file of the folder, sorted by name. Throws UsageError
/// for a folder without any.
std::vector<model::Run> read_runs(std::filesystem::path const& path, importing::ImportOptions const& options);

/// The sessions of the runs of `path` as one run, named after the first. Throws UsageError when they are not of one
/// measurement: of different operations, devices, commits, suites or filters, or one of them is there twice.
model::Run as_one_run(std::filesystem::path const& path, std::vector<model::Run> runs);

/// read_runs() and as_one_run().
model::Run read_as_one_run(std::filesystem::path const& path, importing::ImportOptions const& options);

/// The shards that `paths` name: run files, or folders that hold them as *.run.json at any depth. A file that is given
/// twice counts once. Throws UsageError for a folder without any.
std::vector<model::Run> read_shards(std::vector<std::string> const& paths, importing::ImportOptions const& options);

/// What to keep in mind about a run that another program measured; empty for perfcheck's own.
std::vector<std::string> import_notes(model::Run const& run);

}  // namespace perfcheck::results
