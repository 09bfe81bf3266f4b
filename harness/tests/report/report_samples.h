// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Series and devices for the tests of the report writers.
#pragma once

#include "perfcheck/report/page_data.h"

#include <random>

namespace perfcheck::report::samples {

/// Runs 0 ... n - 1, all measured: a time of 1 ms with 0.2 % of noise, ratio and cycles with noise of their own,
/// intervals, and one entry in the table of attributes.
Series plain_series(int runs, std::mt19937_64& random);

/// Multiplies the values of every metric from `run` on.
void add_step(Series& series, int run, double factor);

/// Random runs with random values, including missing ones and ones that cannot be written.
Series arbitrary_series(std::mt19937_64& random, int runs);

/// A device with `runs` runs, one per commit, and four kernels on one problem: two own ones, a library's as the
/// reference, and one that crashed.
ReportDevice small_device(int runs);

/// Texts with a meaning in HTML, JavaScript, XML or a terminal, and texts that are not UTF-8.
std::vector<std::string> hostile_texts();
/// small_device() with `text` in every one of its texts.
ReportDevice hostile_device(std::string const& text);

}  // namespace perfcheck::report::samples
