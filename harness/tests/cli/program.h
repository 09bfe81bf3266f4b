// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the real program with the scripted worker in a folder of its own.
#pragma once

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace perfcheck::cli::testing {

struct Finished {
  int code = -1;
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Outcome of each case in --json output, by id.
std::map<std::string, std::string> outcomes(nlohmann::json const& result);

class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest();
  ~ProgramTest() override;

  /// Runs `perfcheck` in the test's folder.
  Finished perfcheck(std::vector<std::string> const& args) const;
  /// `command` with the scripted worker, JSON output and the test's suite; `worker_args` as one text.
  Finished measure(std::string const& command, std::vector<std::string> const& args = {},
                   std::string const& worker_args = "") const;
  /// The --worker value: the scripted worker, each process a new session.
  std::string worker(std::string const& args = "") const;
  /// Records a baseline of four sessions and expects success.
  void record() const;

  std::filesystem::path file(std::string const& name) const { return folder_ / name; }
  std::filesystem::path baseline_file() const { return folder_ / "baselines/scripted-device/gemm.json"; }
  void write(std::string const& name, std::string const& text) const;
  std::string read(std::filesystem::path const& path) const;

  std::filesystem::path folder_;
};

}  // namespace perfcheck::cli::testing
