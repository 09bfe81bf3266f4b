// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "worker_text.h"

#include "perfcheck/model/one_line.h"

#include <algorithm>

namespace perfcheck::session {
namespace {

/// Empty lines are left out.
std::string joined_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    if (end > 0) result += (result.empty() ? "" : " | ") + model::one_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace

std::string beginning(std::string_view text, std::size_t bytes) {
  std::string line = joined_lines(text.substr(0, bytes));
  return text.size() > bytes ? line + "..." : line;
}

std::string ending(std::string_view text) {
  if (text.size() <= kWordBytes) return joined_lines(text);
  return "..." + joined_lines(text.substr(text.size() - kWordBytes));
}

}  // namespace perfcheck::session
