// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One reader per foreign format. They ignore unknown keys, because these formats are not ours and grow.
#pragma once

#include "perfcheck/import/import.h"

namespace perfcheck::importing {

/// Reads --benchmark_format=json and --benchmark_out of Google Benchmark 1.5.1 and newer.
model::Run run_from_google_benchmark(std::string_view text, std::string_view origin, ImportOptions const& options);

/// Google Benchmark writes non-finite counters, such as the relative spread of a counter that is 0, as NaN and
/// Infinity, which is not valid JSON. Puts them in quotes, so that they are an error only where a number is needed.
std::string with_quoted_non_numbers(std::string_view text);

/// Reads --json and --jsonbin of NVBench, version 1 of its JSON format.
model::Run run_from_nvbench(std::string_view text, std::string_view origin, ImportOptions const& options);

}  // namespace perfcheck::importing
