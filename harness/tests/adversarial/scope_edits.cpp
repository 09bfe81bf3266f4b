// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Item 6: what must be there comes from the suite and the baseline, not from the run file. In each of these edits the
// removed case, or another one of its problem, was +20 %: the removal hides that.
#include "edits.h"

#include "perfcheck/model/shard.h"

#include <algorithm>

namespace perfcheck::adversarial {
namespace {

using model::CaseResult;
using model::Run;
using model::Session;

constexpr char const* kProblem = "*@f16.f32,nt,m2048n4096k11008";
constexpr char const* kProblemText = "  \"f16.f32,nt,m2048n4096k11008\",\n";
constexpr char const* kType = "*@bf16.f32,*";
constexpr char const* kFp32 = "*@f32,*";

/// The run without the matching cases, which are taken to have been slow.
Run without(std::string const& pattern) {
  Run run = world().head;
  take(run, pattern);
  return run;
}

std::vector<Run> shards_of(Run const& whole, int count) {
  std::vector<Run> shards;
  for (int index = 1; index <= count; ++index) {
    Run shard = whole;
    shard.id += "-" + std::to_string(index);
    shard.shard = model::Shard{.index = index, .count = count, .fan_out = ""};
    for (Session& session : shard.sessions) {
      std::erase_if(session.cases,
                    [&](CaseResult const& result) { return model::shard_of(result.id, count) != index; });
    }
    shards.push_back(std::move(shard));
  }
  return shards;
}

/// The FP32 cases only, as in a run of the smoke suite.
Run smoke() {
  Run run = world().head;
  for (Session& session : run.sessions) {
    std::erase_if(session.cases, [](CaseResult const& result) { return result.id.find("@f32,") == std::string::npos; });
  }
  run.suite = "smoke";
  return run;
}

std::vector<Edit> gone_from_the_run() {
  return {
      {.id = "6.1",
       .what = "a problem gone from the run",
       .ask = [](Desk& desk) { return desk.compare(without(kProblem), kProblem); }},
      {.id = "6.2",
       .what = "a type gone from the run",
       .ask = [](Desk& desk) { return desk.compare(without(kType), kType); }},
      {.id = "6.3",
       .what = "a kernel gone from the run, and from its list of kernels",
       .ask =
           [](Desk& desk) {
             Run now = without(kKernel);
             std::erase_if(now.kernels, [](model::KernelEntry const& entry) { return entry.id == kKernel; });
             return desk.compare(now, kKernel);
           }},
      {.id = "6.4",
       .what = "one case gone from the run",
       .ask = [](Desk& desk) { return desk.compare(without(kCase)); }},
      {.id = "6.5",
       .what = "one case gone from the screen, and left in the sessions that confirm",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             take(now.sessions.front(), kCase);
             return desk.compare(now);
           }},
      {.id = "6.6",
       .what = "one case gone from two of the sessions that confirm",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             take(now.sessions.at(2), kCase);
             take(now.sessions.at(5), kCase);
             return desk.compare(now);
           }},
      {.id = "6.27",
       .what = "all sessions that confirm one case gone but the first; the case is +20 % in each",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             for (std::size_t i = 2; i < now.sessions.size(); ++i) take(now.sessions.at(i), kCase);
             return desk.compare(now);
           }},
      {.id = "6.28",
       .what =
           "all sessions that confirm one case gone but the first, which is as fast as before; the others were +20 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             now.sessions.at(1) = world().head.sessions.at(1);
             for (std::size_t i = 2; i < now.sessions.size(); ++i) take(now.sessions.at(i), kCase);
             return desk.compare(now);
           }},
      {.id = "6.7",
       .what = "all sessions that confirm one case gone",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             for (std::size_t i = 1; i < now.sessions.size(); ++i) take(now.sessions[i], kCase);
             return desk.compare(now);
           }},
      {.id = "6.8",
       .what = "one case said to be skipped",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             each_result(now, kCase, [](CaseResult& result) {
               result.status = model::CaseStatus::skipped;
               result.skip_reason = model::SkipReason::suite_rule;
               result.message = "too slow";
               result.rounds.reset();
             });
             return desk.compare(now);
           }},
      {.id = "6.9",
       .what = "one case under the name of another problem",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             each_result(now, kCase, [](CaseResult& result) { result.id += ",alpha2"; });
             return desk.compare(now, std::string(kCase) + "*");
           }},
      {.id = "6.10",
       .what = "a problem gone from a run that says that it was imported",
       .ask =
           [](Desk& desk) {
             Run now = without(kProblem);
             now.imported_from = "Google Benchmark 1.7.1";
             return desk.compare(now, kProblem);
           }},
  };
}

