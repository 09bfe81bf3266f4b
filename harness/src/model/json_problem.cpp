// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Problems with their axes, as the worker's plan and the run file hold them.
#include "json_number.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/object_reader.h"
#include "perfcheck/model/one_line.h"
#include "place.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::model {

using nlohmann::json;

namespace {

json axis_to_json(Axis const& axis) {
  double const* const number = std::get_if<double>(&axis.value);
  return {{"name", axis.name}, {"value", number != nullptr ? count_json(*number) : json(std::get<1>(axis.value))}};
}

Axis axis_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  std::string name = reader.nonempty_text("name");
  bool const is_text = source.contains("value") && source.at("value").is_string();
  Axis axis =
      is_text ? Axis(std::move(name), reader.nonempty_text("value")) : Axis(std::move(name), reader.number("value"));
  reader.finish();
  return axis;
}

}  // namespace

json to_json(ProblemInfo const& problem) {
  json axes = json::array();
  for (Axis const& axis : problem.axes) axes.push_back(axis_to_json(axis));
  return {{"text", problem.text}, {"axes", std::move(axes)}};
}

std::vector<ProblemInfo> problems_from_json(ObjectReader& reader, std::string_view origin) {
  std::vector<ProblemInfo> problems;
  if (!reader.has("problems")) return problems;
  for (json const& element : reader.array("problems")) {
    ObjectReader fields(element, origin, reader.place_of("problems", problems.size()));
    ProblemInfo problem{.text = fields.nonempty_text("text"), .axes = {}};
    if (std::ranges::find(problems, problem.text, &ProblemInfo::text) != problems.end()) {
      fields.fail("text", fmt::format("{} is listed twice; leave one out", in_quotes(problem.text)));
    }
    for (json const& one : fields.array("axes")) {
      std::string const place = fields.place_of("axes", problem.axes.size());
      Axis axis = axis_from_json(one, origin, place);
      if (std::ranges::find(problem.axes, axis.name, &Axis::name) != problem.axes.end()) {
        throw_format_error(origin, member_place(place, "name"),
                           fmt::format("{} is an axis already; rename one of the two", in_quotes(axis.name)));
      }
      problem.axes.push_back(std::move(axis));
    }
    if (problem.axes.empty()) fields.fail("axes", "is empty; leave out a problem without axes");
    fields.finish();
    problems.push_back(std::move(problem));
  }
  return problems;
}

void add_problems(std::vector<ProblemInfo>& known, std::vector<ProblemInfo> const& more) {
  for (ProblemInfo const& problem : more) {
    if (std::ranges::find(known, problem.text, &ProblemInfo::text) == known.end()) known.push_back(problem);
  }
}

}  // namespace perfcheck::model
