// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Results of other benchmark programs in baseline accept and compare.
#include "program.h"

#include "perfcheck/session/child_process.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace perfcheck::cli::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char const* kProgram = "perfcheck_google_benchmark_example";
constexpr char const* kTold = "/told@10,iterations:10,manual_time";
constexpr char const* kMore = "/told/more@us:300,iterations:10,manual_time";

class Import : public ProgramTest {
 protected:
  /// Google Benchmark's example file with every time multiplied by `factor`, as a session of its own. Sessions differ
  /// by some hundredths of a percent.
  json session_of(double factor, int number) const {
    std::ifstream stream(PERFCHECK_GOOGLE_BENCHMARK_EXAMPLE);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    // The file holds NaN, which only the importer can read.
    for (std::size_t nan = text.find("NaN"); nan != std::string::npos; nan = text.find("NaN")) {
      text.replace(nan, 3, "0");
    }
    json document = json::parse(text);
    document["context"]["date"] = fmt::format("2026-11-22T08:{:02}:00+00:00", number);
    json kept = json::array();
    for (json& entry : document["benchmarks"]) {
      if (!entry.contains("error_occurred")) {
        for (char const* const time : {"real_time", "cpu_time"}) {
          entry[time] = entry[time].get<double>() * factor * (1 + 0.0002 * (number % 10));
        }
        kept.push_back(entry);
      }
    }
    document["benchmarks"] = kept;
    return document;
  }

  /// Writes four such sessions into a folder, numbered from `first` on.
  std::string sessions(std::string const& folder, double factor, int first) const {
    for (int i = first; i < first + 4; ++i) {
      write(fmt::format("{}/{}.json", folder, i), session_of(factor, i).dump(2));
    }
    return file(folder).string();
  }
  std::string nvbench_sessions(std::string const& folder, double factor, int first) const {
    for (int i = first; i < first + 4; ++i) {
      write(fmt::format("{}/{}.json", folder, i), nvbench_session_of(factor, i).dump(2));
    }
    return file(folder).string();
  }

  /// The same with NVBench's example file. It has no date, so only the times distinguish the sessions.
  json nvbench_session_of(double factor, int number) const {
    std::ifstream stream(PERFCHECK_NVBENCH_EXAMPLE);
    json document = json::parse(stream);
    for (json& benchmark : document["benchmarks"]) {
      for (json& state : benchmark["states"]) {
        for (json& summary : state["summaries"]) {
          if (summary["tag"].get<std::string>().starts_with("nv/cold/time/gpu/m")) {  // mean, median
            json& value = summary["data"][0]["value"];
            value = fmt::format("{}", std::stod(value.get<std::string>()) * factor * (1 + 0.001 * number / 40));
          }
        }
      }
    }
    return document;
  }

  Finished accept(std::vector<std::string> args) const {
    args.insert(args.begin(), {"baseline", "accept", "--who", "tester", "--why", "because"});
    return perfcheck(args);
  }
  Finished compare(std::vector<std::string> args) const {
    args.insert(args.begin(), "compare");
    args.push_back("--json");
    return perfcheck(args);
  }
  static std::string notes(Finished const& finished) { return finished.json().at("notes").dump(); }
};

TEST_F(Import, EqualDataPassesWithoutPretendingToBeVerified) {
  Finished const accepted = accept({sessions("base", 1, 1)});
  ASSERT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_THAT(accepted.out, HasSubstr("6 cases from 4 sessions accepted by tester"));
  EXPECT_THAT(accepted.out, HasSubstr("2-cpus-32-mib-l3/gbench.json"));
  EXPECT_THAT(accepted.err, HasSubstr("nobody verified"));
  Finished const compared = compare({sessions("new", 1, 11)});
  EXPECT_EQ(compared.code, 0) << compared.out << compared.err;
  EXPECT_EQ(compared.json().at("counts"), (json{{"pass", 6}}));
  EXPECT_THAT(notes(compared), HasSubstr("imported from Google Benchmark: nobody verified"));
  auto const cases = compared.json().at("cases");  // a copy: a loop over part of a temporary would dangle
  for (json const& entry : cases) {
    EXPECT_EQ(entry.at("decided_by"), "time");
  }
}