std::vector<Edit> claims_of_the_run() {
  return {
      {.id = "6.11",
       .what = "a problem gone, and `filters` that leave it out written into the run",
       .ask =
           [](Desk& desk) {
             Run now = without(kProblem);
             now.filters = {"*@*f32,nn,*", "*,nt,m4096*"};
             return desk.compare(now, kProblem);
           }},
      {.id = "6.12",
       .what = "a problem gone, and the run says that it is shard 1 of 9999",
       .ask =
           [](Desk& desk) {
             Run now = without(kProblem);
             now.shard = model::Shard{.index = 1, .count = 9999, .fan_out = ""};
             return desk.compare(now, kProblem);
           }},
      {.id = "6.13",
       .what = "all but FP32 gone, and the run says that it is of suite smoke; compare --suite default",
       .ask =
           [](Desk& desk) {
             Run now = smoke();
             return desk.compare(now, kCase, {"--suite", "default"});
           }},
      {.id = "6.14",
       .what = "all but FP32 gone, and the run says that it is of suite smoke",
       .ask = [](Desk& desk) { return desk.compare(smoke(), kFp32); }},
      {.id = "6.15",
       .what = "all but FP32 gone, and the run says that it is of a suite that nobody knows",
       .ask =
           [](Desk& desk) {
             Run now = smoke();
             now.suite = "mine";
             return desk.compare(now, kFp32);
           }},
      {.id = "6.16",
       .what = "shards that together lack a problem",
       .ask = [](Desk& desk) { return desk.merge(shards_of(without(kProblem), 2), kProblem); }},
      {.id = "6.17",
       .what = "one of two shards gone",
       .ask =
           [](Desk& desk) {
             std::vector<Run> shards = shards_of(slowed(1.2), 2);
             shards.erase(shards.begin() + model::shard_of(kCase, 2) - 1);
             return desk.merge(shards);
           }},
      {.id = "6.18",
       .what = "one case in neither of two shards, and `filters` that leave it out written into both",
       .ask =
           [](Desk& desk) {
             Run now = without(kCase);
             now.filters = {"gemm/library/*", "gemm/wmma/*", "gemm/simt/*"};
             return desk.merge(shards_of(now, 2));
           }},
      {.id = "6.19",
       .what = "a problem gone from the run and from the suite in perfcheck.toml",
       .ask =
           [](Desk& desk) {
             desk.edit_config(kProblemText, "");
             return desk.compare(without(kProblem), kProblem);
           }},
      {.id = "6.20",
       .what = "the file has no session any more",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             now.sessions.clear();
             return desk.compare(now);
           }},
  };
}

std::vector<Edit> harmless() {
  return {
      {.id = "6.21",
       .what = "cases in another order in every session",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             for (std::size_t i = 0; i < now.sessions.size(); ++i) {
               auto& cases = now.sessions[i].cases;
               std::rotate(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(i + 1), cases.end());
             }
             return desk.compare(now, kAll);
           }},
      {.id = "6.22",
       .what = "sessions that confirm in another order",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             std::reverse(now.sessions.begin() + 1, now.sessions.end());
             return desk.compare(now, kAll);
           }},
      {.id = "6.23",
       .what = "two shards that hold everything",
       .hides = Hides::no,
       .ask = [](Desk& desk) { return desk.merge(shards_of(world().head, 2), kAll); }},
      {.id = "6.24",
       .what = "measured with --filter, and compared with the same --filter",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             for (Session& session : now.sessions) {
               std::erase_if(session.cases,
                             [](CaseResult const& result) { return !result.id.starts_with("gemm/simt/"); });
             }
             now.filters = {"gemm/simt/*"};
             return desk.compare(now, "gemm/simt/*", {"--filter", "gemm/simt/*"});
           }},
      {.id = "6.25",
       .what = "the suite's problems in another order in perfcheck.toml",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             desk.edit_config(kProblemText, "");
             desk.edit_config("  \"f32,nn,m1024n1024k1024\",\n]",
                              std::string("  \"f32,nn,m1024n1024k1024\",\n") + kProblemText + "]");
             return desk.compare(world().head, kAll);
           }},
      {.id = "6.26",
       .what = "a new kernel, which the baseline does not know",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             for (Session& session : now.sessions) {
               CaseResult added = session.cases.back();
               added.id = "gemm/simt/novel@" + model::split_case_id(added.id).problem;
               session.cases.push_back(std::move(added));
             }
             return desk.compare(now, "gemm/simt/novel");
           },
       .reason = "nothing to compare it with: its sessions must be accepted first"},
  };
}

}  // namespace

std::vector<Edit> scope_edits() {
  std::vector<Edit> edits = gone_from_the_run();
  for (std::vector<Edit> const& more : {claims_of_the_run(), harmless()}) {
    edits.insert(edits.end(), more.begin(), more.end());
  }
  return edits;
}

}  // namespace perfcheck::adversarial
