// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "file.h"

#include <perfcheck/model/json.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <limits>
#include <set>

namespace perfcheck::energy {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Session session() {
  Pair const first = {.kernel = {.joules = 1.2, .watts = 700, .time_ns = 1714285.7, .clock_mhz = 1450},
                      .reference = {.joules = 1.25, .watts = 695.5, .time_ns = 1.8e6, .clock_mhz = 1400}};
  Pair second = first;
  second.kernel.joules = 1.3;
  return {.started = "2026-01-02T03:04:05Z",
          .device = "Made-up GPU",
          .driver = "580.1",
          .power_limit_w = 700,
          .block_seconds = 5,
          .cases = {{.kernel = "gemm/wgmma/ring_f16",
                     .reference = "gemm/cublas/f16",
                     .problem = "f16.f32,nt,m64n64k64",
                     .pairs = {first, second}}}};
}

std::set<std::string> keys(json const& object) {
  std::set<std::string> found;
  for (auto const& item : object.items()) found.insert(item.key());
  return found;
}

/// Whether an object has what its schema requires, and nothing that the schema lacks.
void expect_keys(json const& object, json const& schema) {
  std::set<std::string> const allowed = keys(schema.at("properties"));
  for (json const& key : schema.at("required")) EXPECT_TRUE(object.contains(key.get<std::string>())) << key;
  for (std::string const& key : keys(object)) EXPECT_TRUE(allowed.contains(key)) << key;
}

TEST(EnergyFile, HoldsEveryBlockInColumns) {
  json const file = json::parse(file_text(session()));
  EXPECT_EQ(file.at("schema"), "perfcheck.energy/1");
  json const& one = file.at("cases").at(0);
  EXPECT_EQ(one.at("of_kernel").at("joules"), (json{1.2, 1.3}));
  EXPECT_EQ(one.at("of_reference").at("joules"), (json{1.25, 1.25}));
  EXPECT_EQ(one.at("of_reference").at("watts"), (json{695.5, 695.5}));
  EXPECT_EQ(one.at("of_kernel").at("time_ns"), (json{1714290, 1714290}));
  EXPECT_EQ(one.at("of_kernel").at("clock_mhz"), (json{1450, 1450}));
}

TEST(EnergyFile, HasTheKeysOfItsSchema) {
  std::ifstream stream(std::string(PERFCHECK_SCHEMA_DIR) + "/energy.schema.json");
  json const schema = json::parse(stream);
  json const file = json::parse(file_text(session()));
  EXPECT_EQ(schema.at("properties").at("schema").at("const"), file.at("schema"));
  expect_keys(file, schema);
  json const& one = file.at("cases").at(0);
  expect_keys(one, schema.at("$defs").at("case"));
  expect_keys(one.at("of_kernel"), schema.at("$defs").at("blocks"));
  expect_keys(one.at("of_reference"), schema.at("$defs").at("blocks"));
  EXPECT_EQ(keys(file), keys(schema.at("properties"))) << "a key of the schema is never written";
}

TEST(EnergyFile, UnknownClocksAndLimitsAreLeftOut) {
  Session unknown = session();
  unknown.power_limit_w = 0;
  unknown.cases[0].pairs[1].kernel.clock_mhz = 0;
  std::string const text = file_text(unknown);
  EXPECT_THAT(text, Not(HasSubstr("power_limit_w")));
  EXPECT_THAT(text, Not(HasSubstr("clock_mhz")));
  EXPECT_THAT(line_of(unknown.cases[0]), Not(HasSubstr("SM clock")));
}

TEST(EnergyFile, NaNIsRefused) {
  Session bad = session();
  bad.cases[0].pairs[0].kernel.joules = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)file_text(bad), model::FormatError);
}

TEST(EnergyLine, SaysJoulesRatioPowerTimeAndClock) {
  EXPECT_EQ(
      line_of(session().cases[0]),
      "gemm/wgmma/ring_f16@f16.f32,nt,m64n64k64: 1.250 J per launch, 100.0 % of gemm/cublas/f16's 1.250 J; 700 W (696 "
      "W), 1714.29 us (1800.00 us), SM clock 1450 MHz (1400 MHz)");
}

TEST(EnergyLine, SmallEnergiesAreInMillijoules) {
  Session small = session();
  for (Pair& pair : small.cases[0].pairs) pair.kernel.joules = 0.0123456;
  EXPECT_THAT(line_of(small.cases[0]), HasSubstr("12.35 mJ per launch"));
}

}  // namespace
}  // namespace perfcheck::energy
