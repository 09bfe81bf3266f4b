// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Item 1: neither equal machine code and launches nor the claim that a kernel is a library's acquits a case.
#include "edits.h"

namespace perfcheck::adversarial {
namespace {

using model::CaseResult;
using model::Run;

void declare_library(Run& run, std::string const& kernel) {
  for (model::KernelEntry& entry : run.kernels) {
    if (entry.id == kernel) {
      entry.library = "cuBLAS";
    }
  }
}

void be_own_reference(Run& run, std::string const& pattern) {
  each_result(run, pattern, [](CaseResult& result) {
    result.reference = result.id;
    result.rounds->reference_time_ns = result.rounds->time_ns;
    result.rounds->reference_clock_mhz = result.rounds->clock_mhz;
    result.rounds->reference_launches = result.rounds->launches;
  });
}

/// Slows everything that commits do not change: references and cases of libraries.
void slow_controls(Run& run, double factor) {
  slow_reference(run, kAll, factor);
  slow(run, "gemm/library/*", factor);
}

Answer own_reference_on_both_sides(Desk& desk, bool library, double factor) {
  Run base = world().baseline, now = slowed(factor);
  for (Run* run : {&base, &now}) {
    be_own_reference(*run, kKernel);
    if (library) {
      declare_library(*run, kKernel);
    }
  }
  return desk.accept_and_compare({base}, now);
}

std::vector<Edit> slow_with_equal_hashes() {
  return {
      {.id = "1.1",
       .what = "one own case 3 times as slow; machine code and launches are equal",
       .ask = [](Desk& desk) { return desk.compare(slowed(3)); }},
      {.id = "1.2",
       .what = "every own case 3 times as slow; machine code and launches are equal",
       .ask = [](Desk& desk) { return desk.compare(slowed(3, kOwn), kOwn); }},
      {.id = "1.3",
       .what = "one own case +3 %; machine code and launches are equal",
       .ask = [](Desk& desk) { return desk.compare(slowed(1.03)); }},
      {.id = "1.4",
       .what = "one own case +1 %; machine code and launches are equal",
       .ask = [](Desk& desk) { return desk.compare(slowed(1.01)); }},
      {.id = "1.5",
       .what = "one own case +20 %, nothing known of its launches any more",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             each_result(now, kCase, [](CaseResult& result) { result.launches.clear(); });
             return desk.compare(now);
           }},
      {.id = "1.6",
       .what = "one own case +20 %, its machine code unreadable",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             each_result(now, kCase, [](CaseResult& result) { result.launches.front().machine_code.clear(); });
             return desk.compare(now);
           }},
      {.id = "1.7",
       .what = "cuBLAS's own case +20 %, its version and launches unchanged",
       .ask = [](Desk& desk) { return desk.compare(slowed(1.2, kLibraryCase), kLibraryCase); }},
  };
}

std::vector<Edit> slow_with_another_owner() {
  return {
      {.id = "1.8",
       .what = "own kernel declared to be cuBLAS's in the run, one case +20 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             declare_library(now, kKernel);
             return desk.compare(now);
           }},
      {.id = "1.9",
       .what = "own kernel made its own reference in the run, one case +20 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             be_own_reference(now, kKernel);
             return desk.compare(now);
           }},
      {.id = "1.10",
       .what = "own kernel its own reference in baseline and run, one case +20 %",
       .ask = [](Desk& desk) { return own_reference_on_both_sides(desk, false, 1.2); }},
      {.id = "1.11",
       .what = "own kernel cuBLAS's and its own reference in baseline and run, one case +20 %",
       .ask = [](Desk& desk) { return own_reference_on_both_sides(desk, true, 1.2); }},
      {.id = "1.12",
       .what = "one own case and its reference +20 %, so that the ratio stays",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             slow_reference(now, kCase, 1.2);
             return desk.compare(now);
           }},
      {.id = "1.13",
       .what = "one own case +20 % at a clock that is lower by as much, so that cycles stay",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             clock(now, kCase, 1 / 1.2);
             return desk.compare(now);
           }},
      {.id = "1.14",
       .what = "all libraries' cases and references +10 %, one own case +20 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             slow_controls(now, 1.1);
             return desk.compare(now);
           }},
      {.id = "1.15",
       .what = "everything +10 %, libraries' cases and references too",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.1, kOwn);
             slow_controls(now, 1.1);
             return desk.compare(now, kAll);
           }},
  };
}

std::vector<Edit> harmless() {
  return {
      {.id = "1.16",
       .what = "nothing: seven later sessions of an equal build on the same card",
       .hides = Hides::no,
       .ask = [](Desk& desk) { return desk.compare(world().head, kAll); }},
      {.id = "1.17",
       .what = "every own case has other machine code, equally fast",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             each_result(now, kOwn,
                         [](CaseResult& result) { result.launches.front().machine_code = "00c0ffee00c0ffee"; });
             return desk.compare(now, kOwn);
           }},
      {.id = "1.18",
       .what = "another grid and more registers, equally fast",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             each_result(now, kOwn, [](CaseResult& result) {
               result.launches.front().registers += 8;
               result.launches.front().grid[0] *= 2;
             });
             return desk.compare(now, kOwn);
           }},
      {.id = "1.19",
       .what = "one own case 5 % faster, machine code and launches equal",
       .hides = Hides::no,
       .ask = [](Desk& desk) { return desk.compare(slowed(0.95)); }},
      {.id = "1.20",
       .what = "own kernel declared to be cuBLAS's in the run, equally fast",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             declare_library(now, kKernel);
             return desk.compare(now, kKernel);
           }},
      {.id = "1.21",
       .what = "another commit id, branch and subject",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             now.source.commit = std::string(40, 'b');
             now.source.subject = "Only the documentation";
             return desk.compare(now, kAll);
           }},
  };
}

}  // namespace

std::vector<Edit> code_edits() {
  std::vector<Edit> edits = slow_with_equal_hashes();
  for (std::vector<Edit> const& more : {slow_with_another_owner(), harmless()}) {
    edits.insert(edits.end(), more.begin(), more.end());
  }
  return edits;
}

}  // namespace perfcheck::adversarial
