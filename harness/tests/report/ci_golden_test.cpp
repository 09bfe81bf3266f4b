// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// PERFCHECK_APPROVE=1 in the environment rewrites the golden files: when they change, read them as their users would.
#include "ci_samples.h"
#include "perfcheck/report/result_formats.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace perfcheck::report {
namespace {

/// The file name's extension, so that editors highlight JSON and render Markdown.
std::string extension_of(std::string const& format) {
  static std::map<std::string, std::string> const kOthers = {
      {"summary", ".md"}, {"comment", ".md"}, {"annotations", ".txt"},
      {"junit", ".xml"},  {"csv", ""},        {"openmetrics", ".txt"}};
  auto const found = kOthers.find(format);
  return found == kOthers.end() ? ".json" : found->second;
}

void expect_golden(CheckResult const& result, std::string const& name, std::string const& format) {
  std::string const text = write_result(*result_format_from(format), result);
  std::string const file = name + "." + format + extension_of(format);
  std::string const path = std::string(PERFCHECK_GOLDEN_DIR) + "/ci/" + file;
  if (std::getenv("PERFCHECK_APPROVE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::stringstream golden;
  golden << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(text, golden.str()) << "read it; if it is right, PERFCHECK_APPROVE=1 writes " << file;
}

TEST(ResultFormats, HaveTheirNames) {
  EXPECT_EQ(result_format_names(),
            (std::vector<std::string>{"summary", "comment", "annotations", "junit", "sarif", "csv", "openmetrics",
                                      "action-benchmark-time", "action-benchmark-rate", "bencher"}));
  std::vector<std::string> const names = result_format_names();
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(result_format_from(names[i]), static_cast<ResultFormat>(i));
  EXPECT_EQ(result_format_from("json"), std::nullopt) << "json is a format of the command line, not of the writers";
  EXPECT_EQ(result_format_from("Summary"), std::nullopt);
}

TEST(ResultFormats, RegressedIsTheGoldenOne) {
  CheckResult const result = samples::regressed_result();
  for (std::string const& format : result_format_names()) expect_golden(result, "regressed", format);
}

TEST(ResultFormats, PassedIsTheGoldenOne) {
  CheckResult const result = samples::passed_result();
  expect_golden(result, "passed", "comment");
  expect_golden(result, "passed", "junit");
  expect_golden(result, "passed", "sarif");
  EXPECT_EQ(write_result(ResultFormat::annotations, result), "");
}

TEST(ResultFormats, BrokenIsTheGoldenOne) {
  CheckResult const result = samples::broken_result();
  expect_golden(result, "broken", "summary");
  expect_golden(result, "broken", "annotations");
  expect_golden(result, "broken", "junit");
  expect_golden(result, "broken", "sarif");
}

TEST(ResultFormats, NothingMeasuredIsTheGoldenOne) {
  CheckResult const result = samples::empty_result();
  expect_golden(result, "empty", "comment");
  expect_golden(result, "empty", "annotations");
  expect_golden(result, "empty", "junit");
  expect_golden(result, "empty", "openmetrics");
  expect_golden(result, "empty", "bencher");
  expect_golden(result, "empty", "action-benchmark-time");
}

TEST(ResultFormats, MeasuredOnlyIsTheGoldenOne) { expect_golden(samples::measured_result(), "measured", "comment"); }

}  // namespace
}  // namespace perfcheck::report
