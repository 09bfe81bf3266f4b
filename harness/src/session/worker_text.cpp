// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "worker_text.h"

namespace perfcheck::session {
namespace {

std::string one_line(std::string_view text) {
  std::string result;
  for (char const c : text) {
    if (c == '\n') {
      if (!result.empty() && !result.ends_with(" | ")) result += " | ";
    } else {
      result += c >= ' ' && c <= '~' ? c : (c == '\t' || c == '\r' ? ' ' : '?');
    }
  }
  while (result.ends_with(" | ")) result.erase(result.size() - 3);
  return result;
}

}  // namespace

std::string beginning(std::string_view text, std::size_t bytes) {
  std::string line = one_line(text.substr(0, bytes));
  return text.size() > bytes ? line + "..." : line;
}

std::string ending(std::string_view text) {
  if (text.size() <= kWordBytes) return one_line(text);
  return "..." + one_line(text.substr(text.size() - kWordBytes));
}

}  // namespace perfcheck::session
