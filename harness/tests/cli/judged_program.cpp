// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "judged_program.h"

#include "perfcheck/measuring/worker_choice.h"
#include "perfcheck/model/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace perfcheck::cli::testing {
namespace {

constexpr char const* kWorkerArguments = "PERFCHECK_SCRIPTED_WORKER_ARGUMENTS";
constexpr char const* kSayLine = R"sh(cat "$here/lines/$(printf %s "${4%%@*}" | tr / _)")sh";

void make_executable(std::filesystem::path const& path) {
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

}  // namespace

JudgedTest::JudgedTest() {
  ::setenv("PERFCHECK_LOCK_DIR", folder_.c_str(), 1);  // tests that run at the same time share the made-up GPU
  make_worker();
  make_judge(kSayLine);
  Finished const seen = perfcheck({"run", "--worker", "./worker", "--json"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  nlohmann::json const document = seen.json();
  for (auto const& entry : document.at("cases")) {
    time_ns_[entry.at("id")] = entry.at("time_ns");
  }
  for (char const* id : {kCaseA, kCaseB, kCaseReference}) {
    say(honest(id));
  }
}

JudgedTest::~JudgedTest() {
  ::unsetenv("PERFCHECK_LOCK_DIR");
  ::unsetenv(kWorkerArguments);
}

/// The judge's worker runs as a user of its own. Of the test's folder, that user needs only what is opened to it here.
void JudgedTest::make_worker(std::string const& args) const {
  std::filesystem::remove(file("worker"));
  std::filesystem::create_symlink(PERFCHECK_SCRIPTED_WORKER, file("worker"));
  for (char const* counter : {"sessions", "processes"}) {
    write(counter, "");
    std::filesystem::permissions(file(counter), std::filesystem::perms(0666));
  }
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  auto const words = measuring::split_command(worker("--backend cuda " + args));
  ::setenv(kWorkerArguments, fmt::format("{}", fmt::join(words.begin() + 1, words.end(), "\n")).c_str(), 1);
}

void JudgedTest::make_judge(std::string const& script) const {
  write("worker-judge", fmt::format("#!/bin/sh\nhere='{}'\necho \"$4\" >> \"$here/judged\"\n"
                                    "echo \"$@\" > \"$here/called\"\n{}\n",
                                    folder_.string(), script));
  make_executable(file("worker-judge"));
}

model::SealedResult JudgedTest::honest(std::string const& id, double factor) const {
  model::SealedResult result;
  result.id = id;
  result.status = model::SealedStatus::timed;
  result.launches = 16;
  result.verified = 4096;
  result.time_ns.assign(5, time_ns_.at(id) * factor);
  if (id != kCaseReference) {
    result.reference = kCaseReference;
    result.reference_launches = 16;
    result.reference_time_ns.assign(5, time_ns_.at(kCaseReference));
  }
  result.around_ns = 850;
  result.confinement = {.applied = {"another user (65534)"}, .missing = {"its own network: not permitted"}};
  return result;
}

void JudgedTest::say(model::SealedResult const& result) const {
  std::string kernel = model::split_case_id(result.id).kernel;
  std::ranges::replace(kernel, '/', '_');
  write("lines/" + kernel, model::to_json_line(result) + "\n");
}

Finished JudgedTest::with_worker(std::string const& command, std::vector<std::string> const& args) const {
  std::vector<std::string> all{command, "--worker", "./worker"};
  all.insert(all.end(), args.begin(), args.end());
  return perfcheck(all);
}

std::multiset<std::string> JudgedTest::judged() const {
  std::istringstream lines(read(file("judged")));
  std::multiset<std::string> ids;
  for (std::string line; std::getline(lines, line);) {
    ids.insert(line);
  }
  return ids;
}

}  // namespace perfcheck::cli::testing
