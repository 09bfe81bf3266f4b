// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/tuning/command_hashes.h"

#include "perfcheck/model/digest.h"
#include "perfcheck/store/store.h"

#include <algorithm>
#include <filesystem>

namespace perfcheck::tuning {
namespace {

namespace fs = std::filesystem;

bool is_program(std::string const& word) {
  std::error_code error;
  fs::file_status const status = fs::status(word, error);
  return !error && status.type() == fs::file_type::regular &&
         (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
}

}  // namespace

CommandHashes hashes_of(session::WorkerCommand const& command) {
  auto const last_program = std::find_if(command.argv.rbegin(), command.argv.rend(), is_program);
  auto const words_behind = static_cast<std::size_t>(last_program - command.argv.rbegin());
  model::Digest whole, around_worker;
  for (std::size_t i = 0; i < command.argv.size(); ++i) {
    std::string const& word = command.argv[i];
    std::string const contents = is_program(word) ? store::read_file(word) : word;
    whole.add(contents);
    around_worker.add(i + words_behind + 1 == command.argv.size() ? "the worker" : contents);
  }
  return {.whole = whole.text(), .around_worker = around_worker.text()};
}

}  // namespace perfcheck::tuning
