// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that several commands have.
#pragma once

#include "command_line/options.h"

#include <CLI/CLI.hpp>

namespace perfcheck::cli {

class OptionGroups {
 protected:
  explicit OptionGroups(Options& options) : options_(options) {}

  template <typename Enum>
  static void flag(CLI::App* sub, char const* name, Enum& target, Enum value, char const* help) {
    sub->add_flag_callback(name, [&target, value] { target = value; }, help);
  }

  void add_results(CLI::App* sub);
  void add_retry(CLI::App* sub, char const* help);
  void add_time_budget(CLI::App* sub, char const* help);
  /// For commands that may measure the same commit more than once.
  void add_label(CLI::App* sub);
  model::Shard& shard();
  void add_fan_out_id(CLI::App* sub, char const* help);
  void add_fan_out(CLI::App* sub);
  void add_worker(CLI::App* sub);
  /// For commands that may time cases sealed.
  void add_sealed(CLI::App* sub);
  void add_judge(CLI::App* sub);
  void add_baselines(CLI::App* sub);
  CLI::Option* add_filter(CLI::App* sub);
  void add_selection(CLI::App* sub);
  /// For commands that decide about finished runs.
  void add_of_suite(CLI::App* sub);
  void add_shard(CLI::App* sub, char const* help);
  void add_seed(CLI::App* sub);
  void add_measuring(CLI::App* sub);
  /// For files of other benchmark programs.
  void add_import(CLI::App* sub);
  void add_base(CLI::App* sub);
  /// --demote, and the configuration of a change that is not judged by its own.
  void add_demote(CLI::App* sub);
  void add_history(CLI::App* sub, char const* help);
  /// What recordings of a calibration are compared with, and how often.
  void add_calibrated_against(CLI::App* sub);

  Options& options_;
};

}  // namespace perfcheck::cli
