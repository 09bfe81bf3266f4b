// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/history/export.h"

#include "perfcheck/model/json.h"
#include "samples.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace perfcheck::history {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::sample_decision;
using testing::sample_run;
using ::testing::ThrowsMessage;

TEST(ExportedLine, GivesBackRunAndDecision) {
  model::Run const run = sample_run(4);
  RunDecision const decision = sample_decision(run);
  std::string const line = export_line(run, decision);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  EXPECT_TRUE(looks_like_export(line));
  ImportedLine const imported = import_line(line, "x");
  EXPECT_EQ(model::run_to_text(imported.run.value()), model::run_to_text(run));
  EXPECT_EQ(imported.decision, decision);
  EXPECT_FALSE(imported.calibration);
  EXPECT_EQ(import_line(export_line(run, std::nullopt), "x").decision, std::nullopt);
}

TEST(ExportedLine, GivesBackACalibration) {
  StoredCalibration const one{.device_slug = "d", .operation = "gemm", .recorded = "r", .document = R"({"checks":56})"};
  ImportedLine const imported = import_line(export_line(one), "x");
  EXPECT_EQ(imported.calibration.value().document, one.document);
  EXPECT_EQ(imported.calibration->recorded, "r");
  EXPECT_FALSE(imported.run);
}

TEST(ExportedLine, IsToldFromARunFile) {
  EXPECT_FALSE(looks_like_export(model::run_to_text(sample_run(1))));
  EXPECT_FALSE(looks_like_export(""));
  EXPECT_FALSE(looks_like_export("{\n\"schema\":\"perfcheck.history/1\"}")) << "an export is one line per run";
}

TEST(ExportedLine, ThatIsDamagedIsRefusedWithFileAndLine) {
  std::string const line = export_line(sample_run(1), sample_decision(sample_run(1)));
  auto const refused = [](std::string const& text, char const* why) {
    EXPECT_THAT([&] { import_line(text, "h.jsonl:7"); },
                ThrowsMessage<model::FormatError>(AllOf(HasSubstr("h.jsonl:7"), HasSubstr(why))))
        << text.substr(0, 200);
  };
  auto const replaced = [&](std::string const& from, std::string const& to) {
    std::string text = line;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  refused(line.substr(0, line.size() / 2), "cut off");
  refused(replaced("perfcheck.history/1", "perfcheck.history/2"), "perfcheck.history/1");
  refused(replaced("\"verdict\":\"missing\"", "\"verdict\":\"mising\""), "missing");
  refused(replaced("\"exit_code\":1", "\"exit_code\":-1"), "exit_code");
  refused(replaced("\"margin\"", "\"margim\""), "did you mean \"margin\"");
  refused(R"({"schema":"perfcheck.history/1"})", "run");
}

TEST(ExportedLine, ThatIsDamagedIsRefusedInOneLineWhateverItHolds) {
  for (char const* line : {R"({"schema":"\n::error::","run":{}})",
                           R"({"schema":"perfcheck.history/1","run":RUN,"decision":{"cases":{"\n::error::":{}}}})"}) {
    std::string text = line;
    if (std::size_t const at = text.find("RUN"); at != std::string::npos) {
      text.replace(at, 3, model::to_json(sample_run(1)).dump());
      text.replace(text.find("\"cases\":{\""), 0, R"("exit_code":1,"notes":[],)");
    }
    EXPECT_THAT([&] { import_line(text, "h.jsonl:7"); },
                ThrowsMessage<model::FormatError>(AllOf(HasSubstr("::error::"), ::testing::Not(HasSubstr("\n")))));
  }
}

TEST(ExportedLine, OfACalibrationThatIsNoJsonIsAnErrorOfItsFormat) {
  for (std::string const& document : {std::string("{"), std::string(100000, '[') + std::string(100000, ']')}) {
    StoredCalibration const one{.device_slug = "d", .operation = "gemm", .recorded = "r", .document = document};
    EXPECT_THAT([&] { export_line(one); }, ThrowsMessage<model::FormatError>(HasSubstr("calibration of r")));
  }
}

TEST(Csv, HasAFieldPerColumnAndQuotesWhatNeedsIt) {
  model::Run const run = sample_run(1);
  RunEntry entry{.id = run.id, .started = run.started, .device_slug = "test-device", .suite = "a \"b\", c"};
  Result result{.status = model::CaseStatus::measured, .sessions = 2, .time_ns = 1234.5};
  std::string const header = csv_header();
  std::string const line = csv_line(entry, {.case_id = "gemm/k@f32,nn,m1n1k1"}, result);
  EXPECT_THAT(line, HasSubstr("\"a \"\"b\"\", c\""));
  EXPECT_THAT(line, HasSubstr("\"gemm/k@f32,nn,m1n1k1\",measured,,2,1234.5,,"));
  bool quoted = false;
  auto const fields = std::count_if(line.begin(), line.end(), [&](char c) {
    quoted = quoted != (c == '"');
    return c == ',' && !quoted;
  });
  EXPECT_EQ(fields, std::count(header.begin(), header.end(), ','));
}

}  // namespace
}  // namespace perfcheck::history