TEST_F(Import, ASlowerCopyIsARegressionOnASharedCpuToo) {
  for (char const* const policy :
       {"margin = 0.01", "margin = 0.01\nshared_device = true\ndemote = [\"inconclusive\"]"}) {
    write("perfcheck.toml", fmt::format("[policy.cpu]\n{}\n", policy));
    std::filesystem::remove_all(file("baselines"));
    ASSERT_EQ(accept({sessions("base", 1, 1)}).code, 0);
    Finished const slower = compare({sessions("slow", 1.2, 11)});
    EXPECT_EQ(slower.code, 1) << slower.out << slower.err;
    EXPECT_EQ(slower.json().at("counts"), (json{{"regressed", 6}}));
    Finished const faster = compare({sessions("fast", 0.8, 21)});
    EXPECT_EQ(faster.code, 0) << faster.out << faster.err;
    EXPECT_EQ(faster.json().at("counts"), (json{{"improved", 6}}));
    EXPECT_EQ(compare({file("base").string(), file("slow").string()}).code, 1);
  }
}

TEST_F(Import, ABenchmarkThatVanishedIsMissing) {
  ASSERT_EQ(accept({sessions("base", 1, 1)}).code, 0);
  for (int i = 11; i < 15; ++i) {
    json document = session_of(1, i);
    json kept = json::array();
    for (json const& entry : document["benchmarks"]) {
      if (!entry["run_name"].get<std::string>().starts_with("told/more")) {
        kept.push_back(entry);
      }
    }
    document["benchmarks"] = kept;
    write(fmt::format("new/{}.json", i), document.dump());
  }
  for (std::vector<std::string> const& what :
       {std::vector{file("new").string()}, std::vector{file("base").string(), file("new").string()}}) {
    Finished const finished = compare(what);
    EXPECT_EQ(finished.code, 2) << finished.out;
    // No other benchmark has the missing one's arguments.
    EXPECT_EQ(outcomes(finished.json()).at(std::string(kProgram) + kMore), "missing");
    EXPECT_EQ(outcomes(finished.json()).at(std::string(kProgram) + kTold), "pass");
  }
}

TEST_F(Import, CasesOfAnotherProgramAreNotMissed) {
  ASSERT_EQ(accept({sessions("base", 1, 1)}).code, 0);
  for (int i = 11; i < 15; ++i) {
    json document = session_of(1.3, i);  // equal numbers would look like a renamed program
    document["context"]["executable"] = "/ci/other";
    write(fmt::format("other/{}.json", i), document.dump());
  }
  Finished const unknown = compare({file("other").string()});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_EQ(unknown.json().at("counts"), (json{{"no_baseline", 6}}));
  Finished const added = accept({file("other").string()});
  ASSERT_EQ(added.code, 0) << added.err;
  EXPECT_EQ(compare({sessions("new", 1, 21)}).json().at("counts"), (json{{"pass", 6}}));
}

TEST_F(Import, OneSessionThatLooksSlowerSaysThatItConfirmsNothing) {
  write("perfcheck.toml", "[policy.cpu]\nmargin = 0.01\ndemote = [\"inconclusive\"]\n");
  ASSERT_EQ(accept({sessions("base", 1, 1)}).code, 0);
  write("slow.json", session_of(1.2, 11).dump());
  Finished const finished = compare({file("slow.json").string()});
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.json().at("counts"), (json{{"inconclusive", 6}}));
  EXPECT_THAT(notes(finished), HasSubstr("6 of 6 cases may have changed, and one session cannot confirm it"));
  EXPECT_THAT(notes(compare({file("base/1.json").string(), file("slow.json").string()})),
              HasSubstr("6 of 6 cases have too few sessions to compare with"));
}

TEST_F(Import, TheSameFileTwiceIsOneSession) {
  std::string const base = sessions("base", 1, 1);
  ASSERT_EQ(accept({base}).code, 0);
  EXPECT_THAT(accept({file("base/1.json").string()}).err, HasSubstr("is in the baseline already"));
  write("new/a.json", session_of(1, 11).dump());
  write("new/b.json", session_of(1, 11).dump());
  EXPECT_THAT(accept({file("new").string()}).err, HasSubstr("given twice"));
  Finished const compared = compare({file("new").string()});
  EXPECT_EQ(compared.code, 64);
  EXPECT_THAT(compared.err, HasSubstr("is in two of its files; remove one"));
}

