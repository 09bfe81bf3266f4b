// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// toml++, whose assertions are exceptions. Version 3.3 takes for granted that a name stands behind '[', and ends the
// program for "[!a]", or goes on as if it did, depending on the build; for us that is an error of the file.
#pragma once

#include <stdexcept>

namespace perfcheck::cli {

class TomlAssertionFailed : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void fail_toml_assertion(char const* expression) { throw TomlAssertionFailed(expression); }

}  // namespace perfcheck::cli

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) \
  ((expression) ? static_cast<void>(0) : ::perfcheck::cli::fail_toml_assertion(#expression))
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
