// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// docs/schemas and the readers agree on one format: the readers require what a schema requires, refuse keys that it
// does not have, and do without what it makes optional.
#include "perfcheck/model/json.h"
#include "perfcheck/model/sealed.h"
#include "perfcheck/model/tuning.h"
#include "samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>

namespace perfcheck::model {
namespace {

using nlohmann::json;

json schema_file(std::string const& name) {
  std::ifstream file(std::string(PERFCHECK_SCHEMA_DIR) + "/" + name);
  return json::parse(file);
}

/// Walks a valid value along its schema and tests the keys of every object on the reader.
class Conformance {
 public:
  Conformance(json schema, json valid, std::function<void(std::string const&)> read)
      : schema_(std::move(schema)), valid_(std::move(valid)), read_(std::move(read)) {}

  void check() { walk(schema_, in_force(schema_, valid_), json::json_pointer()); }
  /// Does not remove this key, since its absence would change what the schema demands elsewhere.
  void leave_out(std::string const& key) { left_out_.insert(key); }
  int objects() const { return objects_; }
  /// Names of $defs that occur nowhere in the sample.
  std::set<std::string> unmet() const {
    std::set<std::string> names;
    for (auto const& item : schema_.at("$defs").items()) {
      if (!met_.contains(item.key())) {
        names.insert(item.key());
      }
    }
    return names;
  }

 private:
  json const& resolve(json const& schema) {
    if (!schema.contains("$ref")) {
      return schema;
    }
    std::string const name = schema.at("$ref").get<std::string>().substr(std::string("#/$defs/").size());
    met_.insert(name);
    return schema_.at("$defs").at(name);
  }

  using Schemas = std::vector<json const*>;

  /// The branches of a schema's conditions that apply to a value: further demands on it and on its parts.
  static Schemas in_force(json const& schema, json const& value) {
    Schemas branches;
    auto const add = [&](json const& rule) {
      char const* const branch = holds(rule.at("if"), value) ? "then" : "else";
      if (rule.contains(branch)) {
        branches.push_back(&rule.at(branch));
      }
    };
    if (schema.contains("if")) {
      add(schema);
    }
    for (auto rule = schema.find("allOf"); rule != schema.end(); rule = schema.end()) {
      std::for_each(rule->begin(), rule->end(), add);
    }
    return branches;
  }

  /// Given the demands on a value, returns those on `part` of it: the schemas under `keyword` and, in it, `key`.
  Schemas about_part(Schemas const& demands, char const* keyword, std::string const& key, json const& part) {
    Schemas parts;
    for (json const* demand : demands) {
      json const* about = demand->contains(keyword) ? &demand->at(keyword) : nullptr;
      about = about != nullptr && !key.empty() ? (about->contains(key) ? &about->at(key) : nullptr) : about;
      if (about != nullptr && about->is_object()) {
        json const& found = resolve(*about);
        parts.push_back(&found);
        Schemas const branches = in_force(found, part);
        parts.insert(parts.end(), branches.begin(), branches.end());
      }
    }
    return parts;
  }

  void walk(json const& unresolved, Schemas const& demands, json::json_pointer const& place) {
    json const& schema = resolve(unresolved);
    json const& value = valid_.at(place);
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        walk(schema.at("items"), about_part(demands, "items", "", value[i]), place / i);
      }
    } else if (value.is_object() && schema.contains("properties")) {
      check_keys(schema, demands, place);
      for (auto const& item : value.items()) {
        ASSERT_TRUE(schema.at("properties").contains(item.key())) << place << " " << item.key();
        walk(schema.at("properties").at(item.key()), about_part(demands, "properties", item.key(), item.value()),
             place / item.key());
      }
    } else if (value.is_object()) {
      for (auto const& item : value.items()) {
        if (schema.contains("propertyNames")) {
          resolve(schema.at("propertyNames"));
        }
        walk(schema.at("additionalProperties"), {}, place / item.key());
      }
    }
  }

  void check_keys(json const& schema, Schemas const& demands, json::json_pointer const& place) {
    ++objects_;
    EXPECT_EQ(schema.at("additionalProperties"), false) << place;
    json changed = valid_;
    changed[place]["unknown_key"] = 1;
    EXPECT_FALSE(reads(changed)) << place << ": an unknown key must be refused";
    std::set<std::string> required = schema.at("required").get<std::set<std::string>>();
    Schemas all = in_force(schema, valid_.at(place));
    all.insert(all.end(), demands.begin(), demands.end());
    for (json const* demand : all) {
      json const names = demand->value("required", json::array());
      required.insert(names.begin(), names.end());
    }
    for (auto const& item : schema.at("properties").items()) {
      if (!valid_.at(place).contains(item.key())) {
        EXPECT_FALSE(required.contains(item.key())) << place << " lacks " << item.key();
        continue;
      }
      changed = valid_;
      changed.at(place).erase(item.key());
      bool const depended_on =
          schema.contains("dependentRequired") && schema.at("dependentRequired").contains(item.key());
      if (!left_out_.contains(item.key())) {
        EXPECT_EQ(reads(changed), !required.contains(item.key()) && !depended_on) << place << " without " << item.key();
      }
    }
  }