TEST_F(Import, AFolderHoldsSessionsOfOneMeasurement) {
  sessions("base", 1, 1);
  json other = session_of(1, 11);
  other["context"]["num_cpus"] = 64;
  write("base/other.json", other.dump());
  Finished const mixed = compare({file("base").string(), file("base").string()});
  EXPECT_EQ(mixed.code, 64);
  EXPECT_THAT(mixed.err, HasSubstr("device is \"2-cpus-32-mib-l3 \" in one and \"64-cpus-32-mib-l3 \" in another"));
  std::filesystem::create_directory(file("empty"));
  EXPECT_THAT(compare({file("empty").string()}).err, HasSubstr("holds no .json file"));
  write("base/other.json", "{}");
  Finished const unknown = compare({file("base").string()});
  EXPECT_EQ(unknown.code, 74);
  EXPECT_THAT(unknown.err, HasSubstr("other.json: is none of the files that are read here"));
}

TEST_F(Import, AFolderOfOwnRunFilesIsOneRunOfTheirSessions) {
  for (char const* const name :
       {"base/1.json", "base/2.json", "base/3.json", "new/1.json", "new/2.json", "new/3.json"}) {
    std::filesystem::create_directories(file(name).parent_path());
    ASSERT_EQ(measure("run", {"--out", file(name).string()}).code, 0);
  }
  Finished const finished = compare({file("base").string(), file("new").string()});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  EXPECT_EQ(finished.json().at("run").at("sessions"), 3);
  EXPECT_THAT(notes(finished), Not(HasSubstr("imported")));
}

TEST_F(Import, WhatWasImportedStandsInHistoryAndReport) {
  for (int i = 0; i < 3; ++i) {
    std::string const folder = fmt::format("run-{}", i);
    Finished const added = perfcheck({"history", "import", "--history", "h.sqlite", sessions(folder, 1, 1 + 10 * i)});
    ASSERT_EQ(added.code, 0) << added.err;
  }
  std::string const told = std::string(kProgram) + kTold;
  json const shown =
      perfcheck({"history", "show", "--history", "h.sqlite", "--filter", "*/told*", "--json"}).json().at("cases");
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_THAT(shown.dump(), HasSubstr(told));
  for (json const& one : shown) {
    ASSERT_EQ(one.at("results").size(), 3U);
    EXPECT_EQ(one.at("results")[0].at("status"), "measured");
    EXPECT_FALSE(one.at("results")[0].contains("ratio")) << "imported cases have no reference, so no ratio";
  }
  Finished const report = perfcheck({"report", "--history", "h.sqlite", "--svg", "pictures", "--filter", told});
  ASSERT_EQ(report.code, 0) << report.err;
  EXPECT_THAT(read(file("pictures/2-cpus-32-mib-l3-gbench-trend.svg")), HasSubstr("/told@10"));
}

TEST_F(Import, TheDeviceCanBeNamed) {
  Finished const accepted = accept({sessions("base", 1, 1), "--device-name", "Build server"});
  ASSERT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_THAT(accepted.out, HasSubstr("build-server/gbench.json"));
  EXPECT_THAT(accepted.err, Not(HasSubstr("does not name the processor")));
  EXPECT_EQ(compare({sessions("new", 1, 11), "--device-name", "Build server"}).code, 0);
  EXPECT_EQ(compare({file("new").string()}).code, 3);
}

std::string bytes_of(std::vector<float> const& values) {
  return {reinterpret_cast<char const*>(values.data()), sizeof(float) * values.size()};
}

json nvbench_state(int device, std::string const& side_file) {
  json const mean = {{"tag", "nv/cold/time/gpu/mean"},
                     {"data", {{{"name", "value"}, {"type", "float64"}, {"value", "0.5"}}}}};
  json const samples = {{"tag", "nv/json/bin:nv/cold/sample_times"},
                        {"data",
                         {{{"name", "filename"}, {"type", "string"}, {"value", side_file}},
                          {{"name", "size"}, {"type", "int64"}, {"value", "3"}}}}};
  return {{"device", device}, {"axis_values", nullptr}, {"is_skipped", false}, {"summaries", {mean, samples}}};
}

