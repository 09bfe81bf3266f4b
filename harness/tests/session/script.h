// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The scripted worker's instructions; scripted_worker.cpp documents the flags.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::scripted {

/// "GLOB=VALUE" of a flag.
struct Rule {
  std::string glob, value;
};

/// A fault happens at a step ("hello", "plan", "before", "during", "result", "after", "bye") of a case that matches.
struct Fault {
  std::string step, glob;
  std::string action, argument;
};

struct Script {
  std::string name = "perfcheck-scripted-worker";
  std::string backend = "cpu";
  std::string operation = "gemm";
  std::vector<std::string> also;  ///< further operations
  bool axes = false;
  std::string device_name = "Scripted Device";
  std::string device_uuid = "SCRIPTED-0";
  int devices = 1;       ///< number of devices
  int device_index = 0;  ///< the device that hello asked for
  std::vector<std::string> kernels = {"fake/reference", "fake/a", "fake/b"};
  std::string reference = "fake/reference";
  std::vector<Rule> slow, refuse, unavailable, renamed;
  std::vector<std::string> reject;
  double noise = 0.002;
  double session_noise = 0.0005;
  double drift = 0.0;
  bool clock = true;
  int delay_ms = 0;
  bool skips_verification = false;
  bool tells_launches = false;
  std::vector<Rule> code;  ///< machine code of cases
  bool ignore_sigterm = false;
  uint64_t session = 0;  ///< number of earlier processes with the same --sessions file
  std::string pid_file;
  std::vector<Fault> faults;
};

/// Throws std::invalid_argument for anything it does not understand: a test must not pass because of a typo.
Script parse_script(int argc, char** argv);

/// The value of the last rule whose glob matches.
std::optional<std::string> rule_for(std::vector<Rule> const& rules, std::string const& name);
bool glob_matches(std::string const& glob, std::string const& name);

}  // namespace perfcheck::scripted
