// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/object_reader.h"
#include "errors.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace perfcheck::model {
namespace {

using nlohmann::json;

TEST(ObjectReader, ReadsEveryKind) {
  json const source = {{"text", "x"},
                       {"flag", true},
                       {"whole", -3},
                       {"count", 4},
                       {"bits", UINT64_MAX},
                       {"number", 2.5},
                       {"time", 1e-9},
                       {"texts", {"a", "b"}},
                       {"column", {1, 2.5}},
                       {"map", {{"k", "v"}}},
                       {"rates", {{"f32", 2}}},
                       {"object", json::object()},
                       {"array", json::array()},
                       {"kind", "two"}};
  ObjectReader reader(source, "f", "");
  EXPECT_EQ(reader.text("text"), "x");
  EXPECT_TRUE(reader.boolean("flag"));
  EXPECT_EQ(reader.integer("whole"), -3);
  EXPECT_EQ(reader.small_integer("count", 4), 4);
  EXPECT_EQ(reader.unsigned_integer("bits"), UINT64_MAX);
  EXPECT_EQ(reader.number("number"), 2.5);
  EXPECT_EQ(reader.positive("time"), 1e-9);
  EXPECT_EQ(reader.texts("texts"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(reader.positives("column"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(reader.text_map("map"), (std::map<std::string, std::string>{{"k", "v"}}));
  EXPECT_EQ(reader.positive_map("rates"), (std::map<std::string, double>{{"f32", 2}}));
  EXPECT_TRUE(reader.object("object").empty());
  EXPECT_TRUE(reader.array("array").empty());
  EXPECT_EQ(reader.choice("kind", {"one", "two"}), "two");
  EXPECT_EQ(reader.text_or("absent", "fallback"), "fallback");
  EXPECT_EQ(reader.number_or("absent", 7), 7);
  EXPECT_FALSE(reader.optional_number("absent"));
  EXPECT_NO_THROW(reader.finish());
}

struct Wrong {
  json value;
  std::function<void(ObjectReader&)> read;
  char const* place;
  char const* problem;
};

TEST(ObjectReader, NamesOriginPlaceAndRemedy) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const infinity = std::numeric_limits<double>::infinity();
  std::vector<Wrong> const table = {
      {3, [](ObjectReader& r) { r.text("k"); }, "here.k", "must be text in quotes, but is the number 3"},
      {"", [](ObjectReader& r) { r.nonempty_text("k"); }, "here.k", "must not be empty"},
      {"true", [](ObjectReader& r) { r.boolean("k"); }, "here.k", "must be true or false, but is the text \"true\""},
      {1.5, [](ObjectReader& r) { r.integer("k"); }, "here.k", "whole number"},
      {3.0, [](ObjectReader& r) { r.integer("k"); }, "here.k", "whole number"},
      {UINT64_MAX, [](ObjectReader& r) { r.integer("k"); }, "here.k", "whole number"},
      {-1, [](ObjectReader& r) { r.small_integer("k"); }, "here.k", "from 0 to 2147483647, but is the number -1"},
      {4294967296, [](ObjectReader& r) { r.small_integer("k"); }, "here.k", "from 0 to 2147483647"},
      {5, [](ObjectReader& r) { r.integer("k", 0, 4); }, "here.k", "from 0 to 4"},
      {-1, [](ObjectReader& r) { r.unsigned_integer("k"); }, "here.k", "from 0 to 18446744073709551615"},
      {1.0, [](ObjectReader& r) { r.unsigned_integer("k"); }, "here.k", "whole number"},
      {nullptr, [](ObjectReader& r) { r.number("k"); }, "here.k", "but is null"},
      {nan, [](ObjectReader& r) { r.number("k"); }, "here.k", "must be a finite number, but is the number nan"},
      {-0.5, [](ObjectReader& r) { r.number("k", 0); }, "here.k", "at least 0"},
      {0, [](ObjectReader& r) { r.positive("k"); }, "here.k", "greater than 0"},
      {nan, [](ObjectReader& r) { r.positive("k"); }, "here.k", "finite"},
      {nullptr, [](ObjectReader& r) { r.optional_number("k"); }, "here.k", "but is null"},
      {{"a", 1}, [](ObjectReader& r) { r.texts("k"); }, "here.k[1]", "must be text"},
      {{1, 2, 0}, [](ObjectReader& r) { r.positives("k"); }, "here.k[2]", "greater than 0"},
      {{1, nan}, [](ObjectReader& r) { r.positives("k"); }, "here.k[1]", "finite"},
      {{1, infinity}, [](ObjectReader& r) { r.positives("k"); }, "here.k[1]", "finite"},
      {infinity, [](ObjectReader& r) { r.number("k"); }, "here.k", "must be a finite number"},
      {{1, "2"}, [](ObjectReader& r) { r.positives("k"); }, "here.k[1]", "the text \"2\""},
      {{{"x", 1}}, [](ObjectReader& r) { r.text_map("k"); }, "here.k.x", "must be text"},
      {{{"a b", -1}}, [](ObjectReader& r) { r.positive_map("k"); }, "here.k[\"a b\"]", "greater than 0"},
      {json::array(), [](ObjectReader& r) { r.object("k"); }, "here.k", "must be an object, but is an array"},
      {json::object(), [](ObjectReader& r) { r.array("k"); }, "here.k", "must be an array, but is an object"},
      {"tow", [](ObjectReader& r) { r.choice("k", {"one", "two"}); }, "here.k", "did you mean"},
      {"x", [](ObjectReader& r) { r.choice("k", {"one", "two"}); }, "here.k", "valid are one, two"},
  };
  for (Wrong const& wrong : table) {
    json const source = {{"k", wrong.value}};
    std::string const error = format_error_of([&] {
      ObjectReader reader(source, "file.json", "here");
      wrong.read(reader);
    });
    expect_holds(error, std::string("file.json: ") + wrong.place + ": ");
    expect_holds(error, wrong.problem);
  }
}

TEST(ObjectReader, RejectsAMissingKey) {
  json const source = {{"tiem_ns", 1}};
  ObjectReader reader(source, "f", "rounds");
  expect_holds(format_error_of([&] { reader.text("id"); }), "f: rounds.id: is missing; add it");
  expect_holds(format_error_of([&] { reader.positive("time_ns"); }), "(is \"tiem_ns\" a typing error?)");
}

TEST(ObjectReader, NamesTheKnownKeyNearestToAnUnknownOne) {
  json const source = {{"id", "x"}, {"mesage", "y"}};
  ObjectReader reader(source, "f", "cases[3]");
  reader.text("id");
  reader.text_or("message", "");
  std::string const error = format_error_of([&] { reader.finish(); });
  expect_holds(error, "f: cases[3].mesage: unknown key; did you mean \"message\"?");
}

TEST(ObjectReader, RejectsAKeyThatWasSeenButNotRead) {
  json const source = {{"rounds", 1}};
  ObjectReader reader(source, "f", "");
  EXPECT_TRUE(reader.has("rounds"));
  expect_holds(format_error_of([&] { reader.finish(); }), "f: rounds: unknown key");
}

TEST(ObjectReader, RejectsWhatIsNoObject) {
  for (json const& source : {json(nullptr), json::array(), json(1), json("x")}) {
    expect_holds(format_error_of([&] { ObjectReader(source, "f", "here[0]"); }), "f: here[0]: must be an object");
    expect_holds(format_error_of([&] { ObjectReader(source, "f", ""); }), "f: must be an object, but is");
  }
}

}  // namespace
}  // namespace perfcheck::model
