// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/tuning.h"

#include "json_number.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/object_reader.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/model/run.h"
#include "place.h"
#include "schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::model {

using nlohmann::json;

namespace {

json session_to_json(TuningSession const& session) {
  json object = {{"id", session.id}, {"started", session.started}, {"libraries", session.libraries}};
  put_nonempty(object, "device_uuid", session.device_uuid);
  put_nonempty(object, "driver", session.driver);
  put_nonempty(object, "cuda_runtime", session.cuda_runtime);
  put_nonempty(object, "commit", session.commit);
  put_nonempty(object, "worker", session.worker);
  put_nonempty(object, "command", session.command);
  if (session.timing != kFirstTiming) {
    object["timing"] = session.timing;
  }
  return object;
}

/// What a reader needs to know besides the value that it reads.
struct Source {
  std::string_view origin;
  bool has_code;  ///< of a version that says what was launched
};

TuningSession session_from_json(json const& source, Source const& file, std::string_view place) {
  ObjectReader reader(source, file.origin, place);
  TuningSession session;
  session.id = reader.nonempty_text("id");
  session.started = reader.nonempty_text("started");
  session.device_uuid = reader.text_or("device_uuid", "");
  session.driver = reader.text_or("driver", "");
  session.cuda_runtime = reader.text_or("cuda_runtime", "");
  session.libraries = reader.text_map("libraries");
  session.commit = reader.text_or("commit", "");
  session.worker = reader.text_or("worker", "");
  if (file.has_code) {
    session.command = reader.text_or("command", "");
    session.timing = reader.small_integer_or("timing", kFirstTiming, kFirstTiming);
  }
  reader.finish();
  return session;
}

json point_to_json(TunedPoint const& point) {
  json object = {
      {"kernel", point.kernel}, {"session", point.session}, {"time_ns", rounded(point.time_ns, kMeasurementDigits)}};
  if (point.ratio) {
    object["ratio"] = rounded(*point.ratio, kRatioDigits);
  }
  if (point.brief) {
    object["brief"] = true;
  }
  put_nonempty(object, "code", point.code);
  put_nonempty(object, "reference_code", point.reference_code);
  return object;
}

TunedPoint point_from_json(json const& source, Source const& file, std::string_view place,
                           std::set<std::string> const& sessions) {
  ObjectReader reader(source, file.origin, place);
  TunedPoint point;
  point.kernel = reader.nonempty_text("kernel");
  if (point.kernel.find_first_of("@ \"\\") != std::string::npos || one_line(point.kernel) != point.kernel) {
    reader.fail("kernel",
                "must be a kernel's id without blanks, quotes and '@'; restore the file from version control");
  }
  point.session = reader.nonempty_text("session");
  if (!sessions.contains(point.session)) {
    reader.fail("session", fmt::format("there is no session {} in \"sessions\"; restore the file from version control",
                                       in_quotes(point.session)));
  }
  point.time_ns = reader.positive("time_ns");
  if (reader.has("ratio")) {
    point.ratio = reader.positive("ratio");
  }
  if (reader.has("brief")) {
    point.brief = reader.boolean("brief");
  }
  if (file.has_code) {
    point.code = reader.text_or("code", "");
    point.reference_code = reader.text_or("reference_code", "");
  }
  reader.finish();
  return point;
}

std::vector<TunedPoint> points_from_json(json const& source, Source const& file, std::string_view place,
                                         std::set<std::string> const& sessions) {
  ObjectReader reader(source, file.origin, place);
  std::vector<TunedPoint> points;
  std::set<std::string> seen;
  for (json const& entry : reader.array("points")) {
    std::string const at = reader.place_of("points", points.size());
    points.push_back(point_from_json(entry, file, at, sessions));
    if (!seen.insert(points.back().kernel).second) {
      throw_format_error(
          file.origin, member_place(at, "kernel"),
          fmt::format("{} stands there twice; restore the file from version control", in_quotes(points.back().kernel)));
    }
  }
  if (points.empty()) {
    reader.fail("points", "is empty; remove the problem, or restore the file from version control");
  }
  if (reader.texts("ranking") != ranking_of(points)) {
    reader.fail("ranking", "is not that of the points; let perfcheck tune write the file");
  }
  reader.finish();
  return points;
}

std::set<std::string> read_sessions(ObjectReader& reader, Source const& file, Tuning& tuning) {
  std::set<std::string> ids;
  for (json const& session : reader.array("sessions")) {
    std::string const place = reader.place_of("sessions", tuning.sessions.size());
    tuning.sessions.push_back(session_from_json(session, file, place));
    if (!ids.insert(tuning.sessions.back().id).second) {
      throw_format_error(file.origin, member_place(place, "id"),
                         fmt::format("{} is the id of an earlier session too; restore the file from version control",
                                     in_quotes(tuning.sessions.back().id)));
    }
  }
  return ids;
}

}  // namespace

