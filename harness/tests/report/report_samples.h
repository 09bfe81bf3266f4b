// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Series and devices for the tests of the report writers.
#pragma once

#include "perfcheck/report/page_data.h"

#include <random>

namespace perfcheck::report::samples {

/// Runs 0 ... n - 1, all measured; time 1 ms with 0.2 % of noise, ratio and cycles with theirs, intervals, one entry
/// in the table of attributes.
Series plain_series(int runs, std::mt19937_64& random);

/// Multiplies the values of every metric from `run` on.
void add_step(Series& series, int run, double factor);

/// Any runs, any values, missing ones and those that cannot be written among them.
Series arbitrary_series(std::mt19937_64& random, int runs);

/// A device with `runs` runs of a commit each, and four kernels on one problem: two own, one library's that is the
/// reference, one that crashed.
ReportDevice small_device(int runs);

/// Texts that mean something to HTML, JavaScript, XML or a terminal, and such as are no UTF-8.
std::vector<std::string> hostile_texts();
/// small_device with a hostile text in every text of it.
ReportDevice hostile_device(std::string const& text);

}  // namespace perfcheck::report::samples
