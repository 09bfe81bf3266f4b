// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// docs/schemas and the readers describe one format: what a schema requires the readers require, what it leaves out
// they refuse, what it makes optional they do without.
#include "model/json.h"
#include "samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

/// Walks a valid value beside its schema and tries every object's keys on the reader.
class Conformance {
 public:
  Conformance(json schema, json valid, std::function<void(std::string const&)> read)
      : schema_(std::move(schema)), valid_(std::move(valid)), read_(std::move(read)) {}

  void check() { walk(schema_, json::json_pointer()); }
  int objects() const { return objects_; }
  /// Names of $defs that the sample never met.
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

  void walk(json const& unresolved, json::json_pointer const& place) {
    json const& schema = resolve(unresolved);
    json const& value = valid_.at(place);
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        walk(schema.at("items"), place / i);
      }
    } else if (value.is_object() && schema.contains("properties")) {
      check_keys(schema, place);
      for (auto const& item : value.items()) {
        ASSERT_TRUE(schema.at("properties").contains(item.key())) << place << " " << item.key();
        walk(schema.at("properties").at(item.key()), place / item.key());
      }
    } else if (value.is_object()) {
      for (auto const& item : value.items()) {
        if (schema.contains("propertyNames")) {
          resolve(schema.at("propertyNames"));
        }
        walk(schema.at("additionalProperties"), place / item.key());
      }
    }
  }

  void check_keys(json const& schema, json::json_pointer const& place) {
    ++objects_;
    EXPECT_EQ(schema.at("additionalProperties"), false) << place;
    json changed = valid_;
    changed[place]["unknown_key"] = 1;
    EXPECT_FALSE(reads(changed)) << place << " has an unknown key";
    std::set<std::string> const required = schema.at("required").get<std::set<std::string>>();
    for (auto const& item : schema.at("properties").items()) {
      if (!valid_.at(place).contains(item.key())) {
        EXPECT_FALSE(required.contains(item.key())) << place << " lacks " << item.key();
        continue;
      }
      changed = valid_;
      changed.at(place).erase(item.key());
      bool const may_be_absent = !required.contains(item.key()) && !wanted_here(schema, place, item.key());
      EXPECT_EQ(reads(changed), may_be_absent) << place << " without " << item.key();
    }
  }

  /// Is an optional key required by what the rest of this object says? Follows if/then/else and dependentRequired.
  bool wanted_here(json const& schema, json::json_pointer const& place, std::string const& key) const {
    json const& object = valid_.at(place);
    for (json const& rule : schema.value("allOf", json::array())) {
      json const& branch = holds(rule.at("if"), object) ? rule.at("then") : rule.value("else", json::object());
      json const names = branch.value("required", json::array());
      if (std::find(names.begin(), names.end(), key) != names.end()) {
        return true;
      }
    }
    return schema.contains("dependentRequired") && schema.at("dependentRequired").contains(key);
  }

  static bool holds(json const& condition, json const& object) {
    for (auto const& item : condition.at("properties").items()) {
      if (!object.contains(item.key()) || object.at(item.key()) != item.value().at("const")) {
        return false;
      }
    }
    return true;
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
  std::set<std::string> met_;
  int objects_ = 0;
};

TEST(Schema, OfTheRunFileSaysWhatTheReaderDoes) {
  Conformance conformance(schema_file("run.schema.json"), to_json(samples::complete_run()),
                          [](std::string const& text) { (void)run_from_text(text, "f"); });
  conformance.check();
  EXPECT_GT(conformance.objects(), 30);
  EXPECT_EQ(conformance.unmet(), std::set<std::string>{});
}

TEST(Schema, OfTheBaselineFileSaysWhatTheReaderDoes) {
  Conformance conformance(schema_file("baseline.schema.json"), to_json(samples::complete_baseline()),
                          [](std::string const& text) { (void)baseline_from_text(text, "f"); });
  conformance.check();
  EXPECT_GT(conformance.objects(), 5);
  EXPECT_EQ(conformance.unmet(), std::set<std::string>{});
}

TEST(Schema, NamesTheVersionThatTheReaderReads) {
  EXPECT_EQ(schema_file("run.schema.json")["properties"]["schema"]["const"], kRunSchema);
  EXPECT_EQ(schema_file("baseline.schema.json")["properties"]["schema"]["enum"],
            (json{kBaselineSchema, kEarlierBaselineSchema}));
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
