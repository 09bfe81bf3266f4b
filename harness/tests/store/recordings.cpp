// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "recordings.h"

#include "perfcheck/store/store.h"

#include <algorithm>
#include <filesystem>

namespace perfcheck::store::testing {
namespace {

namespace fs = std::filesystem;

model::Run honest_part(model::Run run) {
  for (model::Session& session : run.sessions) {
    std::erase_if(session.cases, [](model::CaseResult const& result) { return result.injected_percent != 0; });
  }
  run.injected.clear();
  return run;
}

}  // namespace

model::Run recorded_run(std::string const& file) {
  return honest_part(read_run(fs::path(PERFCHECK_RECORDINGS) / file));
}

std::map<std::string, std::vector<model::Run>> recordings(std::string const& folder) {
  fs::path const root = PERFCHECK_RECORDINGS;
  std::vector<fs::path> files;
  for (auto const& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.path().filename().string().ends_with(".run.json")) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::map<std::string, std::vector<model::Run>> by_card;
  for (fs::path const& file : files) {
    by_card[file.parent_path().string()].push_back(recorded_run(file.lexically_relative(root).string()));
  }
  return by_card;
}

}  // namespace perfcheck::store::testing
