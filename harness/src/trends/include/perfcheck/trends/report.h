// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A history as a page, a site or pictures.
#pragma once

#include "perfcheck/console/context.h"

#include <string>
#include <vector>

namespace perfcheck::trends {

struct ReportOptions {
  std::string history;               ///< --history; empty: as perfcheck.toml says
  std::string baselines;             ///< --baselines; empty: likewise
  std::string out, site, svg;        ///< where the page, the site and the pictures go; all empty: report.html
  std::string title;                 ///< headline of the page; empty: perfcheck
  std::vector<std::string> filters;  ///< of the cases; empty: all
};

/// Throws CommandError where a page is asked for and this program holds none.
void write_report(ReportOptions const& options, Context& context);

}  // namespace perfcheck::trends
