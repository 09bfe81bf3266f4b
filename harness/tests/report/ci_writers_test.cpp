// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Guarantees of the machine-readable formats; consumers/check_formats.py tests that programs can read them.
#include "ci_samples.h"
#include "decode.h"
#include "perfcheck/report/result_formats.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
#include <regex>

namespace perfcheck::report {
namespace {

using model::ExitCode;
using model::Verdict;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::size_t count_of(std::string const& text, std::string const& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

CheckResult any_result(std::mt19937_64& random) {
  auto const verdicts = static_cast<unsigned>(model::verdict_texts().size());
  std::vector<samples::Outcome> outcomes;
  for (unsigned i = 0; i < random() % 6; ++i) {
    outcomes.push_back({"k", fmt::format("p{}", i), static_cast<Verdict>(random() % verdicts), 0.02});
  }
  std::vector<Verdict> demoted;
  for (Verdict const verdict :
       {Verdict::regressed, Verdict::inconclusive, Verdict::no_baseline, Verdict::incomparable, Verdict::missing}) {
    if (random() % 4 == 0) demoted.push_back(verdict);
  }
  CheckResult result = samples::check_result(outcomes, demoted);
  if (random() % 3 == 0) {
    constexpr std::array kOfKernels = {Verdict::pass, Verdict::improved, Verdict::regressed, Verdict::inconclusive};
    gate::CaseDecision& kernel = result.decisions.kernels.emplace_back();
    kernel.id = "k";
    kernel.verdict = kOfKernels.at(random() % 4);
    if (std::find(demoted.begin(), demoted.end(), kernel.verdict) == demoted.end()) {
      result.exit_code = model::worse(result.exit_code, model::exit_code_of(kernel.verdict));
    }
  }
  return result;
}

TEST(JUnit, FailsExactlyWhereTheCommandDoes) {
  std::mt19937_64 random(20261121);
  std::map<ExitCode, int> seen;
  for (int i = 0; i < 5000; ++i) {
    CheckResult const result = any_result(random);
    std::string const xml = write_result(ResultFormat::junit, result);
    bool const fails = xml.find("<failure") != std::string::npos || xml.find("<error") != std::string::npos;
    bool const failing_rows =
        std::any_of(result.rows.begin(), result.rows.end(), [](CaseRow const& row) { return row.failed; });
    bool const failing_kernel = std::any_of(result.decisions.kernels.begin(), result.decisions.kernels.end(),
                                            [](auto const& kernel) { return kernel.verdict == Verdict::inconclusive; });
    bool const expected = result.exit_code == ExitCode::regressed || result.exit_code == ExitCode::broken ||
                          (result.exit_code == ExitCode::undecided && (failing_rows || failing_kernel));
    ASSERT_EQ(fails, expected) << "exit code " << static_cast<int>(result.exit_code) << "\n" << xml;
    ++seen[result.exit_code];
  }
  EXPECT_EQ(seen.size(), 4U);
  for (auto const& [code, count] : seen) EXPECT_GT(count, 100) << static_cast<int>(code);
}

TEST(JUnit, CountsWhatItHolds) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string const xml = write_result(ResultFormat::junit, any_result(random));
    EXPECT_THAT(
        xml, HasSubstr(fmt::format("<testsuites name=\"perfcheck\" tests=\"{}\" failures=\"{}\" errors=\"{}\"",
                                   count_of(xml, "<testcase "), count_of(xml, "<failure "), count_of(xml, "<error "))));
    EXPECT_THAT(xml, HasSubstr(fmt::format(" skipped=\"{}\"", count_of(xml, "<skipped "))));
  }
}

TEST(JUnit, TellsWrongFromSlow) {
  std::string const xml = write_result(ResultFormat::junit, samples::broken_result());
  for (char const* part : {"<error type=\"incorrect\"", "<error type=\"crashed\"", "<failure type=\"missing\"",
                           "<failure type=\"regressed\""}) {
    EXPECT_EQ(count_of(xml, part), 1U) << part;
  }
}

TEST(JUnit, ADemotedVerdictIsSkippedAndNotPassed) {
  std::string const xml =
      write_result(ResultFormat::junit,
                   samples::check_result({{"k", "p", Verdict::regressed, 0.05}, {"k", "q"}}, {Verdict::regressed}));
  EXPECT_THAT(xml, HasSubstr("failures=\"0\" errors=\"0\""));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"regressed: ratio"));
}

