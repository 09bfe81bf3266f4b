// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of other programs: Google Benchmark's JSON and NVBench's, and which of the two it is. What follows a line
// "=== side file" is the content of every side file that NVBench's JSON names.
#include "perfcheck/import/import.h"

#include "perfcheck/model/json.h"
#include "support/property.h"
#include "support/run_property.h"

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  std::string_view const document = fuzz::take_until(rest, "\n=== side file\n");
  importing::ImportOptions options{.started = "2026-11-22T08:00:00Z", .tool_version = "0"};
  if (!rest.empty()) {
    options.read_side_file = [rest](std::string const&) { return std::optional<std::string>(rest); };
  }
  auto const run =
      fuzz::accepted<model::FormatError>([&] { return importing::run_from_any(document, "out.json", options); });
  if (run) {
    fuzz::require_usable(*run);
  }
  return 0;
}
