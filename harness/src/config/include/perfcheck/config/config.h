// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck.toml: what is measured (suites) and how it is judged (policy). docs/cli.md describes every key.
#pragma once

#include "perfcheck/gate/fitness.h"
#include "perfcheck/gate/gate.h"
#include "perfcheck/gate/names.h"
#include "perfcheck/protocol/messages.h"

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::config {

/// perfcheck.toml is wrong; what() is one line with file, place and remedy.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The suite that is measured where none is named.
inline constexpr char const* kDefaultSuite = "default";

/// One problem of a suite. The text may hold {types}.
struct SuiteProblem {
  std::string name;  ///< what it stands for, "Llama 2 7B MLP down"; may be empty
  std::string problem;
};

/// Leaves out cases that would take too long.
struct SuiteRule {
  std::vector<std::string> kernels;  ///< globs over kernel ids or case ids
  double max_gflop = 0;
  std::string reason;
};

struct Suite {
  std::string name, backend, description;
  std::vector<std::string> types;
  std::vector<SuiteProblem> problems;
  std::vector<std::string> kernels;  ///< which take part, see takes(); empty: all
  std::vector<SuiteRule> rules;
};

/// Which measured cases are timed sealed as well, by a judge (docs/sealed.md).
enum class Sealed {
  never,
  fresh,    ///< "new": cases without a session in the baseline
  changed,  ///< those, and cases whose machine code differs from their baseline's or cannot be read
  always
};
std::optional<Sealed> sealed_from_text(std::string_view text);
std::string_view to_text(Sealed sealed);
/// All texts, in the order of the enum.
std::vector<std::string> sealed_texts();

struct MeasureConfig {
  protocol::MeasureOptions options;
  double case_timeout_s = 60;
  Sealed sealed = Sealed::never;
  std::string judge;  ///< program that times sealed; empty: the worker's own, see judge_for()
};

/// Everything that [policy], [fitness] and [measure] say for one backend, the common part and the backend's own.
struct BackendConfig {
  gate::Policy policy;
  gate::FitnessPolicy fitness;
  MeasureConfig measure;
};

/// How to build an earlier commit for --base-ref.
struct BaseConfig {
  struct Recipe {
    std::string build;   ///< shell command, run in the worktree; {root} is perfcheck.toml's folder
    std::string worker;  ///< path in the built worktree
  };
  std::string folder = "build/base";      ///< of the worktrees, relative to perfcheck.toml's folder
  std::map<std::string, Recipe> recipes;  ///< by backend
};

struct Config {
  std::filesystem::path file;
  std::filesystem::path baselines;   ///< relative paths start at the file's folder
  std::string history;               ///< file or address, see history::History; empty: none
  std::string releases = "v[0-9]*";  ///< glob of the release tags that creep is measured from
  BaseConfig base;
  /// The workers to use without --worker, by backend, always both. Each is a command whose program is a path relative
  /// to the file's folder, or a name without '/', which is looked up beside perfcheck.
  std::map<std::string, std::string> workers;
  gate::Names names;  ///< [renamed] and [retired]
  std::vector<Suite> suites;
  std::map<std::string, BackendConfig> backends;  ///< "cpu" and "cuda", always both

  /// Throws ConfigError if there is no such suite; the message names those of the backend.
  Suite const& suite(std::string const& name, std::string const& backend) const;
  /// Throws ConfigError for a backend that perfcheck.toml cannot describe.
  BackendConfig const& backend(std::string const& name) const;
};

/// Strict: an unknown or duplicate key, a wrong type or a value out of range throws ConfigError naming file, line and,
/// for a key, the nearest valid one.
Config parse_config(std::string_view text, std::filesystem::path const& file);

/// Reads `file`; if empty, the perfcheck.toml of the current folder or the nearest one above it. `demoted` are verdicts
/// that pass as well, with every backend. `change` is the perfcheck.toml of a change that the first one judges, or
/// empty: only its [renamed] and [retired] are read, as additions by the change. Throws ConfigError if there is no
/// file, store::IoError if it cannot be read.
Config load_config(std::filesystem::path const& file, std::vector<std::string> const& demoted = {},
                   std::filesystem::path const& change = {});

/// The folder of the baselines: `given`, as on a command line, or else the one that perfcheck.toml names.
std::filesystem::path baselines_folder(std::string const& given, Config const& config);

/// Texts of the verdicts that a policy may let pass: the undecided ones.
std::vector<std::string> demotable_verdicts();

}  // namespace perfcheck::config
