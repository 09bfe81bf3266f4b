// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "support/property.h"

#include "perfcheck/model/one_line.h"

#include <cstdio>
#include <cstdlib>

namespace perfcheck::fuzz {

void require(bool holds, std::string_view property) {
  if (holds) {
    return;
  }
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(property.size()), property.data());
  std::abort();
}

void require_message(std::string_view message) {
  bool const one_line = !message.empty() && model::one_line(message) == message;
  if (!one_line) {
    std::fprintf(stderr, "the message: %.*s\n", static_cast<int>(message.size()), message.data());
  }
  require(one_line, "an error's message is one line without control characters");
}

std::string_view take_until(std::string_view& rest, std::string_view end) {
  std::size_t const at = rest.find(end);
  std::string_view const taken = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + end.size());
  return taken;
}

}  // namespace perfcheck::fuzz
