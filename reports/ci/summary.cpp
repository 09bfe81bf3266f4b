// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/markdown.h"
#include "ci/writers.h"

namespace perfcheck::report::ci {

// GitHub refuses a step's summary of more than 1 MiB, and several commands of a step may add to it.
std::string write_summary(CheckResult const& result) {
  return markdown_page(result, {.bytes = 900 * 1024,
                                .attention_rows = 1000,
                                .reasons = 200,
                                .commands = 100,
                                .brief = false,
                                .elsewhere = "left out for their length; the run file has all of them"});
}

}  // namespace perfcheck::report::ci