PointId split_point(std::string const& kernel) {
  std::size_t const colon = kernel.find(':');
  if (colon == std::string::npos) {
    return {.kernel = kernel, .point = ""};
  }
  return {.kernel = kernel.substr(0, colon), .point = kernel.substr(colon + 1)};
}

std::vector<TunedPoint> fastest_first(std::vector<TunedPoint> points) {
  bool const have_ratios = std::ranges::all_of(points, [](TunedPoint const& point) { return point.ratio.has_value(); });
  // Rounded as in the file, so that the order is the same before writing and after reading.
  auto const cost = [&](TunedPoint const& point) {
    return have_ratios ? rounded(*point.ratio, kRatioDigits) : rounded(point.time_ns, kMeasurementDigits);
  };
  std::ranges::sort(points, [&](TunedPoint const& a, TunedPoint const& b) {
    return std::pair(cost(a), a.kernel) < std::pair(cost(b), b.kernel);
  });
  return points;
}

std::vector<std::string> ranking_of(std::vector<TunedPoint> const& points) {
  std::vector<std::string> ranking;
  std::set<std::string> kernels;
  for (TunedPoint const& point : fastest_first(points)) {
    if (kernels.insert(split_point(point.kernel).kernel).second) {
      ranking.push_back(point.kernel);
    }
  }
  return ranking;
}

std::string tuning_to_text(Tuning const& tuning) {
  json object = {{"schema", kTuningSchema},           {"operation", tuning.operation},
                 {"device_slug", tuning.device_slug}, {"device_name", tuning.device_name},
                 {"sessions", json::array()},         {"problems", json::object()}};
  for (TuningSession const& session : tuning.sessions) {
    object["sessions"].push_back(session_to_json(session));
  }
  for (auto const& [problem, points] : tuning.problems) {
    json& entry = object["problems"][problem];
    entry["ranking"] = ranking_of(points);
    for (TunedPoint const& point : points) {
      entry["points"].push_back(point_to_json(point));
    }
  }
  return json_to_text(object, {"points"});
}

Tuning tuning_from_text(std::string_view text, std::string_view origin) {
  json const source = parse_strict(text, origin);
  ObjectReader reader(source, origin, "");
  Source const file{.origin = origin,
                    .has_code = require_schema(reader, kTuningSchema, kEarlierTuningSchemas) == kTuningSchema};
  Tuning tuning;
  tuning.operation = reader.nonempty_text("operation");
  tuning.device_slug = reader.nonempty_text("device_slug");
  tuning.device_name = reader.nonempty_text("device_name");
  std::set<std::string> const sessions = read_sessions(reader, file, tuning);
  for (auto const& [problem, entry] : reader.object("problems").items()) {
    if (problem.empty() || problem.find_first_of("@ \"\\") != std::string::npos || one_line(problem) != problem) {
      throw_format_error(origin, member_place("problems", problem),
                         "must be a problem's text; restore the file from version control");
    }
    tuning.problems[problem] = points_from_json(entry, file, member_place("problems", problem), sessions);
  }
  reader.finish();
  return tuning;
}

}  // namespace perfcheck::model