  static bool holds(json const& condition, json const& object) {
    if (condition.contains("not")) {
      return !holds(condition.at("not"), object);
    }
    for (json const& key : condition.value("required", json::array())) {
      if (!object.contains(key.get<std::string>())) {
        return false;
      }
    }
    json const properties = condition.value("properties", json::object());
    return std::all_of(properties.items().begin(), properties.items().end(), [&object](auto const& item) {
      return object.contains(item.key()) && object.at(item.key()) == item.value().at("const");
    });
  }

  bool reads(json const& value) const {
    try {
      read_(value.dump());
      return true;
    } catch (FormatError const&) {
      return false;
    }
  }

  json schema_, valid_;
  std::function<void(std::string const&)> read_;
  std::set<std::string> met_, left_out_;
  int objects_ = 0;
};

TEST(Schema, OfTheRunFileSaysWhatTheReaderDoes) {
  Conformance conformance(schema_file("run.schema.json"), to_json(samples::complete_run()),
                          [](std::string const& text) { (void)run_from_text(text, "f"); });
  conformance.check();
  EXPECT_GT(conformance.objects(), 30);
  EXPECT_EQ(conformance.unmet(), std::set<std::string>{});
}

TEST(Schema, OfTheRunFileSaysWhatTheReaderDoesWithAnImportedRun) {
  Conformance conformance(schema_file("run.schema.json"), to_json(samples::imported_run()),
                          [](std::string const& text) { (void)run_from_text(text, "f"); });
  conformance.leave_out("imported_from");
  conformance.check();
  EXPECT_GT(conformance.objects(), 15);
}

TEST(Schema, OfTheBaselineFileSaysWhatTheReaderDoes) {
  // Every change breaks the digest, which is not tested here.
  Conformance conformance(schema_file("baseline.schema.json"), to_json(samples::complete_baseline()),
                          [](std::string const& text) {
                            json file = json::parse(text);
                            if (file.contains("digest")) file["digest"] = baseline_digest(file);
                            (void)baseline_from_text(file.dump(), "f");
                          });
  conformance.check();
  EXPECT_GT(conformance.objects(), 5);
  EXPECT_EQ(conformance.unmet(), std::set<std::string>{});
}

TEST(Schema, OfTheTuningFileSaysWhatTheReaderDoes) {
  Conformance conformance(schema_file("tuning.schema.json"), json::parse(tuning_to_text(samples::complete_tuning())),
                          [](std::string const& text) { (void)tuning_from_text(text, "f"); });
  conformance.check();
  EXPECT_GT(conformance.objects(), 3);
  EXPECT_EQ(conformance.unmet(), std::set<std::string>{});
}

TEST(Schema, OfASealedResultSaysWhatTheReaderDoes) {
  Conformance conformance(schema_file("sealed.schema.json"), json::parse(to_json_line(samples::sealed_result())),
                          [](std::string const& text) { (void)parse_sealed(text, "f"); });
  conformance.leave_out("reference");
  conformance.check();
  EXPECT_EQ(conformance.objects(), 2);
}

TEST(Schema, OfASealedResultSaysWhatTheReaderDoesWithoutATime) {
  Conformance conformance(schema_file("sealed.schema.json"), json::parse(to_json_line(samples::sealed_refusal())),
                          [](std::string const& text) { (void)parse_sealed(text, "f"); });
  conformance.check();
  EXPECT_EQ(conformance.objects(), 2);
}

TEST(Schema, NamesTheVersionThatTheReaderReads) {
  EXPECT_EQ(schema_file("sealed.schema.json")["properties"]["schema"]["const"],
            json::parse(to_json_line(samples::sealed_result()))["schema"]);
  auto const all = [](char const* newest, auto const& earlier) {
    json names = {newest};
    for (char const* one : earlier) {
      names.push_back(one);
    }
    return names;
  };
  EXPECT_EQ(schema_file("run.schema.json")["properties"]["schema"]["enum"], all(kRunSchema, kEarlierRunSchemas));
  EXPECT_EQ(schema_file("baseline.schema.json")["properties"]["schema"]["enum"],
            all(kBaselineSchema, kEarlierBaselineSchemas));
  EXPECT_EQ(schema_file("tuning.schema.json")["properties"]["schema"]["enum"],
            all(kTuningSchema, kEarlierTuningSchemas));
}

TEST(Schema, ListsEveryTextOfEveryEnum) {
  json const schema = schema_file("run.schema.json");
  EXPECT_EQ(schema["$defs"]["case"]["properties"]["status"]["enum"], case_status_texts());
  EXPECT_EQ(schema["$defs"]["case"]["properties"]["skip_reason"]["enum"], skip_reason_texts());
  EXPECT_EQ(schema["$defs"]["kernel"]["properties"]["unavailable"]["enum"], skip_reason_texts());
  EXPECT_EQ(schema["$defs"]["session"]["properties"]["purpose"]["enum"], session_purpose_texts());
}

TEST(Schema, DescribesALaunchInBothFilesAlike) {
  EXPECT_EQ(schema_file("baseline.schema.json")["$defs"]["launch"], schema_file("run.schema.json")["$defs"]["launch"]);
}

}  // namespace
}  // namespace perfcheck::model
