// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include "perfcheck/session/child_process.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>

namespace perfcheck::cli::testing {
namespace {

constexpr double kLimitSeconds = 120;

constexpr char const* kConfig = R"(
[policy]
margin = 0.01
[suites.default.cpu]
description = "for tests"
problems = ["f32,nn,m64n64k64", {name = "odd", problem = "f32,nn,m65n66k67"}]
[suites.default.cuda]
problems = ["f32,nn,m64n64k64"]
[suites.ruled.cpu]
problems = ["f32,nn,m64n64k64", "f32,nn,m1024n1024k1024"]
rules = [{kernels = "fake/a", max_gflop = 1, reason = "too slow"}]
)";

}  // namespace

std::map<std::string, std::string> outcomes(nlohmann::json const& result) {
  std::map<std::string, std::string> by_id;
  for (auto const& entry : result.at("cases")) {
    by_id[entry.at("id")] = entry.at("outcome");
  }
  return by_id;
}

ProgramTest::ProgramTest() {
  std::string pattern = (std::filesystem::temp_directory_path() / "perfcheck_cli_XXXXXX").string();
  folder_ = mkdtemp(pattern.data());
  write("perfcheck.toml", kConfig);
}

ProgramTest::~ProgramTest() { std::filesystem::remove_all(folder_); }

Finished ProgramTest::perfcheck(std::vector<std::string> const& args) const {
  // A shell changes the folder, which ChildProcess cannot do; "$@" keeps the arguments separate.
  std::vector<std::string> argv{"/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder_.string(), PERFCHECK_PROGRAM};
  argv.insert(argv.end(), args.begin(), args.end());
  session::ChildProcess process(argv);
  process.close_input();
  Finished finished;
  session::Deadline const deadline = session::deadline_after(kLimitSeconds);
  std::string line;
  while (process.read_line(line, deadline) == session::ReadOutcome::line) {
    finished.out += line + "\n";
  }
  session::ExitState const state = process.wait_or_kill(deadline);
  finished.code = state.signalled ? -state.code : state.code;
  finished.err = process.error_tail();
  return finished;
}

std::string ProgramTest::worker(std::string const& args) const {
  return fmt::format("{} --sessions '{}' {}", PERFCHECK_SCRIPTED_WORKER, file("sessions").string(), args);
}

Finished ProgramTest::measure(std::string const& command, std::vector<std::string> const& args,
                              std::string const& worker_args) const {
  std::vector<std::string> all{command, "--worker", worker(worker_args), "--json"};
  all.insert(all.end(), args.begin(), args.end());
  return perfcheck(all);
}

void ProgramTest::record() const {
  Finished const finished = measure("check", {"--record-missing-baseline"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  ASSERT_TRUE(std::filesystem::exists(baseline_file()));
}

void ProgramTest::write(std::string const& name, std::string const& text) const {
  std::filesystem::create_directories(file(name).parent_path());
  std::ofstream(file(name)) << text;
}

std::string ProgramTest::read(std::filesystem::path const& path) const {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace perfcheck::cli::testing
