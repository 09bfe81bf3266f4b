// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/gate/glob.h"

#include "perfcheck/model/run.h"

#include <fnmatch.h>

namespace perfcheck::gate {

bool glob_matches(std::string const& pattern, std::string const& text) {
  // fnmatch stops at a null byte, which no id contains: a pattern or text with one matches nothing.
  bool const whole = pattern.find('\0') == std::string::npos && text.find('\0') == std::string::npos;
  return whole && fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool glob_matches_case(std::string const& pattern, std::string const& case_id) {
  std::string const kernel = model::split_case_id(case_id).kernel;
  return glob_matches(pattern, case_id) || (!kernel.empty() && glob_matches(pattern, kernel));
}

}  // namespace perfcheck::gate
