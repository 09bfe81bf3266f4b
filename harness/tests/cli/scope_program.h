// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes run files, removes things from them, and has perfcheck judge them.
#pragma once

#include "program.h"

#include <functional>
#include <map>
#include <optional>

namespace perfcheck::cli::testing {

inline constexpr char const* kOneProblem = "problems = [\"f32,nn,m64n64k64\"]";
inline constexpr char const* kTwoTypes = "types = [\"f32\", \"tf32\"]\nproblems = [\"{types},nn,m64n64k64\"]";

class ScopeTest : public ProgramTest {
 protected:
  using Taken = std::function<bool(std::string const& case_id)>;

  /// Writes a perfcheck.toml with these suites for the CPU, by name.
  void suites(std::map<std::string, std::string> const& bodies) const;
  /// Measures, and writes the honest run file `name`.
  void make(std::string const& name, std::string const& command = "check", std::vector<std::string> args = {},
            std::string const& worker_args = "") const;
  /// Measures both shards of a check into shards/.
  void make_shards(std::vector<std::string> const& more = {}) const;
  void edit(std::string const& name, std::function<void(nlohmann::json&)> const& change) const;
  /// Removes cases from all sessions, or only from the one with index `only`.
  static void take_from(nlohmann::json& sessions, Taken const& taken, std::optional<std::size_t> only = {});
  void take(std::string const& name, Taken const& taken, std::optional<std::size_t> only = {}) const;

  Finished compare(std::string const& name, std::vector<std::string> const& more = {}) const;
  Finished merge(std::vector<std::string> const& more = {}) const;

  /// Expects these cases to be missing, with `reason` in their reasons, and all others to pass.
  static void expect_missing(Finished const& finished, Taken const& missing, std::string const& reason);
  static void expect_pass(Finished const& finished, std::size_t cases);
  static std::string notes(Finished const& finished) { return finished.json().at("notes").dump(); }

  static bool is_odd(std::string const& id) { return id.ends_with("m65n66k67"); }
  static bool is_tf32(std::string const& id) { return id.find("@tf32,") != std::string::npos; }
  static bool is_a(std::string const& id) { return id.starts_with("fake/a@"); }
  static bool is_b(std::string const& id) { return id.starts_with("fake/b@"); }
};

}  // namespace perfcheck::cli::testing
