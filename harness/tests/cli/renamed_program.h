// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs perfcheck with workers whose kernel fake/a is called fake/new.
#pragma once

#include "scope_program.h"

namespace perfcheck::cli::testing {

inline constexpr char const* kNothing = "";
inline constexpr char const* kAIsNew = "[renamed]\n\"fake/a\" = \"fake/new\"\n";
/// Arguments of a worker that has renamed fake/a.
inline std::string const kNewA = "--kernels fake/reference,fake/new,fake/b --renamed fake/new=fake/a";

class RenamedTest : public ScopeTest {
 protected:
  RenamedTest() { names(kNothing); }

  /// Writes a perfcheck.toml that ends with `entries`, the first of which is on line 6.
  void names(std::string const& entries, char const* file = "perfcheck.toml") const {
    write(file,
          "[policy]\nmargin = 0.01\n[suites.default.cpu]\nproblems = [\"f32,nn,m64n64k64\", \"f32,nn,m65n66k67\"]\n" +
              entries);
  }
  /// The kernel's case of the problem m64n64k64 in --json output.
  static nlohmann::json case_of(Finished const& finished, std::string const& kernel) {
    nlohmann::json const result = finished.json();
    for (nlohmann::json const& one : result.at("cases")) {
      if (one.at("id") == kernel + "@f32,nn,m64n64k64") return one;
    }
    throw std::runtime_error("no case of " + kernel);
  }
  /// The results of the only case in h.sqlite that matches.
  nlohmann::json series(std::string const& filter) const {
    Finished const shown = perfcheck({"history", "show", "--history", "h.sqlite", "--filter", filter, "--json"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    nlohmann::json const cases = shown.json().at("cases");
    EXPECT_EQ(cases.size(), 1U) << cases;
    return cases.at(0).at("results");
  }
};

}  // namespace perfcheck::cli::testing