json nvbench(std::vector<json> const& states) {
  return {{"meta", {{"argv", {"bench"}}, {"version", {{"json", {{"major", 1}}}, {"nvbench", {{"string", "0.1.0"}}}}}}},
          {"devices", {{{"id", 0}, {"name", "GPU A"}}, {{"id", 1}, {"name", "GPU B"}}}},
          {"benchmarks", {{{"name", "copy"}, {"states", states}}}}};
}

TEST_F(Import, SamplesOfNVBenchAreReadFromBesideTheFile) {
  write("here/a.json-bin/0.bin", bytes_of({1e-3F, 2e-3F, 3e-3F}));
  write("here/a.json", nvbench({nvbench_state(0, "where/it/ran/a.json-bin/0.bin")}).dump());
  ASSERT_EQ(accept({file("here/a.json").string()}).code, 0);
  json const stored = json::parse(read(file("baselines/gpu-a/nvbench.json")));
  EXPECT_NEAR(stored.at("cases").at("bench/copy@default").at("time_ns").at(0).get<double>(), 2e6, 1);
  EXPECT_THAT(stored.at("sessions").at(0).at("started").get<std::string>(),
              ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
  for (char const* const bad : {"b.json-bin/0.bin", "0.bin", "../a.json-bin/..", "/etc/passwd", "../0.bin", ""}) {
    write("here/bad.json", nvbench({nvbench_state(0, bad)}).dump());
    Finished const refused = accept({file("here/bad.json").string()});
    EXPECT_EQ(refused.code, 74) << bad;
    EXPECT_THAT(refused.err, HasSubstr("cannot be read; keep it beside this file")) << bad;
  }
}

// The file that make_example.py wrote with NVBench on an H100.
TEST_F(Import, WhatNVBenchMeasuredIsGated) {
  Finished const accepted = accept({nvbench_sessions("base", 1, 1)});
  ASSERT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_THAT(accepted.out, HasSubstr("5 cases from 4 sessions accepted by tester"));
  EXPECT_THAT(accepted.out, HasSubstr("nvidia-h100-80gb-hbm3/nvbench.json"));
  Finished const same = compare({nvbench_sessions("same", 1, 11)});
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_EQ(same.json().at("counts"), (json{{"pass", 5}, {"skipped", 1}}));
  EXPECT_THAT(notes(same), HasSubstr("imported from NVBench 0.1.0: nobody verified"));
  Finished const slower = compare({nvbench_sessions("slow", 1.1, 21)});
  EXPECT_EQ(slower.code, 1) << slower.out << slower.err;
  EXPECT_EQ(slower.json().at("counts"), (json{{"regressed", 5}, {"skipped", 1}}));
  EXPECT_EQ(outcomes(slower.json()).at("make_example.py/copy@Direction=back,MiB=16"), "regressed");
  EXPECT_EQ(compare({file("base").string(), file("slow").string()}).code, 1);
  Finished const faster = compare({nvbench_sessions("fast", 0.9, 31)});
  EXPECT_EQ(faster.code, 0);
  EXPECT_EQ(faster.json().at("counts"), (json{{"improved", 5}, {"skipped", 1}}));
}

TEST_F(Import, WhatNVBenchMeasuredStandsInHistoryAndReport) {
  for (int i = 0; i < 3; ++i) {
    std::string const folder = fmt::format("run-{}", i);
    Finished const added =
        perfcheck({"history", "import", "--history", "h.sqlite", nvbench_sessions(folder, 1, 1 + 10 * i)});
    ASSERT_EQ(added.code, 0) << added.err;
  }
  std::string const copy = "make_example.py/copy@Direction=there,MiB=16";
  json const shown =
      perfcheck({"history", "show", "--history", "h.sqlite", "--filter", copy, "--json"}).json().at("cases");
  ASSERT_EQ(shown.size(), 1U);
  ASSERT_EQ(shown[0].at("results").size(), 3U);
  for (json const& result : shown[0].at("results")) {
    EXPECT_NEAR(result.at("time_ns").get<double>(), 16064, 20) << "the median that NVBench printed";
  }
  Finished const report = perfcheck({"report", "--history", "h.sqlite", "--svg", "pictures", "--filter", copy});
  ASSERT_EQ(report.code, 0) << report.err;
  std::string const picture = read(file("pictures/nvidia-h100-80gb-hbm3-nvbench-trend.svg"));
  EXPECT_THAT(picture, HasSubstr("copy@Direction=there,MiB=16"));
  ASSERT_EQ(perfcheck({"report", "--history", "h.sqlite", "--out", "page.html"}).code, 0);
  EXPECT_THAT(read(file("page.html")), HasSubstr("perfcheckChunk"));
}

TEST_F(Import, OneOfSeveralDevicesIsTaken) {
  write("a.json-bin/0.bin", bytes_of({1e-3F, 2e-3F, 3e-3F}));
  write("a.json", nvbench({nvbench_state(0, "a.json-bin/0.bin"), nvbench_state(1, "a.json-bin/0.bin")}).dump());
  EXPECT_THAT(accept({file("a.json").string()}).err, HasSubstr("say which with --device"));
  ASSERT_EQ(accept({file("a.json").string(), "--device", "1"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(file("baselines/gpu-b/nvbench.json")));
}

#ifdef PERFCHECK_GOOGLE_BENCHMARK_PROGRAM
TEST_F(Import, WhatARealProgramMeasuresIsGated) {
  auto const measured = [this](std::string const& name, std::string const& environment) {
    write(name, "");
    std::string const command =
        fmt::format("{} exec {} --benchmark_repetitions=3 --benchmark_out_format=json --benchmark_out='{}' >&2",
                    environment, PERFCHECK_GOOGLE_BENCHMARK_PROGRAM, file(name).string());
    session::ChildProcess process({"/bin/sh", "-c", command});
    process.close_input();
    session::ExitState const state = process.wait_or_kill(session::deadline_after(60));
    EXPECT_TRUE(!state.signalled && state.code == 0) << process.error_tail();
  };
  for (int i = 0; i < 3; ++i) {
    measured(fmt::format("base/{}.json", i), "");
    measured(fmt::format("same/{}.json", i), "");
    measured(fmt::format("slow/{}.json", i), "PERFCHECK_EXAMPLE_FACTOR=1.2");
    measured(fmt::format("less/{}.json", i), "PERFCHECK_EXAMPLE_LEAVE_OUT=1");
  }
  measured("wrong/1.json", "PERFCHECK_EXAMPLE_REFUSE=1");
  // On a busy machine some measured times are outliers. Half of the cases report fixed times, equal in every session;
  // if a measured case happens to repeat its time, too, most of a session looks copied.
  std::vector<std::string> base{file("base").string()};
  Finished accepted = accept(base);
  for (char const* const finding : {"duplicate:", "outlier:"}) {
    if (accepted.code == 0 || accepted.err.find(finding) == std::string::npos) continue;
    base.insert(base.end(), {"--despite", std::string(finding) + "*", "neighbours, and what is told"});
    accepted = accept(base);
  }
  ASSERT_EQ(accepted.code, 0) << accepted.err;
  // On a busy machine, only the fixed times are reproducible.
  auto const told = [this](char const* folder) { return compare({file(folder).string(), "--filter", "*/told*"}); };
  EXPECT_EQ(told("same").code, 0) << told("same").out;
  EXPECT_EQ(told("slow").code, 1) << told("slow").out;
  EXPECT_EQ(told("slow").json().at("counts"), (json{{"regressed", 3}}));
  EXPECT_EQ(told("less").code, 2);
  EXPECT_EQ(told("less").json().at("counts"), (json{{"pass", 2}, {"missing", 1}}));
  Finished const wrong = compare({file("wrong").string()});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(outcomes(wrong.json()).at(std::string(kProgram) + "/refuses@default"), "failed");
  EXPECT_THAT(accept({file("wrong").string()}).err, HasSubstr("refuses@default is failed"));
}
#else
TEST_F(Import, WhatARealProgramMeasuresIsGated) {
  GTEST_SKIP() << "Google Benchmark's library is not installed (Debian: libbenchmark-dev)";
}
#endif

}  // namespace
}  // namespace perfcheck::cli::testing
