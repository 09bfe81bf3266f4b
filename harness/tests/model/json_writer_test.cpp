// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "errors.h"
#include "json_number.h"
#include "perfcheck/model/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace perfcheck::model {
namespace {

using nlohmann::json;

TEST(JsonWriter, SortsKeysAndKeepsColumnsOnOneLine) {
  json const value = {{"b", {1, 2.5, -3}},
                      {"a", {{"z", true}, {"y", nullptr}}},
                      {"c", json::array({json::object()})},
                      {"d", {"x", "y"}},
                      {"e", json::array()}};
  EXPECT_EQ(json_to_text(value), R"({
  "a": {
    "y": null,
    "z": true
  },
  "b": [1, 2.5, -3],
  "c": [
    {}
  ],
  "d": ["x", "y"],
  "e": []
}
)");
}

TEST(JsonWriter, BreaksLongListsOfTextsButNotColumnsOfNumbers) {
  std::vector<double> const column(100, 1234.5);
  EXPECT_EQ(json_to_text(json(column)).find('\n'), json_to_text(json(column)).size() - 1);
  std::vector<std::string> const texts(3, std::string(50, 'x'));
  std::string const line = "  \"" + std::string(50, 'x') + "\"";
  EXPECT_EQ(json_to_text(json(texts)), "[\n" + line + ",\n" + line + ",\n" + line + "\n]\n");
}

TEST(JsonWriter, KeepsNamedObjectsOnOneLine) {
  std::set<std::string> const names = {"row", "table"};
  json const value = {{"table", {{{"b", {1, 2}}, {"a", "x"}}, {{"c", json::array()}}}},
                      {"row", {{"d", 0.5}, {"e", {{"f", true}}}}},
                      {"other", {{"g", 1}}}};
  std::string const text = json_to_text(value, names);
  EXPECT_EQ(text, R"({
  "other": {
    "g": 1
  },
  "row": {"d": 0.5, "e": {"f": true}},
  "table": [
    {"a": "x", "b": [1, 2]},
    {"c": []}
  ]
}
)");
  EXPECT_EQ(json::parse(text), value);
  EXPECT_EQ(json_to_text({{"row", "text"}, {"table", json::array()}}, names),
            "{\n  \"row\": \"text\",\n  \"table\": []\n}\n");
  json const bad = {{"table", {{{"a", {0.5, std::numeric_limits<double>::infinity()}}}}}};
  expect_holds(format_error_of([&] { (void)json_to_text(bad, names); }), "table[0].a[1]");
}

TEST(JsonWriter, WritesNumbersShortAndExact) {
  std::vector<std::pair<json, std::string>> const table = {
      {18446744073709551615ULL, "18446744073709551615"},
      {INT64_MIN, "-9223372036854775808"},
      {123457000.0, "123457000"},
      {0.1, "0.1"},
      {1e-9, "1e-09"},
      {1e300, "1e+300"},
      {5.0, "5"},
  };
  for (auto const& [value, text] : table) {
    EXPECT_EQ(json_to_text(value), text + "\n");
    EXPECT_EQ(json::parse(text), value);
  }
}

TEST(JsonWriter, RefusesWhatJsonCannotHold) {
  for (double const bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    json const in_object = {{"rounds", {{"time_ns", {1.0, bad}}}}};
    expect_holds(format_error_of([&] { (void)json_to_text(in_object); }), "rounds.time_ns[1]");
    json const alone = {{"seconds", bad}};
    expect_holds(format_error_of([&] { (void)json_to_text(alone); }), "seconds");
  }
}

TEST(JsonWriter, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(json_to_text(json{{"a\xff", "b\xff"}}), "{\n  \"a\xEF\xBF\xBD\": \"b\xEF\xBF\xBD\"\n}\n");
}

TEST(Rounded, KeepsSoManyDigits) {
  EXPECT_EQ(rounded(123456.78, 6), 123457);
  EXPECT_EQ(rounded(-0.00123456789, 6), -0.00123457);
  EXPECT_EQ(rounded(17.51234567, 7), 17.51235);
  EXPECT_EQ(rounded(0.9999996, 6), 1);
  EXPECT_EQ(rounded(std::numeric_limits<double>::max(), 3), std::numeric_limits<double>::max());
  EXPECT_FALSE(std::signbit(rounded(-0.0, 6)));
  EXPECT_TRUE(std::isnan(rounded(std::numeric_limits<double>::quiet_NaN(), 6)));
}

TEST(Rounded, TwiceIsOnceAndNeverFar) {
  std::mt19937_64 random(20261121);
  for (int i = 0; i < 20000; ++i) {
    double const value = std::ldexp(1.0 + static_cast<double>(random() >> 11) / 9007199254740992.0,
                                    static_cast<int>(random() % 2000) - 1000);
    double const once = rounded(value, 6);
    ASSERT_EQ(rounded(once, 6), once) << value;
    ASSERT_LE(std::abs(once - value), 5.000001e-6 * value) << value;
  }
}

TEST(CountJson, KeepsAllDigitsOfWholeNumbers) {
  EXPECT_EQ(count_json(2.0 * 8192 * 8192 * 8192).dump(), "1099511627776");
  EXPECT_EQ(count_json(-0.0).dump(), "0");
  EXPECT_EQ(count_json(9007199254740992.0).dump(), "9007199254740992");
  EXPECT_EQ(count_json(1e300), 1e300);
  EXPECT_EQ(count_json(1234567.8), 1234570.0);
}

}  // namespace
}  // namespace perfcheck::model
