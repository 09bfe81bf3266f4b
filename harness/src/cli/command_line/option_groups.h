// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that several commands share.
#pragma once

#include "perfcheck/import/import.h"
#include "perfcheck/measuring/options.h"
#include "perfcheck/results/presentation.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::cli {

inline constexpr char const* kExitCodes =
    "exit codes: 0 passed  1 regressed  2 wrong, impossible, crashed, missing or nothing to run\n"
    "            3 undecided or no baseline  64 usage  74 a file could not be read or written  130 interrupted";

/// Help for --filter of commands that decide about finished runs.
inline constexpr char const* kMeasuredFilter =
    "only cases whose whole id or kernel matches had to be measured, as with the same option then; repeatable";

/// An option without a value that sets `target`.
template <typename Value>
void add_flag(CLI::App* sub, char const* name, Value& target, Value value, char const* help) {
  sub->add_flag_callback(name, [&target, value] { target = value; }, help);
}

/// Where results go, and what they are called.
void add_results(CLI::App* sub, results::ShowOptions& options);
void add_retry(CLI::App* sub, measuring::Options& options, char const* help);
void add_time_budget(CLI::App* sub, measuring::Options& options, char const* help);
void add_fan_out_id(CLI::App* sub, std::optional<model::Shard>& shard, char const* help);
void add_shard(CLI::App* sub, std::optional<model::Shard>& shard, char const* help);
/// For commands that may measure a part of the cases, or all parts at once.
void add_fan_out(CLI::App* sub, measuring::Options& options);
void add_worker(CLI::App* sub, measuring::Options& options);
/// For commands that may time cases sealed.
void add_sealed(CLI::App* sub, measuring::Options& options);
void add_judge(CLI::App* sub, measuring::Options& options);
void add_baselines(CLI::App* sub, std::string& folder);
CLI::Option* add_filter(CLI::App* sub, std::vector<std::string>& filters);
/// The suite and its filters.
void add_selection(CLI::App* sub, measuring::Options& options);
/// For commands that decide about finished runs.
void add_of_suite(CLI::App* sub, std::string& suite);
void add_seed(CLI::App* sub, measuring::Options& options);
/// The options of all commands that measure and show results. `out` is the run file.
void add_measuring(CLI::App* sub, measuring::Options& options, std::string& out, results::ShowOptions& show);
/// For files of other benchmark programs.
void add_import(CLI::App* sub, importing::ImportOptions& options);
/// For commands that may compare with another build.
void add_base(CLI::App* sub, measuring::Options& options);
/// --demote, and --config-of-change: the configuration of a change that another configuration judges.
void add_demote(CLI::App* sub, std::vector<std::string>& verdicts, std::string& change_config);
void add_history(CLI::App* sub, std::string& place, char const* help);

}  // namespace perfcheck::cli
