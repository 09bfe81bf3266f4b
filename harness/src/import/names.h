// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns names from other programs into parts of case ids, and foreign text into something printable.
#pragma once

#include "perfcheck/model/one_line.h"
#include "perfcheck/model/run.h"

#include <string>
#include <string_view>

namespace perfcheck::importing {

/// `text` with '%', '@', every control character and those in `special` as %XX: "a@b" -> "a%40b". Different texts stay
/// different.
std::string escaped(std::string_view text, std::string_view special = {});

/// Name of the program in a path, escaped: "build/my_bench.exe" -> "my_bench". `fallback` if the path is empty.
std::string program_of(std::string_view path, std::string const& fallback);

/// Kernel and problem of a Google Benchmark name. Arguments begin at the first part that looks like one (a number,
/// "name:value", or the word for a timer), so "BM_Copy/pinned/512/real_time" of the program p is kernel
/// "p/BM_Copy/pinned" and problem "512,real_time"; without arguments the problem is "default".
model::CaseName google_benchmark_name(std::string const& program, std::string_view name);

/// Whether the author of a Google Benchmark asked for the CPU time of the process. Then its name has "process_time",
/// and neither "real_time" nor "manual_time".
bool wants_process_time(std::string_view name);

/// In quotes, as printable ASCII of bounded length, for messages.
std::string shown(std::string_view text);
using model::one_line;

}  // namespace perfcheck::importing