TEST(JUnit, SaysWhereTheKernelStandsAndWhatMeasuresItAgain) {
  std::string const xml = write_result(ResultFormat::junit, samples::regressed_result());
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"gemm.mma.f16_pipeline\" name=\"f16.f32,nn,m4096n4096k4096\" "
                             "file=\"kernels/gemm/mma/f16_pipeline.cu\" line=\"41\" time=\"0.410\">"));
  EXPECT_THAT(xml, HasSubstr("name=\"all cases together\""));
  EXPECT_THAT(xml, HasSubstr("\nmeasure again: perfcheck check --filter gemm/mma/f16_pipeline"));
}

TEST(JUnit, AnUnfitMachineFailsNothingAndIsThere) {
  CheckResult result = samples::check_result({});
  result.exit_code = ExitCode::undecided;
  result.decisions.notes = {"unfit: another process"};
  std::string const xml = write_result(ResultFormat::junit, result);
  EXPECT_THAT(xml, HasSubstr("tests=\"1\" failures=\"0\" errors=\"0\""));
  EXPECT_THAT(xml, HasSubstr("<skipped message="));
}

TEST(JUnit, HostileTextIsText) {
  std::string const plain = write_result(ResultFormat::junit, samples::hostile_result("plain"));
  for (std::string const& text : samples::hostile_ci_texts()) {
    SCOPED_TRACE(text.substr(0, 60));
    std::string const xml = write_result(ResultFormat::junit, samples::hostile_result(text));
    decode::xml_texts(xml.substr(xml.find('\n')));  // xml_texts() accepts no XML declaration
    EXPECT_EQ(count_of(xml, "<"), count_of(plain, "<"));
  }
}

TEST(Annotations, AreAtMostTenOfAKindAndCountTheOthers) {
  std::vector<samples::Outcome> outcomes;
  for (int i = 0; i < 25; ++i) outcomes.push_back({"k", fmt::format("r{}", i), Verdict::regressed, 0.02});
  for (int i = 0; i < 10; ++i) outcomes.push_back({"k", fmt::format("i{}", i), Verdict::inconclusive, 0.01});
  for (int i = 0; i < 11; ++i) outcomes.push_back({"k", fmt::format("f{}", i), Verdict::improved, -0.02});
  std::string const text = write_result(ResultFormat::annotations, samples::check_result(outcomes));
  EXPECT_EQ(count_of(text, "::error "), 10U);
  EXPECT_EQ(count_of(text, "::warning "), 10U);
  EXPECT_EQ(count_of(text, "::notice "), 10U);
  EXPECT_THAT(text, HasSubstr("::error title=perfcheck::16 more like these: "));
  EXPECT_THAT(text, HasSubstr("::notice title=perfcheck::2 more like these: "));
  EXPECT_EQ(count_of(text, "more like these"), 2U) << "exactly ten annotations must need no summary line";
}

TEST(Annotations, StandOnTheKernelsLine) {
  EXPECT_THAT(write_result(ResultFormat::annotations, samples::regressed_result()),
              HasSubstr("\n::error file=kernels/gemm/mma/f16_pipeline.cu,line=41,title=regressed%3A "
                        "gemm/mma/f16_pipeline@f16.f32%2Cnn%2Cm4096n4096k4096::ratio +4.82 %25 and"));
}

TEST(Annotations, WhatIsDemotedWarns) {
  std::string const text =
      write_result(ResultFormat::annotations,
                   samples::check_result({{"k", "p", Verdict::regressed, 0.05}, {"k", "q"}}, {Verdict::regressed}));
  EXPECT_THAT(text, StartsWith("::warning title=regressed%3A k@p::"));
  EXPECT_THAT(text, Not(HasSubstr("::error")));
}

TEST(Annotations, ACommandThatFailsWithoutACaseSaysWhy) {
  EXPECT_THAT(write_result(ResultFormat::annotations, samples::empty_result()),
              StartsWith("::error title=No case was measured on NVIDIA H100 80GB HBM3::no case was measured; "));
}

TEST(Annotations, HostileTextIsText) {
  std::regex const line("::(error|warning|notice) (file=[^:,\r\n]*,)?(line=[0-9]+,)?title=[^:,\r\n]*::[^\r\n]*");
  std::size_t const lines = lines_of(write_result(ResultFormat::annotations, samples::hostile_result("plain"))).size();
  for (std::string const& text : samples::hostile_ci_texts()) {
    SCOPED_TRACE(text.substr(0, 60));
    std::vector<std::string> const found =
        lines_of(write_result(ResultFormat::annotations, samples::hostile_result(text)));
    EXPECT_EQ(found.size(), lines);
    for (std::string const& one : found) EXPECT_TRUE(std::regex_match(one, line)) << one;
  }
}

