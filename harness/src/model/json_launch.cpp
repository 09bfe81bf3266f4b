// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/json.h"

#include "json_number.h"
#include "perfcheck/model/object_reader.h"

#include <algorithm>
#include <cmath>

namespace perfcheck::model {

using nlohmann::json;

namespace {

/// A text that is left out when there is none.
struct OptionalText {
  char const* key;
  std::string LaunchAttributes::* text;
};
constexpr std::array<OptionalText, 7> kOptionalTexts = {{{"machine_code", &LaunchAttributes::machine_code},
                                                         {"called_code", &LaunchAttributes::called_code},
                                                         {"constants", &LaunchAttributes::constants},
                                                         {"arguments", &LaunchAttributes::arguments},
                                                         {"attributes", &LaunchAttributes::attributes},
                                                         {"other_nodes", &LaunchAttributes::other_nodes},
                                                         {"graph", &LaunchAttributes::graph}}};

std::array<int, 3> dimensions(ObjectReader& reader, char const* key) {
  constexpr double kLargest = 2147483647;  // CUDA's limit of a grid's first dimension
  std::vector<double> const values = reader.positives(key);
  if (values.size() != 3 || std::any_of(values.begin(), values.end(),
                                        [](double value) { return value > kLargest || std::trunc(value) != value; })) {
    reader.fail(key, "must be three positive whole numbers [x, y, z]");
  }
  return {static_cast<int>(values[0]), static_cast<int>(values[1]), static_cast<int>(values[2])};
}

json launch_to_json(LaunchAttributes const& launch) {
  json object = {{"function", launch.function},
                 {"grid", launch.grid},
                 {"block", launch.block},
                 {"registers", launch.registers},
                 {"shared_bytes", launch.shared_bytes},
                 {"local_bytes", launch.local_bytes},
                 {"blocks_per_sm", launch.blocks_per_sm},
                 {"occupancy", measurement(launch.occupancy)}};
  for (OptionalText const& optional : kOptionalTexts) {
    put_nonempty(object, optional.key, launch.*optional.text);
  }
  return object;
}

LaunchAttributes launch_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  LaunchAttributes launch;
  launch.function = reader.nonempty_text("function");
  launch.grid = dimensions(reader, "grid");
  launch.block = dimensions(reader, "block");
  launch.registers = reader.small_integer("registers");
  launch.shared_bytes = reader.integer("shared_bytes", 0);
  launch.local_bytes = reader.integer("local_bytes", 0);
  launch.blocks_per_sm = reader.small_integer("blocks_per_sm");
  launch.occupancy = reader.number("occupancy", 0);
  if (!(launch.occupancy <= 1)) {
    reader.fail("occupancy", "must be a share from 0 to 1");
  }
  for (OptionalText const& optional : kOptionalTexts) {
    launch.*optional.text = reader.text_or(optional.key, "");
  }
  reader.finish();
  return launch;
}

}  // namespace

json launches_to_json(std::vector<LaunchAttributes> const& launches) {
  json array = json::array();
  for (LaunchAttributes const& launch : launches) {
    array.push_back(launch_to_json(launch));
  }
  return array;
}

std::vector<LaunchAttributes> launches_from_json(ObjectReader& reader, char const* key, std::string_view origin) {
  std::vector<LaunchAttributes> launches;
  if (reader.has(key)) {
    for (json const& launch : reader.array(key)) {
      launches.push_back(launch_from_json(launch, origin, reader.place_of(key, launches.size())));
    }
  }
  return launches;
}

json to_json(Work const& work) { return {{"flop", count_json(work.flop)}, {"bytes", count_json(work.bytes)}}; }

Work work_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  Work const work{.flop = reader.number("flop", 0), .bytes = reader.number("bytes", 0)};
  reader.finish();
  return work;
}

}  // namespace perfcheck::model
