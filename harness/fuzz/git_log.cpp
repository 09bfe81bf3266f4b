// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What git says about a commit and its remote: the first line is the remote's address, the others are a log entry.
#include "perfcheck/git/source_info.h"
#include "support/property.h"

#include <algorithm>

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  std::string const page = git::repository_page(std::string(fuzz::take_until(rest, "\n")));
  fuzz::require(page.empty() || page.starts_with("https://") || page.starts_with("http://"), "a page is of the web");
  fuzz::require(page.find('@') == std::string::npos, "a page's address has no user and no password");
  fuzz::require(std::all_of(page.begin(), page.end(), [](char c) { return c > ' ' && c < '\x7f' && c != '"'; }),
                "a page's address can stand in a link");
  std::vector<std::string> lines;
  while (!rest.empty()) {
    lines.emplace_back(fuzz::take_until(rest, "\n"));
  }
  model::SourceInfo const info = git::commit_of_log(lines);
  fuzz::require(info.committed.empty() || info.committed.size() == std::string_view("2026-11-22T08:00:00Z").size(),
                "times of commits sort as texts");
  return 0;
}
