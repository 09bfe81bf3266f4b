// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Malformed files: each kind of defect by name, and files cut off anywhere.
#include "errors.h"
#include "perfcheck/model/json.h"
#include "samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace perfcheck::model {
namespace {

using nlohmann::json;

json valid_run() { return json::parse(run_to_text(samples::complete_run())); }
json valid_baseline() { return json::parse(baseline_to_text(samples::complete_baseline())); }

void read_run(std::string const& text) { (void)run_from_text(text, "run.json"); }
void read_baseline(std::string const& text) { (void)baseline_from_text(text, "base.json"); }

/// One change to a valid file, as a JSON patch operation, and what the error must say.
struct Defect {
  char const* operation;
  char const* pointer;
  json value;
  char const* place;
  char const* problem;
};

void expect_each_is_refused(json const& valid, std::vector<Defect> const& defects, char const* origin,
                            void (*read)(std::string const&)) {
  ASSERT_NO_THROW(read(valid.dump()));
  for (Defect const& defect : defects) {
    SCOPED_TRACE(std::string(defect.operation) + " " + defect.pointer + " " + defect.value.dump());
    json const patched =
        valid.patch(json::array({{{"op", defect.operation}, {"path", defect.pointer}, {"value", defect.value}}}));
    std::string const error = format_error_of([&] { read(patched.dump()); });
    expect_holds(error, std::string(origin) + ": " + defect.place + ": ");
    expect_holds(error, defect.problem);
  }
}

constexpr char const* kNaive = "/sessions/0/cases/0";

TEST(MalformedRun, IsRefusedWithItsPlace) {
  std::vector<Defect> const defects = {
      {"remove", "/schema", {}, "schema", "is missing, so this is not a perfcheck.run/4 file"},
      {"replace", "/schema", "perfcheck.run/5", "schema",
       "this perfcheck reads perfcheck.run/4, perfcheck.run/3, perfcheck.run/2 and perfcheck.run/1; use"},
      {"replace", "/schema", "perfcheck.baseline/1", "schema", "a perfcheck.run/4 file is wanted"},
      {"replace", "/schema", 1, "schema", "must be text"},
      {"replace", "/id", "", "id", "must not be empty"},
      {"replace", "/seconds", -1, "seconds", "at least 0"},
      {"add", "/sutie", "x", "sutie", "did you mean \"suite\"?"},
      {"replace", "/filters", "x", "filters", "must be an array"},
      {"replace", "/filters/0", 1, "filters[0]", "must be text"},
      {"replace", "/source/dirty", "no", "source.dirty", "true or false"},
      {"replace", "/worker/operation", "../x", "worker.operation", "lower-case"},
      {"replace", "/worker/operations/1", "../x", "worker.operations", "lower-case"},
      {"replace", "/worker/operations", json::array({"gemm"}), "worker.operations", "name at least one more"},
      {"replace", "/worker/operations", {"softmax", "gemm"}, "worker.operations", "must begin with \"operation\""},
      {"replace", "/worker/operations", {"gemm", "a", "a"}, "worker.operations", "names one twice"},
      {"replace", "/problems/1/text", "f32,nn,m512n512k512", "problems[1].text", "is listed twice; leave one out"},
      {"replace", "/problems/0/axes", json::array(), "problems[0].axes", "leave out a problem without axes"},
      {"replace", "/problems/0/axes/1/name", "types", "problems[0].axes[1].name", "is an axis already; rename"},
      {"replace", "/problems/0/axes/0/value", "", "problems[0].axes[0].value", "must not be empty"},
      {"replace", "/problems/0/axes/0/value", nullptr, "problems[0].axes[0].value", "finite number"},
      {"add", "/problems/0/axes/0/unit", "ns", "problems[0].axes[0].unit", "unknown key"},
      {"add", "/worker/build/cuda", "13", "worker.build.cuda", "unknown key"},
      {"replace", "/kernels/1/id", "gemm/simt/naive", "kernels[1].id", "already the id of kernels[0]"},
      {"replace", "/kernels/1/unavailable", "refuse", "kernels[1].unavailable", "did you mean \"refused\"?"},
      {"remove", "/kernels/1/reason", {}, "kernels[1].reason", "exactly when"},
      {"replace", "/shard/count", 2147483647, "shard.count", "from 1 to 10000"},
      {"replace", "/sessions/1/id", "s1", "sessions[1].id", "already the id of sessions[0]"},
      {"replace", "/sessions/0/purpose", "test", "sessions[0].purpose", "valid are screen, confirm, baseline"},
      {"replace", "/sessions/0/seed", -1, "sessions[0].seed", "whole number"},
      {"replace", "/sessions/0/seed", 1.5, "sessions[0].seed", "whole number"},
      {"replace", "/sessions/0/device/slug", "../../etc", "sessions[0].device.slug", "dashes only"},
      {"replace", "/sessions/0/device/peak_tflops/f32", 0, "sessions[0].device.peak_tflops.f32", "greater than 0"},
      {"replace", "/sessions/0/device/peak_gb_s", nullptr, "sessions[0].device.peak_gb_s", "but is null"},
      {"replace", "/sessions/0/device/peak_cache_gb_s", -1, "sessions[0].device.peak_cache_gb_s", "at least 0"},
      {"replace", "/sessions/0/device/empty_launch_ns", "1", "sessions[0].device.empty_launch_ns", "finite number"},
      {"replace", "/kernels/0/executes", "", "kernels[0].executes", "must not be empty"},
      {"replace", "/kernels/0/work_share", 0, "kernels[0].work_share", "greater than 0"},
      {"replace", "/sessions/0/environment/libraries/cublas", 13, "sessions[0].environment.libraries.cublas", "text"},
      {"replace", "/sessions/0/environment/warnings", {}, "sessions[0].environment.warnings", "must be an array"},
      {"replace", "/sessions/0/cases/1/id", "gemm/simt/naive@f32,nn,m512n512k512", "sessions[0].cases[1].id",
       "already the id of sessions[0].cases[0]"},
  };
  expect_each_is_refused(valid_run(), defects, "run.json", read_run);
}

TEST(MalformedCase, IsRefusedWithItsPlace) {
  // Paths relative to the measured case.
  std::vector<std::tuple<char const*, std::string, json, std::string, char const*>> const table = {
      {"replace", "/id", "naive", "id", "kernel@problem"},
      {"replace", "/id", "@f32", "id", "kernel@problem"},
      {"replace", "/reference", "", "reference", "kernel@problem"},
      {"replace", "/status", "mesured", "status", "did you mean \"measured\"?"},
      {"replace", "/status", "crashed", "rounds", "must not be given for a case that is crashed"},
      {"remove", "/rounds", {}, "rounds", "missing in a measured case"},
      {"remove", "/verification", {}, "verification", "a wrong kernel has no time"},
      {"replace", "/verification/passed", false, "verification.passed", "every check passed"},
      {"replace", "/verification/checks", json::array(), "verification.passed", "there is none"},
      {"replace", "/verification/checks/0/passed", false, "verification.passed", "not every check passed"},
      {"replace", "/verification/checks/0/error_over_bound", -1, "verification.checks[0].error_over_bound", "at least"},
      {"replace", "/rounds/time_ns", json::array(), "rounds.time_ns", "is empty"},
      {"replace", "/rounds/time_ns/1", 0, "rounds.time_ns[1]", "greater than 0"},
      {"replace", "/rounds/time_ns/2", -5, "rounds.time_ns[2]", "greater than 0"},
      {"replace", "/rounds/time_ns/0", nullptr, "rounds.time_ns[0]", "but is null"},
      {"remove", "/rounds/reference_time_ns/0", {}, "rounds.reference_time_ns", "has 2 values but time_ns has 3"},
      {"add", "/rounds/clock_mhz/-", 1, "rounds.clock_mhz", "has 4 values but time_ns has 3"},
      {"replace", "/rounds/clock_mhz", json::array(), "rounds.clock_mhz", "has 0 values"},
      {"replace", "/rounds/reference_clock_mhz/0", "fast", "rounds.reference_clock_mhz[0]", "the text \"fast\""},
      {"replace", "/rounds/launches", 0, "rounds.launches", "from 1"},
      {"add", "/rounds/tme_ns", json::array(), "rounds.tme_ns", "did you mean \"time_ns\"?"},
      {"add", "/skip_reason", "refused", "skip_reason", "must not be given"},
      {"replace", "/launches/0/grid", {1, 2}, "launches[0].grid", "three positive whole numbers"},
      {"replace", "/launches/0/grid/0", 1.5, "launches[0].grid", "three positive whole numbers"},
      {"replace", "/launches/0/grid/0", 1e300, "launches[0].grid", "three positive whole numbers"},
      {"replace", "/launches/0/block/2", 0, "launches[0].block[2]", "greater than 0"},
      {"replace", "/launches/0/occupancy", 1.01, "launches[0].occupancy", "from 0 to 1"},
      {"replace", "/launches/0/registers", -1, "launches[0].registers", "whole number"},
      {"replace", "/work/flop", -1, "work.flop", "at least 0"},
      {"replace", "/proof/replays", -1, "proof.replays", "whole number"},
      {"replace", "/proof/replays", 2, "proof.compared", "not be larger than replays"},
      {"replace", "/proof/compared", 1.5, "proof.compared", "whole number"},
      {"replace", "/proof/outputs_compared", 2, "proof.outputs_compared", "not be smaller than compared"},
      {"replace", "/proof/clock_deviation", -0.1, "proof.clock_deviation", "at least 0"},
      {"replace", "/proof/clock_deviation", nullptr, "proof.clock_deviation", "but is null"},
      {"remove", "/proof/replays", {}, "proof.replays", "is missing"},
      {"add", "/proof/compare", 1, "proof.compare", "did you mean \"compared\"?"},
      {"replace", "/state/other_processes", 1.5, "state.other_processes", "whole number"},
      {"replace", "/state/throttle_reasons", nullptr, "state.throttle_reasons", "must be an array"},
      {"replace", "/injected_percent", -3, "injected_percent", "at least 0"},
      {"add", "/device_seconds", -0.1, "device_seconds", "at least 0"},
      {"replace", "/seconds", "1", "seconds", "finite number"},
  };
  std::vector<Defect> defects;
  std::vector<std::string> texts;  // owns the strings that the defects point to
  texts.reserve(2 * table.size());
  for (auto const& [operation, pointer, value, place, problem] : table) {
    texts.push_back(kNaive + pointer);
    texts.push_back("sessions[0].cases[0]." + place);
    defects.push_back({operation, texts[texts.size() - 2].c_str(), value, texts.back().c_str(), problem});
  }
  expect_each_is_refused(valid_run(), defects, "run.json", read_run);
}

TEST(MalformedCase, ThatWasNotMeasuredMustSayWhy) {
  std::vector<Defect> const defects = {
      {"remove", "/sessions/0/cases/2/verification", {}, "sessions[0].cases[2].verification", "must be given"},
      {"remove", "/sessions/0/cases/3/message", {}, "sessions[0].cases[3].message", "why the case is crashed"},
      {"remove", "/sessions/0/cases/4/message", {}, "sessions[0].cases[4].message", "why the case is timed_out"},
      {"remove", "/sessions/0/cases/6/skip_reason", {}, "sessions[0].cases[6].skip_reason", "must be given"},
      {"replace", "/sessions/0/cases/6/skip_reason", "verify_only", "sessions[0].cases[6].verification",
       "must have passed"},
      {"add", "/sessions/0/cases/5/skip_reason", "refused", "sessions[0].cases[5].skip_reason", "must not be given"},
      {"remove", "/sessions/0/cases/7/message", {}, "sessions[0].cases[7].message", "why the case is implausible"},
      {"remove", "/sessions/0/cases/8/message", {}, "sessions[0].cases[8].message", "why the case is invalid"},
  };
  expect_each_is_refused(valid_run(), defects, "run.json", read_run);
}

TEST(MalformedCase, ThatIsNotBelievedHasNoTimeAndNoProof) {
  json const measured = to_json(samples::complete_run().sessions[0].cases[0]);
  for (std::string const status : {"implausible", "invalid"}) {
    json result = measured;
    result["status"] = status;
    result["message"] = "too fast";
    auto const read = [&result] { (void)case_result_from_json(result, "worker", ""); };
    expect_holds(format_error_of(read), "worker: rounds: must not be given for a case that is " + status);
    result.erase("rounds");
    expect_holds(format_error_of(read), "worker: proof: must not be given for a case that is " + status);
    result.erase("proof");
    EXPECT_NO_THROW(read());
  }
}

/// Expects the run to be refused for each entry in turn, which is then removed, and to be read in the end.
void expect_refused(json run, std::vector<std::pair<std::string, std::string>> const& in_order) {
  for (auto const& [pointer, error] : in_order) {
    expect_holds(format_error_of([&] { read_run(run.dump()); }), "run.json: " + error);
    run = run.patch(json::array({{{"op", "remove"}, {"path", pointer}}}));
  }
  run.erase("base_sessions");
  EXPECT_NO_THROW(read_run(run.dump()));
}

/// A valid run without the members that every earlier version lacks.
json valid_run_of_one_operation() {
  json run = valid_run();
  run.erase("problems");
  run["worker"].erase("operations");
  return run;
}

TEST(EarlierRun, OfVersionThreeMayNotHoldAxesAndSeveralOperations) {
  json run = valid_run();
  run["schema"] = kEarlierRunSchemas[0];
  expect_refused(run, {{"/problems", "problems: unknown key in a perfcheck.run/3 file"},
                       {"/worker/operations", "worker.operations: unknown key in a perfcheck.run/3 file"}});
}

TEST(EarlierRun, OfVersionTwoMayNotHoldWhatLaunchesAreGivenCallAndHaveAroundThem) {
  json run = valid_run_of_one_operation();
  run["schema"] = kEarlierRunSchemas[1];
  std::string const launch = "/sessions/0/cases/0/launches/0/", place = "sessions[0].cases[0].launches[0].";
  expect_refused(run, {{launch + "called_code", place + "called_code: unknown key in a perfcheck.run/2 file"},
                       {launch + "constants", place + "constants: unknown key"},
                       {launch + "arguments", place + "arguments: unknown key"},
                       {launch + "attributes", place + "attributes: unknown key"},
                       {launch + "other_nodes", place + "other_nodes: unknown key"},
                       {launch + "graph", place + "graph: unknown key"}});
}

TEST(EarlierRun, OfTheFirstVersionMayNotHoldWhatItDidNotHave) {
  json run = valid_run_of_one_operation();
  run["schema"] = kEarlierRunSchemas.back();
  run["base_sessions"] = run["sessions"];
  expect_refused(run, {{"/kernels/0/executes", "kernels[0].executes: unknown key in a perfcheck.run/1 file"},
                       {"/kernels/0/work_share", "kernels[0].work_share: unknown key"},
                       {"/sessions/0/device/peak_cache_gb_s", "sessions[0].device.peak_cache_gb_s: unknown key"},
                       {"/sessions/0/device/empty_launch_ns", "sessions[0].device.empty_launch_ns: unknown key"},
                       {"/sessions/0/cases/0/proof", "sessions[0].cases[0].proof: unknown key"},
                       {"/sessions/0/cases/0/launches", "sessions[0].cases[0].launches[0].called_code: unknown key"},
                       {"/sessions/0/cases/7",
                        "sessions[0].cases[7].status: \"implausible\" is no status in a perfcheck.run/1 file"},
                       {"/sessions/0/cases/7", "sessions[0].cases[7].status: \"invalid\" is no status"},
                       {"/base_sessions/0/device", "base_sessions[0].device.peak_cache_gb_s: unknown key"}});
}

TEST(EarlierRun, OfAnyShapeIsTheReadersToRefuse) {
  for (json const& value : {json(), json(1), json("x"), json::array({1, json()}), json::object({{"cases", 1}})}) {
    for (char const* key : {"kernels", "sessions", "base_sessions"}) {
      json run = valid_run_of_one_operation();
      run["schema"] = kEarlierRunSchemas.back();
      run["kernels"] = run["sessions"] = json::array();
      run[key] = value;
      EXPECT_FALSE(format_error_of([&] { read_run(run.dump()); }).empty()) << key << " " << value;
    }
  }
}

TEST(MalformedImportedRun, IsRefusedWithItsPlace) {
  std::vector<Defect> const defects = {
      // A run that was not imported was measured by a worker, which verifies and times a reference.
      {"remove", "/imported_from", {}, "sessions[0].cases[0].rounds.reference_launches", "is missing"},
      {"replace", "/imported_from", "", "imported_from", "must not be empty"},
      {"replace", "/imported_from", 1, "imported_from", "must be text"},
      {"replace", "/sessions/0/cases/0/reference", "a@b", "sessions[0].cases[0].rounds.reference_launches",
       "is missing"},
      {"add", "/sessions/0/cases/0/rounds/reference_launches", 1, "sessions[0].cases[0].rounds.reference_time_ns",
       "is missing"},
      {"add",
       "/sessions/0/cases/0/rounds/reference_time_ns",
       {1.0, 2.0},
       "sessions[0].cases[0].rounds.reference_launches",
       "is missing"},
      {"remove",
       "/sessions/0/cases/2/rounds/reference_time_ns",
       {},
       "sessions[0].cases[2].rounds.reference_time_ns",
       "is missing"},
      {"replace", "/sessions/0/cases/0/rounds/time_ns/0", 0, "sessions[0].cases[0].rounds.time_ns[0]",
       "greater than 0"},
      {"replace", "/sessions/0/cases/2/verification/passed", false, "sessions[0].cases[2].verification.passed",
       "every check passed"},
      {"replace", "/sessions/0/cases/0/status", "incorrect", "sessions[0].cases[0].rounds", "must not be given"},
      {"replace", "/sessions/0/cases/3/status", "incorrect", "sessions[0].cases[3].verification", "must be given"},
  };
  expect_each_is_refused(to_json(samples::imported_run()), defects, "run.json", read_run);
}

TEST(MalformedImportedRun, MayNotShowAFailedVerificationAsMeasured) {
  json run = to_json(samples::imported_run());
  json& verification = run["sessions"][0]["cases"][2]["verification"];
  verification["passed"] = verification["checks"][0]["passed"] = false;
  std::string const error = format_error_of([&] { read_run(run.dump()); });
  expect_holds(error, "sessions[0].cases[2].verification: must have passed in a measured case");
}

TEST(MalformedCase, OfAWorkerIsHeldToVerificationAndReference) {
  for (std::size_t const index : {0U, 1U}) {
    json result = to_json(samples::imported_run().sessions[0].cases[index]);
    auto const read = [&result] { (void)case_result_from_json(result, "worker", ""); };
    expect_holds(format_error_of(read), "worker: rounds.reference_launches: is missing");
    result["rounds"]["reference_launches"] = 1;
    result["rounds"]["reference_time_ns"] = result["rounds"]["time_ns"];
    expect_holds(format_error_of(read), "worker: verification: must have passed in a measured case");
  }
}

TEST(MalformedBaseline, IsRefusedWithItsPlace) {
  std::string const naive = "/cases/gemm~1simt~1naive@f32,nn,m512n512k512";
  std::string const place = "cases[\"gemm/simt/naive@f32,nn,m512n512k512\"]";
  std::string const session = naive + "/session", first_session = session + "/0", ratio = naive + "/ratio";
  std::string const cycle = naive + "/cycles/0", last_time = naive + "/time_ns/1", typo = naive + "/sesion";
  std::string const session_place = place + ".session", first_place = place + ".session[0]";
  std::string const second_place = place + ".session[1]";
  std::string const ratio_place = place + ".ratio", cycles_place = place + ".cycles";
  std::string const time_place = place + ".time_ns[1]", typo_place = place + ".sesion";
  std::string const clock = naive + "/clock_mhz", clock_place = place + ".clock_mhz";
  std::string const power = naive + "/power_w/1", power_place = place + ".power_w[1]";
  std::string const tail = naive + "/tail", tail_place = place + ".tail";
  std::string const launched = naive + "/launched", launched_place = place + ".launched";
  std::string const grid = launched + "/1/grid", grid_place = launched_place + "[1].grid";
  std::string const occupancy = launched + "/0/occupancy", occupancy_place = launched_place + "[0].occupancy";
  std::string const spills = launched + "/0/spills", spills_place = launched_place + "[0].spills";
  std::string const policy = naive + "/input_policy", policy_place = place + ".input_policy";
  std::string const replay = policy + "/replay_launches", replay_place = policy_place + ".replay_launches";
  std::string const flop = policy + "/flop", flop_place = policy_place + ".flop";
  std::string const seed = policy + "/seed", seed_place = policy_place + ".seed";
  std::vector<Defect> const defects = {
      {"replace", "/schema", "perfcheck.baseline/9", "schema",
       "this perfcheck reads perfcheck.baseline/3, perfcheck.baseline/2 and perfcheck.baseline/1; use"},
      {"replace", "/schema", "perfcheck.run/1", "schema", "a perfcheck.baseline/3 file is wanted"},
      {"replace", "/operation", "", "operation", "must not be empty"},
      {"add", "/device", "x", "device", "unknown key"},
      {"replace", "/accepted/0/cases", -2, "accepted[0].cases", "whole number"},
      {"remove", "/accepted/0/why", {}, "accepted[0].why", "is missing"},
      {"remove", "/accepted/0/despite/0/why", {}, "accepted[0].despite[0].why", "is missing"},
      {"add", "/accepted/0/despite/0/by", "Ada", "accepted[0].despite[0].by", "unknown key"},
      {"replace", "/digest", 7, "digest", "must be text in quotes"},
      {"replace", tail.c_str(), {1}, tail_place.c_str(), "has 1 values but there are 2 sessions"},
      {"replace", "/sessions/1/id", "s01", "sessions[1].id", "earlier session"},
      {"replace", "/sessions/0/power_limit_w", "700", "sessions[0].power_limit_w", "finite number"},
      {"remove", "/sessions/0", {}, first_place.c_str(), "there is no session \"s01\""},
      {"replace", first_session.c_str(), "s02", second_place.c_str(), "appears twice"},
      {"replace", first_session.c_str(), "s99", first_place.c_str(), "there is no session \"s99\""},
      {"replace", session.c_str(), json::array(), session_place.c_str(), "is empty"},
      {"replace", ratio.c_str(), {1.5}, ratio_place.c_str(), "has 1 values but there are 2 sessions"},
      {"remove", cycle.c_str(), {}, cycles_place.c_str(), "has 1 values but there are 2 sessions"},
      {"replace", last_time.c_str(), 0, time_place.c_str(), "greater than 0"},
      {"add", typo.c_str(), 0, typo_place.c_str(), "did you mean \"session\"?"},
      {"replace", clock.c_str(), {1980}, clock_place.c_str(), "has 1 values but there are 2 sessions"},
      {"replace", clock.c_str(), json::array(), clock_place.c_str(), "has 0 values but there are 2 sessions"},
      {"replace", power.c_str(), 0, power_place.c_str(), "greater than 0"},
      {"replace", launched.c_str(), json::object(), launched_place.c_str(), "must be an array"},
      {"replace", grid.c_str(), {1, 2}, grid_place.c_str(), "three positive whole numbers"},
      {"replace", occupancy.c_str(), 1.5, occupancy_place.c_str(), "a share from 0 to 1"},
      {"add", spills.c_str(), 0, spills_place.c_str(), "unknown key"},
      {"replace", replay.c_str(), 0, replay_place.c_str(), "whole number"},
      {"remove", flop.c_str(), {}, flop_place.c_str(), "is missing"},
      {"add", seed.c_str(), 1, seed_place.c_str(), "unknown key"},
      {"add", "/cases/naive", json::object(), "cases.naive", "kernel@problem"},
  };
  expect_each_is_refused(valid_baseline(), defects, "base.json", read_baseline);
}

TEST(MalformedRun, EveryCutIsRefused) {
  std::string const text = run_to_text(samples::small_run());
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    std::string const error = format_error_of([&] { read_run(text.substr(0, length)); });
    ASSERT_TRUE(error.find("cut off") != std::string::npos || error.find("is empty") != std::string::npos)
        << length << ": " << error;
  }
}

TEST(MalformedBaseline, EveryCutIsRefused) {
  std::string const text = baseline_to_text(samples::complete_baseline());
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    std::string const error = format_error_of([&] { read_baseline(text.substr(0, length)); });
    ASSERT_TRUE(error.find("cut off") != std::string::npos || error.find("is empty") != std::string::npos)
        << length << ": " << error;
  }
}

}  // namespace
}  // namespace perfcheck::model
