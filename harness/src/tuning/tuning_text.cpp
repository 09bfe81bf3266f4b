// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/tuning/tuning_text.h"

#include "perfcheck/report/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace perfcheck::tuning {
namespace {

double work_of(Contest const& contest) { return contest.contenders.front().work.flop; }

/// The fastest point of each kernel on a problem, the fastest kernel first.
std::vector<model::TunedPoint> ranked(Tuner const& tuner, Contest const& contest) {
  auto const found = tuner.tuning().problems.find(contest.problem);
  if (found == tuner.tuning().problems.end()) {
    return {};
  }
  std::vector<std::string> const names = model::ranking_of(found->second);
  std::vector<model::TunedPoint> points;
  for (model::TunedPoint& point : model::fastest_first(found->second)) {
    if (std::ranges::find(names, point.kernel) != names.end()) {
      points.push_back(std::move(point));
    }
  }
  return points;
}

struct Row {
  std::string problem, fastest, time, rate, share, next;
};

Row row_of(Tuner const& tuner, Contest const& contest) {
  std::vector<model::TunedPoint> const points = ranked(tuner, contest);
  if (points.empty()) {
    return {.problem = contest.problem, .fastest = "not measured", .time = "", .rate = "", .share = "", .next = ""};
  }
  model::TunedPoint const& first = points.front();
  Row row{.problem = contest.problem,
          .fastest = first.kernel,
          .time = report::format_time(first.time_ns),
          .rate = report::format_number(work_of(contest) / first.time_ns / 1e3),
          .share = report::format_share(first.ratio ? std::optional(1 / *first.ratio) : std::nullopt),
          .next = ""};
  if (points.size() > 1) {
    row.next =
        fmt::format("{} ({})", model::split_point(points[1].kernel).kernel, report::format_time(points[1].time_ns));
  }
  return row;
}

std::string table(Tuner const& tuner) {
  std::vector<Row> rows{{.problem = "problem",
                         .fastest = "fastest",
                         .time = "time",
                         .rate = "TFLOP/s",
                         .share = "% of ref",
                         .next = "next kernel"}};
  std::size_t problem = 0;
  std::size_t fastest = 0;
  for (Contest const& contest : tuner.contests()) {
    rows.push_back(row_of(tuner, contest));
  }
  for (Row const& row : rows) {
    problem = std::max(problem, row.problem.size());
    fastest = std::max(fastest, row.fastest.size());
  }
  std::string text;
  for (Row const& row : rows) {
    text += fmt::format("{:<{}}  {:<{}}  {:>9}  {:>8}  {:>8}  {}\n", row.problem, problem, row.fastest, fastest,
                        row.time, row.rate, row.share, row.next);
  }
  return text;
}

std::string summary(Tuner const& tuner, TuningOptions const& options) {
  std::string text = "\n";
  for (FailedPoint const& failed : tuner.failed()) {
    text += fmt::format("{}: {}: {}\n", failed.id, failed.status, failed.message);
  }
  std::size_t const complete = tuner.complete();
  std::size_t const count = tuner.contests().size();
  text += fmt::format("{} of {} problems are complete, in {}", complete, count, tuner.file().string());
  text += fmt::format("; {}\n", complete < count ? what_next(options) : "the next build compiles it in");
  return text;
}

}  // namespace

model::ExitCode exit_code_of(Tuner const& tuner) {
  bool const wrong =
      std::ranges::any_of(tuner.failed(), [](FailedPoint const& failed) { return failed.status != "unfit"; });
  if (wrong) {
    return model::ExitCode::broken;
  }
  return tuner.complete() < tuner.contests().size() ? model::ExitCode::undecided : model::ExitCode::ok;
}

char const* what_next(TuningOptions const& options) {
  return options.again == TuningOptions::Again::yes
             ? "with --again it begins anew, without it the same command completes what is there"
             : "the same command goes on from here";
}

std::string tuning_text(Tuner const& tuner, TuningOptions const& options) {
  return table(tuner) + summary(tuner, options);
}

nlohmann::json tuning_json(Tuner const& tuner, model::ExitCode code) {
  nlohmann::json object = {{"schema", "perfcheck.tune/1"},        {"exit_code", static_cast<int>(code)},
                           {"file", tuner.file().string()},       {"complete", tuner.complete()},
                           {"problems", nlohmann::json::array()}, {"failed", nlohmann::json::array()}};
  object["points"] = {{"in_file", all_points(tuner.review())}, {"valid", valid_points(tuner.review())}};
  for (auto const& [validity, count] : tuner.review()) {
    object["points"]["why"][to_text(validity)] = count;
  }
  for (Contest const& contest : tuner.contests()) {
    nlohmann::json entry = {{"problem", contest.problem}, {"ranking", nlohmann::json::array()}};
    for (model::TunedPoint const& point : ranked(tuner, contest)) {
      nlohmann::json ranked = {{"kernel", point.kernel}, {"time_ns", point.time_ns}};
      if (point.ratio) {
        ranked["ratio"] = *point.ratio;
      }
      entry["ranking"].push_back(std::move(ranked));
    }
    object["problems"].push_back(std::move(entry));
  }
  for (FailedPoint const& failed : tuner.failed()) {
    object["failed"].push_back({{"id", failed.id}, {"status", failed.status}, {"message", failed.message}});
  }
  return object;
}

}  // namespace perfcheck::tuning
