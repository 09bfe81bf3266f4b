// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "errors.h"
#include "perfcheck/model/json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace perfcheck::model {
namespace {

std::string error_of(std::string const& text) {
  return format_error_of([&] { (void)parse_strict(text, "file.json"); });
}

TEST(ParseStrict, ReadsEveryKindOfValue) {
  std::string const text =
      R"({"a": [1, -2, 2.5, true, false, null, "x", [], {}], "b": {"c": {"d": [[0], [1]]}}, "": 18446744073709551615})";
  EXPECT_EQ(parse_strict(text, "file.json"), nlohmann::json::parse(text));
  EXPECT_EQ(parse_strict("3", "file.json"), 3);
  EXPECT_EQ(parse_strict("[\"top\"]", "file.json").size(), 1U);
}

TEST(ParseStrict, RejectsTheSameKeyTwice) {
  std::string const error = error_of(R"({"a": [{"x": 1}, {"deep": {"k": 1, "l": [1, 2], "k": 2}}]})");
  expect_holds(error, "file.json: a[1].deep.k: ");
  expect_holds(error, "twice");
  expect_holds(error_of("{\"\\u0061\": 1, \"a\": 2}"), "file.json: a: ");
}

TEST(ParseStrict, AllowsTheSameKeyInDifferentObjects) {
  EXPECT_NO_THROW((void)parse_strict(R"({"a": {"k": 1}, "b": {"k": 1}, "k": [{"k": 1}, {"k": 2}]})", "f"));
}

TEST(ParseStrict, NamesLineAndColumn) {
  expect_holds(error_of("{\n  \"a\": 1,\n  \"b\": x\n}"), "file.json:3:8: not valid JSON");
  expect_holds(error_of("x"), "file.json:1:1: ");
  expect_holds(error_of("{} {}"), "file.json:1:4: ");
}

TEST(ParseStrict, TellsAnEmptyFileFromACutOne) {
  for (char const* text : {"", " ", "\n\n\t"}) {
    expect_holds(error_of(text), "file.json: is empty; ");
  }
  for (char const* text : {"{", "{\"a\"", "{\"a\":", "[1, 2", "[1,\n", "\"abc", "tru"}) {
    expect_holds(error_of(text), "cut off");
  }
  expect_holds(error_of("[1,\n2"), "file.json:2:2: ");
}

TEST(ParseStrict, RejectsWhatIsNotJson) {
  for (char const* text :
       {"{\"a\": NaN}", "[Infinity]", "[-Infinity]", "{a: 1}",        "[1,]",     "{\"a\": 1,}", "// c\n1",
        "/* c */ 1",    "[01]",       "[+1]",        "[1.]",          "[.5]",     "'a'",         "[1 2]",
        "{\"a\" 1}",    "\"a\nb\"",   "[\"\\x\"]",   "[\"\\ud800\"]", "\"\xff\"", "[1e999]",     "[-1e999]"}) {
    expect_holds(error_of(text), "not valid JSON");
  }
  expect_holds(error_of(std::string("[1,\0 2]", 7)), "not valid JSON");
}

TEST(ParseStrict, AByteOfValueZeroHidesNothingBehindIt) {
  expect_holds(error_of(std::string("{\"a\": 1}\n\0{\"a\": 2}", 18)),
               "file.json:2:1: not valid JSON: a byte of value 0");
  expect_holds(error_of(std::string("[1]\0", 4)), "file.json:1:4: not valid JSON");
}

TEST(ParseStrict, RefusesDeepNestingInsteadOfCrashing) {
  for (char const* opening : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 200000; ++i) {
      text += opening;
    }
    expect_holds(error_of(text), "nested deeper");
  }
  std::string const allowed = std::string(64, '[') + std::string(64, ']');
  EXPECT_NO_THROW((void)parse_strict(allowed, "f"));
  expect_holds(error_of("[" + allowed + "]"), "nested deeper");
}

TEST(ParseStrict, KeepsHostileTextOutOfMessages) {
  std::string const key(100000, 'k');
  expect_holds(error_of("{\"" + key + "\": 1, \"" + key + "\": 1}"), "kkk...");
  expect_holds(error_of("{\"a\\nb\": 1, \"a\\nb\": 1}"), "[\"a\\nb\"]");
  expect_holds(error_of("[" + key), "not valid JSON");
  expect_holds(error_of("[\"\x1b[31m\"]"), "not valid JSON");
}

}  // namespace
}  // namespace perfcheck::model
