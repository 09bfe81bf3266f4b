// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of commands that measure.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/model/run.h"
#include "perfcheck/session/sealed_client.h"
#include "perfcheck/session/worker_client.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::measuring {

/// The options of all these commands; each command offers those that apply to it.
struct Options {
  std::string baselines;         ///< --baselines; empty: as perfcheck.toml says
  std::string backend = "auto";  ///< --backend
  std::string worker;            ///< --worker; empty: the one beside this program
  int device = 0;
  double start_timeout_s = session::kStartTimeoutS;  ///< --start-timeout
  std::string devices;                               ///< --devices: "all" or indices with commas

  std::string suite = config::kDefaultSuite;
  std::vector<std::string> filters;
  std::optional<model::Shard> shard;  ///< --shard and --fan-out
  std::vector<std::string> inject;    ///< PATTERN=PERCENT
  std::optional<uint64_t> seed;
  double time_budget_s = 0;
  std::optional<double> retry_budget_s;  ///< absent: as [fitness] says
  enum class Timing { measure, verify_only } timing = Timing::measure;
  enum class Confirm { yes, no } confirm = Confirm::yes;
  std::vector<std::string> demote;  ///< --demote: verdicts that do not fail, besides those of perfcheck.toml
  std::string change_config;        ///< --config-of-change; empty: the same as the configuration that judges

  std::optional<config::Sealed> sealed;  ///< --sealed; absent: as [measure] says
  std::string judge;                     ///< --judge; empty: as [measure] says, else the worker's own
  int batches = session::kUsualBatches;  ///< number of batches that the judge times in an audit

  std::string base;      ///< worker of the build to compare with
  std::string base_ref;  ///< commit from which to build that worker
  int pairs = 2;         ///< screening sessions of each build
};

}  // namespace perfcheck::measuring
