// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One reader per foreign format. Unknown keys are not theirs to refuse: the formats are others', and grow.
#pragma once

#include "perfcheck/import/import.h"

namespace perfcheck::importing {

/// --benchmark_format=json and --benchmark_out of Google Benchmark 1.5.1 and newer.
model::Run run_from_google_benchmark(std::string_view text, std::string_view origin, ImportOptions const& options);

/// Google Benchmark writes counters that are no numbers, such as the relative spread of a counter that is 0, as NaN and
/// Infinity, which is no JSON. In quotes they are refused only where a number is needed.
std::string with_quoted_non_numbers(std::string_view text);

/// --json and --jsonbin of NVBench, version 1 of its JSON format.
model::Run run_from_nvbench(std::string_view text, std::string_view origin, ImportOptions const& options);

}  // namespace perfcheck::importing
