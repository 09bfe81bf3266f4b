// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "scope_program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace perfcheck::cli::testing {

using nlohmann::json;

void ScopeTest::suites(std::map<std::string, std::string> const& bodies) const {
  std::string text = "[policy]\nmargin = 0.01\n";
  for (auto const& [name, body] : bodies) {
    text += fmt::format("[suites.{}.cpu]\n{}\n", name, body);
  }
  write("perfcheck.toml", text);
}

void ScopeTest::make(std::string const& name, std::string const& command, std::vector<std::string> args,
                     std::string const& worker_args) const {
  args.insert(args.end(), {"--out", name});
  std::filesystem::create_directories(file(name).parent_path());
  Finished const finished = measure(command, args, worker_args);
  ASSERT_THAT(finished.code, ::testing::AnyOf(0, 1)) << finished.err;
}

void ScopeTest::make_shards(std::vector<std::string> const& more) const {
  for (char const* shard : {"1/2", "2/2"}) {
    std::vector<std::string> args{"--shard", shard};
    args.insert(args.end(), more.begin(), more.end());
    make(fmt::format("shards/{}.run.json", shard[0]), "check", args);
  }
}

void ScopeTest::edit(std::string const& name, std::function<void(json&)> const& change) const {
  json run = json::parse(read(file(name)));
  change(run);
  write(name, run.dump());
}

void ScopeTest::take_from(json& sessions, Taken const& taken, std::optional<std::size_t> only) {
  std::size_t index = 0;
  for (json& session : sessions) {
    json kept = json::array();
    for (json const& one : session.at("cases")) {
      if ((only && *only != index) || !taken(one.at("id"))) {
        kept.push_back(one);
      }
    }
    session["cases"] = kept;
    ++index;
  }
}

void ScopeTest::take(std::string const& name, Taken const& taken, std::optional<std::size_t> only) const {
  edit(name, [&](json& run) { take_from(run.at("sessions"), taken, only); });
}

Finished ScopeTest::compare(std::string const& name, std::vector<std::string> const& more) const {
  std::vector<std::string> args{"compare", name, "--json"};
  args.insert(args.end(), more.begin(), more.end());
  return perfcheck(args);
}

Finished ScopeTest::merge(std::vector<std::string> const& more) const {
  std::vector<std::string> args{"merge", "shards", "--json"};
  args.insert(args.end(), more.begin(), more.end());
  return perfcheck(args);
}

void ScopeTest::expect_missing(Finished const& finished, Taken const& missing, std::string const& reason) {
  ASSERT_EQ(finished.code, 2) << finished.out << finished.err;
  json const result = finished.json();
  int found = 0;
  for (json const& one : result.at("cases")) {
    std::string const id = one.at("id");
    EXPECT_EQ(one.at("outcome"), missing(id) ? "missing" : "pass") << one;
    if (missing(id)) {
      ++found;
      EXPECT_THAT(one.at("reason").get<std::string>(), ::testing::HasSubstr(reason)) << id;
    }
  }
  EXPECT_GT(found, 0);
}

void ScopeTest::expect_pass(Finished const& finished, std::size_t cases) {
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  EXPECT_THAT(outcomes(finished.json()),
              ::testing::AllOf(::testing::SizeIs(cases), ::testing::Each(::testing::Pair(::testing::_, "pass"))));
}

}  // namespace perfcheck::cli::testing