/// The cells of each line of CSV (RFC 4180); throws for malformed text.
std::vector<std::vector<std::string>> csv_cells(std::string const& text) {
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& cell = lines.back().back();
    if (text[i] == '"' && quoted && text[i + 1] == '"') {
      cell += text[i++];
    } else if (text[i] == '"') {
      if (!quoted && !cell.empty()) throw std::runtime_error("a quote within a cell");
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      lines.back().emplace_back();
    } else if (text.compare(i, 2, "\r\n") == 0 && !quoted) {
      lines.emplace_back(1);
      ++i;
    } else {
      cell += text[i];
    }
  }
  if (quoted || lines.back() != std::vector<std::string>{""}) throw std::runtime_error("no end of the last line");
  lines.pop_back();
  return lines;
}

TEST(Csv, HasALineForEachCase) {
  CheckResult const result = samples::regressed_result();
  auto const lines = csv_cells(write_result(ResultFormat::csv, result));
  ASSERT_EQ(lines.size(), result.rows.size() + 1);
  auto const cell = [&](std::size_t line, std::string const& title) {
    auto const column = std::find(lines[0].begin(), lines[0].end(), title);
    EXPECT_NE(column, lines[0].end()) << title;
    return lines[line].at(static_cast<std::size_t>(column - lines[0].begin()));
  };
  EXPECT_EQ(cell(1, "case"), "gemm/mma/f16_pipeline@f16.f32,nn,m4096n4096k4096");
  EXPECT_EQ(cell(1, "failed"), "1");
  EXPECT_EQ(cell(1, "change"), "0.0482");
  EXPECT_EQ(cell(1, "margin"), "0.01");
  EXPECT_NEAR(std::stod(cell(1, "time_ns")) / std::stod(cell(1, "time_before_ns")), 1.0482, 1e-5);
  EXPECT_EQ(cell(lines.size() - 1, "outcome"), "skipped");
  EXPECT_EQ(cell(lines.size() - 1, "time_ns"), "") << "a missing number must be an empty cell";
}

TEST(Csv, HostileTextIsText) {
  std::regex const number("[+-]?[0-9.]+(e[+-]?[0-9]+)?");
  for (std::string const& text : samples::hostile_ci_texts()) {
    SCOPED_TRACE(text.substr(0, 60));
    std::string const csv = write_result(ResultFormat::csv, samples::hostile_result(text));
    auto const lines = csv_cells(csv);
    EXPECT_EQ(lines.size(), samples::regressed_result().rows.size() + 1);
    for (auto const& line : lines) {
      EXPECT_EQ(line.size(), lines[0].size());
      for (std::string const& cell : line) {
        std::size_t const first = cell.find_first_not_of(" \t");
        if (first == std::string::npos || std::regex_match(cell, number)) continue;
        EXPECT_EQ(std::string_view("=+-@").find(cell[first]), std::string_view::npos) << cell;
      }
    }
    for (std::string const& line : lines_of(csv)) EXPECT_THAT(line, Not(StartsWith("::")));
  }
}

TEST(OpenMetrics, KeepsItsOrderAndRounds) {
  std::string const text = write_result(ResultFormat::openmetrics, samples::regressed_result());
  EXPECT_THAT(
      text, HasSubstr("# TYPE perfcheck_case_time_seconds gauge\n# UNIT perfcheck_case_time_seconds seconds\n# HELP "));
  EXPECT_TRUE(text.ends_with("\n# EOF\n"));
  std::vector<std::string> names;
  for (std::string const& line : lines_of(text)) {
    if (!line.starts_with("perfcheck_case_time_seconds{")) continue;
    names.push_back(line.substr(0, line.find(' ')));
    EXPECT_TRUE(std::regex_search(line, std::regex("\\} 0\\.000[0-9]{1,4}$"))) << line;
  }
  EXPECT_EQ(names.size(), 8U);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()))
      << "metrics must be sorted by name, not by today's importance";
}

TEST(OpenMetrics, HostileTextIsText) {
  std::size_t const lines = lines_of(write_result(ResultFormat::openmetrics, samples::hostile_result("plain"))).size();
  for (std::string const& text : samples::hostile_ci_texts()) {
    SCOPED_TRACE(text.substr(0, 60));
    EXPECT_EQ(lines_of(write_result(ResultFormat::openmetrics, samples::hostile_result(text))).size(), lines);
  }
}

