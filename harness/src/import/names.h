// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of other programs as parts of case ids, and foreign text as something to show.
#pragma once

#include "perfcheck/model/one_line.h"
#include "perfcheck/model/run.h"

#include <string>
#include <string_view>

namespace perfcheck::importing {

/// `text` with '%', '@', every control character and those in `special` as %XX: "a@b" -> "a%40b". No two texts become
/// one.
std::string escaped(std::string_view text, std::string_view special = {});

/// Name of the program that a path names, escaped: "build/my_bench.exe" -> "my_bench". `fallback` when there is none.
std::string program_of(std::string_view path, std::string const& fallback);

/// Kernel and problem of a Google Benchmark name. Arguments begin at the first part that looks like one (a number,
/// "name:value", or the word for a timer), so "BM_Copy/pinned/512/real_time" of the program p is kernel
/// "p/BM_Copy/pinned" and problem "512,real_time"; without arguments the problem is "default".
model::CaseName google_benchmark_name(std::string const& program, std::string_view name);

/// Is the CPU time of the process what the author of a Google Benchmark asked for? Then its name has "process_time",
/// and neither "real_time" nor "manual_time".
bool wants_process_time(std::string_view name);

/// In quotes, as printable ASCII of bounded length, for messages.
std::string shown(std::string_view text);
using model::one_line;

}  // namespace perfcheck::importing
