// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the real program with a worker that claims to have a GPU and a judge that is a shell script.
#pragma once

#include "program.h"

#include "perfcheck/model/sealed.h"

#include <set>

namespace perfcheck::cli::testing {

/// The three cases that the scripted worker has in the suite for GPUs.
inline constexpr char const* kCaseA = "fake/a@f32,nn,m64n64k64";
inline constexpr char const* kCaseB = "fake/b@f32,nn,m64n64k64";
inline constexpr char const* kCaseReference = "fake/reference@f32,nn,m64n64k64";

class JudgedTest : public ProgramTest {
 protected:
  /// Starts with an honest judge, which reports the worker's time for each case.
  JudgedTest();
  ~JudgedTest() override;

  /// Makes ./worker, which needs no arguments: a judge starts the worker without any.
  void make_worker(std::string const& args = "") const;
  /// Makes ./worker-judge, which first writes down the case and its own arguments.
  void make_judge(std::string const& script) const;
  /// What the honest judge reports for a case; its times are the worker's, multiplied by `factor`.
  model::SealedResult honest(std::string const& id, double factor = 1) const;
  void say(model::SealedResult const& result) const;
  Finished with_worker(std::string const& command, std::vector<std::string> const& args = {}) const;
  /// The cases that the judge was asked about, each as often as it was asked.
  std::multiset<std::string> judged() const;

 private:
  std::map<std::string, double> time_ns_;  ///< the worker's times, by case
};

}  // namespace perfcheck::cli::testing
