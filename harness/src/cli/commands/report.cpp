// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck report: a history as a page, a site or pictures.
#include "perfcheck/trends/report.h"
#include "command_line/command_line.h"
#include "command_line/option_groups.h"

namespace perfcheck::cli {
namespace {

constexpr char const* kExamples =
    "examples:\n"
    "  perfcheck report --history perf.sqlite --out report.html    one file, opened from disk\n"
    "  perfcheck report --history perf.sqlite --site public        for Pages and large histories\n"
    "  perfcheck report --history perf.sqlite --svg docs/img       pictures for a README";

model::ExitCode run_report(trends::ReportOptions const& options, Context& context) {
  trends::write_report(options, context);
  return model::ExitCode::ok;
}

}  // namespace

void add_report(CommandLine& line) {
  auto [sub, options] = line.add("report", "Trends, ladders and comparisons as a page for a browser", run_report);
  add_history(sub, options.history, "SQLite file or PostgreSQL database to draw (default: as perfcheck.toml says)");
  sub->add_option("--out", options.out, "write one page that holds everything (default: report.html)")
      ->type_name("FILE");
  sub->add_option("--site", options.site,
                  "write the page and its data beside each other, for large histories and the web")
      ->type_name("DIR");
  sub->add_option("--svg", options.svg, "write pictures of the ladders and of the trend that changed last")
      ->type_name("DIR");
  sub->add_option("--title", options.title, "headline of the page")->type_name("TEXT");
  add_filter(sub, options.filters);
  add_baselines(sub, options.baselines);
  sub->footer(kExamples);
}

}  // namespace perfcheck::cli
