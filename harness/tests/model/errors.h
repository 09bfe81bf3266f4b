// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What every error of a reader must fulfil.
#pragma once

#include "perfcheck/model/json.h"

#include <gtest/gtest.h>

#include <string>

namespace perfcheck::model {

/// Runs `read` and returns the text of the FormatError it throws; any other outcome fails the test.
template <typename F>
std::string format_error_of(F read) {
  try {
    read();
  } catch (FormatError const& error) {
    std::string const what = error.what();
    for (char const c : what) {
      EXPECT_TRUE(c >= ' ' && c <= '~') << "not one line of plain text: " << what;
    }
    EXPECT_LT(what.size(), 600U);
    return what;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline void expect_holds(std::string const& text, std::string const& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in: " << text;
}

}  // namespace perfcheck::model
