// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes results full of hostile texts in all formats, for consumers/check_formats.py: FOLDER/plain.FORMAT has plain
// words in their place; FOLDER/hostile-NN.FORMAT must have the same structure.
#include "ci_samples.h"
#include "perfcheck/report/result_formats.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

using perfcheck::report::CheckResult;

bool write_all(std::filesystem::path const& folder, std::string const& name, std::string const& text) {
  CheckResult result = perfcheck::report::samples::hostile_result(text.substr(0, 1000));  // longer texts are left out
  result.report_url = "https://example.org/x";  // depending on the text, it becomes a link or nothing
  for (std::string const& format : perfcheck::report::result_format_names()) {
    std::ofstream file(folder / fmt::format("{}.{}", name, format), std::ios::binary);
    file << write_result(*perfcheck::report::result_format_from(format), result);
    if (!file.flush()) return false;
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: perfcheck_ci_hostile FOLDER\n";
    return 64;
  }
  std::filesystem::path const folder = arguments[1];
  std::filesystem::create_directories(folder);
  bool written = write_all(folder, "plain", "plain");
  int number = 0;
  for (std::string const& text : perfcheck::report::samples::hostile_ci_texts()) {
    written = write_all(folder, fmt::format("hostile-{:02}", number++), text) && written;
  }
  return written ? 0 : 74;
}
