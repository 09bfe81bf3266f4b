// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The run file.
#include "earlier_run.h"
#include "json_case.h"
#include "json_number.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/object_reader.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/model/shard.h"
#include "place.h"
#include "schema.h"

#include <fmt/format.h>

#include <type_traits>

namespace perfcheck::model {

using nlohmann::json;

namespace {

json source_to_json(SourceInfo const& source) {
  json object = {{"dirty", source.dirty}};
  put_nonempty(object, "commit", source.commit);
  put_nonempty(object, "branch", source.branch);
  put_nonempty(object, "subject", source.subject);
  put_nonempty(object, "author", source.author);
  put_nonempty(object, "committed", source.committed);
  put_nonempty(object, "repository", source.repository);
  return object;
}

SourceInfo source_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  SourceInfo info;
  info.commit = reader.text_or("commit", "");
  info.branch = reader.text_or("branch", "");
  info.subject = reader.text_or("subject", "");
  info.author = reader.text_or("author", "");
  info.committed = reader.text_or("committed", "");
  info.repository = reader.text_or("repository", "");
  info.dirty = reader.boolean("dirty");
  reader.finish();
  return info;
}

template <typename T>
json array_of(std::vector<T> const& values) {
  json array = json::array();
  for (T const& value : values) {
    array.push_back(to_json(value));
  }
  return array;
}

/// Reads an array of objects whose "id" must be unique.
template <typename Read>
auto read_unique(ObjectReader& reader, char const* key, std::string_view origin, Read read) {
  std::vector<std::invoke_result_t<Read, json const&, std::string_view, std::string_view>> values;
  std::map<std::string, std::size_t> seen;
  for (json const& element : reader.array(key)) {
    std::string const place = reader.place_of(key, values.size());
    values.push_back(read(element, origin, place));
    auto const [first, is_new] = seen.emplace(values.back().id, values.size() - 1);
    if (!is_new) {
      throw_format_error(origin, member_place(place, "id"),
                         fmt::format("{} is already the id of {}; remove one of the two", in_quotes(values.back().id),
                                     reader.place_of(key, first->second)));
    }
  }
  return values;
}

json session_to_json(Session const& session) {
  return {{"id", session.id},
          {"started", session.started},
          {"purpose", to_text(session.purpose)},
          {"device", to_json(session.device)},
          {"environment", to_json(session.environment)},
          {"seed", session.seed},
          {"restarts", session.restarts},
          {"cases", array_of(session.cases)}};
}

Session session_from_json(json const& source, std::string_view origin, std::string_view place, bool imported) {
  ObjectReader reader(source, origin, place);
  Session session;
  session.id = reader.nonempty_text("id");
  session.started = reader.nonempty_text("started");
  session.purpose = session_purpose_from_text(reader.choice("purpose", session_purpose_texts())).value();
  session.device = device_from_json(reader.object("device"), origin, reader.place_of("device"));
  session.environment = environment_from_json(reader.object("environment"), origin, reader.place_of("environment"));
  session.seed = reader.unsigned_integer("seed");
  session.restarts = reader.small_integer("restarts");
  session.cases = read_unique(reader, "cases", origin, imported ? imported_case_from_json : case_result_from_json);
  reader.finish();
  return session;
}

json shard_to_json(Shard const& shard) {
  json object = {{"index", shard.index}, {"count", shard.count}};
  put_nonempty(object, "fan_out", shard.fan_out);
  return object;
}

Shard shard_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  Shard shard;
  shard.count = static_cast<int>(reader.integer("count", 1, kMostShards));
  shard.index = reader.small_integer("index");
  if (shard.index > shard.count) {
    reader.fail("index", "must not be larger than count");
  }
  shard.fan_out = reader.text_or("fan_out", "");
  reader.finish();
  return shard;
}

}  // namespace

json to_json(Run const& run) {
  json object = {{"schema", kRunSchema},
                 {"id", run.id},
                 {"started", run.started},
                 {"seconds", measurement(run.seconds)},
                 {"tool_version", run.tool_version},
                 {"source", source_to_json(run.source)},
                 {"worker", to_json(run.worker)},
                 {"suite", run.suite},
                 {"filters", run.filters},
                 {"injected", run.injected},
                 {"kernels", array_of(run.kernels)},
                 {"sessions", json::array()}};
  put_nonempty(object, "imported_from", run.imported_from);
  if (run.shard) {
    object["shard"] = shard_to_json(*run.shard);
  }
  if (!run.problems.empty()) {
    object["problems"] = array_of(run.problems);
  }
  for (Session const& session : run.sessions) {
    object["sessions"].push_back(session_to_json(session));
  }
  for (Session const& session : run.base_sessions) {
    object["base_sessions"].push_back(session_to_json(session));
  }
  return object;
}

std::string run_to_text(Run const& run) { return json_to_text(to_json(run), {"axes"}); }

Run run_from_text(std::string_view text, std::string_view origin) {
  json const source = parse_strict(text, origin);
  ObjectReader reader(source, origin, "");
  refuse_newer_keys(source, require_schema(reader, kRunSchema, kEarlierRunSchemas), origin);
  Run run;
  run.id = reader.nonempty_text("id");
  run.started = reader.nonempty_text("started");
  run.seconds = reader.number("seconds", 0);
  run.tool_version = reader.text("tool_version");
  bool const imported = reader.has("imported_from");
  run.imported_from = imported ? reader.nonempty_text("imported_from") : "";
  run.source = source_from_json(reader.object("source"), origin, reader.place_of("source"));
  run.worker = worker_from_json(reader.object("worker"), origin, reader.place_of("worker"));
  run.suite = reader.text("suite");
  run.filters = reader.texts("filters");
  run.injected = reader.texts("injected");
  if (reader.has("shard")) {
    run.shard = shard_from_json(reader.object("shard"), origin, reader.place_of("shard"));
  }
  run.kernels = read_unique(reader, "kernels", origin, kernel_from_json);
  run.problems = problems_from_json(reader, origin);
  auto const session = [imported](auto const&... where) { return session_from_json(where..., imported); };
  run.sessions = read_unique(reader, "sessions", origin, session);
  if (reader.has("base_sessions")) {
    run.base_sessions = read_unique(reader, "base_sessions", origin, session);
  }
  reader.finish();
  return run;
}

}  // namespace perfcheck::model
