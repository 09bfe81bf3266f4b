// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the real program with a worker that says it has a GPU, and a judge that is a script.
#pragma once

#include "program.h"

#include "perfcheck/model/sealed.h"

#include <set>

namespace perfcheck::cli::testing {

/// The three cases of the scripted worker's suite for a GPU.
inline constexpr char const* kCaseA = "fake/a@f32,nn,m64n64k64";
inline constexpr char const* kCaseB = "fake/b@f32,nn,m64n64k64";
inline constexpr char const* kCaseReference = "fake/reference@f32,nn,m64n64k64";

class JudgedTest : public ProgramTest {
 protected:
  /// With an honest judge: it says for each case what the worker says.
  JudgedTest();
  ~JudgedTest() override;

  /// The worker is a program of its own, ./worker, because a judge starts it without arguments.
  void make_worker(std::string const& args = "") const;
  /// ./worker-judge, which first notes the case, and how it was called.
  void make_judge(std::string const& script) const;
  /// What the honest judge says of a case; times are the worker's times this factor.
  model::SealedResult honest(std::string const& id, double factor = 1) const;
  void say(model::SealedResult const& result) const;
  Finished with_worker(std::string const& command, std::vector<std::string> const& args = {}) const;
  /// Cases that the judge was asked for, as often as it was.
  std::multiset<std::string> judged() const;

 private:
  std::map<std::string, double> time_ns_;  ///< of the worker, by case
};

}  // namespace perfcheck::cli::testing
