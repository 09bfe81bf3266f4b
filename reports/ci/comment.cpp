// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/markdown.h"
#include "ci/writers.h"

#include <fmt/format.h>

namespace perfcheck::report::ci {

// GitHub refuses comments of more than 65,536 characters.
std::string write_comment(CheckResult const& result) {
  // Only letters, digits and single dashes, so that it cannot end the marker and a script can search for it literally.
  std::string const marker = fmt::format("<!-- perfcheck:{} -->\n", model::slug_of(result.name).substr(0, 100));
  PageShape const shape{.bytes = 60000 - marker.size(),
                        .attention_rows = 20,
                        .reasons = 10,
                        .commands = 5,
                        .brief = true,
                        .elsewhere = "in the summary of the job"};
  return marker + markdown_page(result, shape);
}

}  // namespace perfcheck::report::ci