TEST(Sarif, HasAResultForWhatStandsOut) {
  json const run = json::parse(write_result(ResultFormat::sarif, samples::regressed_result()))["runs"][0];
  ASSERT_EQ(run["results"].size(), 5U);
  json const& first = run["results"][1];
  EXPECT_EQ(first["ruleId"], "perfcheck/regressed");
  EXPECT_EQ(first["level"], "error");
  EXPECT_EQ(first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "kernels/gemm/mma/f16_pipeline.cu");
  EXPECT_EQ(first["locations"][0]["physicalLocation"]["region"]["startLine"], 41);
  EXPECT_EQ(run["results"][4]["level"], "note");
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 3U);
  EXPECT_EQ(run["invocations"][0]["exitCode"], 1);
}

TEST(Sarif, AFindingIsTheSameWhateverItsNumbers) {
  auto const prints = [](double change) {
    json const run = json::parse(
        write_result(ResultFormat::sarif, samples::check_result({{"k", "p", Verdict::regressed, change}})))["runs"][0];
    return run["results"][0]["partialFingerprints"];
  };
  EXPECT_EQ(prints(0.02), prints(0.05));
}

TEST(ActionBenchmark, HasOneDirectionAFile) {
  CheckResult const result = samples::regressed_result();
  json const times = json::parse(write_result(ResultFormat::action_benchmark_time, result));
  json const rates = json::parse(write_result(ResultFormat::action_benchmark_rate, result));
  ASSERT_EQ(times.size(), 8U) << "skipped cases must have no time";
  ASSERT_EQ(rates.size(), 8U);
  EXPECT_EQ(times[0]["unit"], "ns");
  EXPECT_EQ(rates[0]["unit"], "TFLOP/s");
  EXPECT_EQ(times[0]["name"], rates[0]["name"]);
}

TEST(Bencher, TimeAndRateHaveOppositeLimits) {
  json const document = json::parse(write_result(ResultFormat::bencher, samples::regressed_result()));
  json const& one = document["gemm/mma/f16_pipeline@f16.f32,nn,m4096n4096k4096"];
  json const& latency = one["latency"];
  json const& throughput = one["throughput"];
  EXPECT_LT(latency["lower_value"], latency["value"]);
  EXPECT_GT(latency["upper_value"], latency["value"]);
  EXPECT_LT(throughput["lower_value"], throughput["value"]);
  EXPECT_NEAR(latency["lower_value"].get<double>() * throughput["upper_value"].get<double>(), 137438953472e9, 1e15);
  EXPECT_NEAR(latency["upper_value"].get<double>() / latency["value"].get<double>(), 1.0517 / 1.0482, 1e-5);
}

TEST(Bencher, WithoutAComparisonThereAreNoLimits) {
  json const document = json::parse(write_result(ResultFormat::bencher, samples::measured_result()));
  ASSERT_EQ(document.size(), 7U);
  for (auto const& [name, measures] : document.items()) EXPECT_EQ(measures["latency"].size(), 1U) << name;
}

TEST(JsonFormats, HostileTextAndNumbersGiveValidJson) {
  for (std::string const& text : samples::hostile_ci_texts()) {
    SCOPED_TRACE(text.substr(0, 60));
    CheckResult result = samples::hostile_result(text);
    result.rows.front().time_ns = std::numeric_limits<double>::quiet_NaN();
    result.rows.back().noise = std::numeric_limits<double>::infinity();
    result.decisions.cases.front().margin = std::numeric_limits<double>::infinity();
    for (ResultFormat const format : {ResultFormat::sarif, ResultFormat::action_benchmark_time,
                                      ResultFormat::action_benchmark_rate, ResultFormat::bencher}) {
      std::string const document = write_result(format, result);
      EXPECT_TRUE(json::accept(document));
      EXPECT_THAT(document, Not(HasSubstr("null")));
    }
  }
}

TEST(ResultFormats, WriteTheSameTextForTheSameResult) {
  for (std::string const& name : result_format_names()) {
    ResultFormat const format = *result_format_from(name);
    EXPECT_EQ(write_result(format, samples::regressed_result()), write_result(format, samples::regressed_result()))
        << name;
  }
}

TEST(ResultFormats, AnEmptyResultHasAText) {
  for (std::string const& name : result_format_names()) {
    EXPECT_FALSE(write_result(*result_format_from(name), CheckResult()).empty()) << name;
  }
}

}  // namespace
}  // namespace perfcheck::report
