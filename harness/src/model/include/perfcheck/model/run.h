// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A run and its parts: plain values. JSON forms are in json.h and docs/file-formats.md.
#pragma once

#include "perfcheck/model/problem.h"
#include "perfcheck/model/status.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::model {

inline constexpr char const* kRunSchema = "perfcheck.run/4";
/// Still read, the newest first: without axes of problems, of one operation; without what a launch is given, calls and
/// has around it; without proof of results, declared arithmetic, cache rate and launch cost.
inline constexpr std::array<char const*, 3> kEarlierRunSchemas = {"perfcheck.run/3", "perfcheck.run/2",
                                                                  "perfcheck.run/1"};
inline constexpr char const* kBaselineSchema = "perfcheck.baseline/3";
/// Still read, the newest first: without a digest, what was accepted in spite of findings, tails, `work` and what a
/// launch is given, calls and has around it; without what a case launched, its input policy, clocks and power.
inline constexpr std::array<char const*, 2> kEarlierBaselineSchemas = {"perfcheck.baseline/2", "perfcheck.baseline/1"};

/// Version control state of the measured code; empty strings when unknown.
struct SourceInfo {
  std::string commit;
  std::string branch;
  std::string subject;
  std::string author;      ///< name, without the address
  std::string committed;   ///< when, UTC, ISO 8601
  std::string repository;  ///< address of its page, without credentials: "https://example.org/team/kernels"
  bool dirty = false;
};

/// How the worker was built.
struct BuildInfo {
  std::string version;
  std::string compiler;
  std::string cuda_toolkit;  ///< empty in a build without CUDA
  std::string architectures;
  std::string build_type;
  std::string flags;
};

struct WorkerInfo {
  std::string name;     ///< "perfcheck-gemm"
  std::string backend;  ///< "cuda" or "cpu"
  std::string operation;
  /// All operations, `operation` first; empty where it is the only one.
  std::vector<std::string> operations;
  BuildInfo build;
};

/// The device a session ran on. `slug` names the baseline folder.
struct DeviceInfo {
  std::string backend;
  int index = 0;
  std::string name;  ///< "NVIDIA H100 80GB HBM3"
  std::string slug;  ///< "nvidia-h100-80gb-hbm3"
  std::string uuid;
  std::string compute_capability;  ///< "9.0"; empty on the CPU
  int multiprocessors = 0;         ///< SMs, or hardware threads on the CPU
  int64_t memory_bytes = 0;
  int64_t cache_bytes = 0;  ///< last-level cache
  double max_clock_mhz = 0;
  /// Peak rate in TFLOP/s by name of the arithmetic ("f32", "tf32", "f16", "bf16"), at max_clock_mhz.
  std::map<std::string, double> peak_tflops;
  std::optional<double> peak_gb_s;
  /// What the last-level cache can deliver at most, at max_clock_mhz.
  std::optional<double> peak_cache_gb_s;
  /// Time of one launch that does nothing, among many in one recording, in nanoseconds. Absent where there is no such
  /// cost.
  std::optional<double> empty_launch_ns;
};

/// Environment::timing of results that name none.
inline constexpr int kFirstTiming = 1;

/// How a session's warning about a case begins that was measured in a fresh process, as its worker asked for.
inline constexpr char const* kSecondTryNote = "second try: ";

/// Everything else that could explain a difference between two runs.
struct Environment {
  std::string driver;
  std::string cuda_driver;                       ///< highest CUDA version the driver supports, "13.0"
  std::string cuda_runtime;                      ///< "13.0"
  std::map<std::string, std::string> libraries;  ///< {"cublas": "13.1.0"}
  std::optional<double> power_limit_w;
  std::string persistence_mode, ecc, mig, compute_mode;
  std::string host, os, cpu;
  /// Which way of timing it was: a worker raises it when its harness changes so that times of equal code may differ.
  int timing = kFirstTiming;
  std::vector<std::string> warnings;  ///< what may hurt measurements, each with its remedy
};

/// NVML's view of the device around one case. Absent values were not readable.
struct DeviceState {
  std::optional<double> sm_clock_mhz, memory_clock_mhz, power_w, temperature_c;
  std::vector<std::string> throttle_reasons;
  std::optional<int> other_processes;
  std::vector<std::string> processes;  ///< who they are: "pid 8123 (python, user ada)"
  std::vector<std::string> faults;     ///< of the device: "2 uncorrected ECC errors since the driver was loaded"
};

/// One kernel launch of a case, read from the recorded work itself. Hashes are empty when there is nothing to hash, or
/// it is not ours to read. docs/file-formats.md says what enters each, and what does not.
struct LaunchAttributes {
  std::string function;  ///< demangled name
  std::array<int, 3> grid{}, block{};
  int registers = 0;
  int64_t shared_bytes = 0;  ///< static and dynamic, per block
  int64_t local_bytes = 0;   ///< per thread; not 0 means spills or a local array
  int blocks_per_sm = 0;
  double occupancy = 0;      ///< resident warps over the maximum, 0 to 1
  std::string machine_code;  ///< hash of the kernel's own machine code
  std::string called_code;   ///< hash of the functions that it calls outside of its own code
  std::string constants;     ///< hash of constant memory and of initialised data that its code refers to
  std::string arguments;     ///< hash of its arguments, addresses left out
  std::string attributes;    ///< launch attributes in words: "default", "cluster 2x1x1, cooperative"
  /// Of the case's first kernel, for the whole launch: what it holds besides kernels, in words ("none", "memset ..."),
  /// and a hash of all its nodes and of the order that their dependencies allow.
  std::string other_nodes, graph;
};

/// One check of verification.
struct Check {
  std::string name;  ///< "exact", "signed", "nan_placement", "guard_bands"
  bool passed = false;
  /// Largest error over its bound, 1 = at the bound; absent for checks that are yes or no.
  std::optional<double> error_over_bound;
  std::string detail;  ///< what is wrong where; empty when passed
};

struct Verification {
  bool passed = false;
  std::vector<Check> checks;
};

/// All rounds of a case, as columns of equal length; per-launch values. Clocks may be absent (empty columns).
struct Rounds {
  int launches = 0;            ///< per replay of the case
  int reference_launches = 0;  ///< per replay of the reference
  std::vector<double> time_ns;
  std::vector<double> reference_time_ns;  ///< empty where the program of an imported run timed no reference
  std::vector<double> clock_mhz;
  std::vector<double> reference_clock_mhz;
};

/// What stands behind the times of a case: how much of what was timed was also proven (docs/protocol.md, "What keeps a
/// worker honest").
struct Proof {
  int replays = 0;               ///< of the case and its reference, each on inputs drawn for it alone
  int compared = 0;              ///< of those, replays whose outputs were all compared
  int64_t outputs_compared = 0;  ///< outputs of launches in them
  double clock_deviation = 0;    ///< largest relative difference between the clock that timed a replay and another one
};

struct Work {
  double flop = 0;
  double bytes = 0;  ///< the least that must move: each input read once, the output written once
};

struct CaseResult {
  std::string id;         ///< "gemm/simt/naive@f32,nn,m512n512k512"
  std::string reference;  ///< case id of the reference; equal to `id` when the case is its own control
  CaseStatus status = CaseStatus::failed;
  std::optional<SkipReason> skip_reason;
  std::string message;  ///< why, for every status but measured
  std::optional<Verification> verification;
  std::vector<LaunchAttributes> launches;  ///< kernels of one launch of the case, in order
  Work work;
  std::string arithmetic;  ///< key into DeviceInfo::peak_tflops
  std::optional<Rounds> rounds;
  std::optional<DeviceState> state;
  std::optional<Proof> proof;
  std::string stop_reason;  ///< "precise", "time limit", "round limit"
  double injected_percent = 0;
  /// Why the machine was not fit to measure it: "busy: pid 8123 (python)". Not empty: the result says nothing about the
  /// code.
  std::vector<std::string> unfit;
  double seconds = 0;  ///< wall time spent on the case
  /// Time for which its launches and its reference's kept the device busy: to find their length, to warm up, to be
  /// timed. Verification is not in it.
  std::optional<double> device_seconds;
};

/// What the worker can offer, for `list` and reports.
struct KernelEntry {
  std::string id, summary, file, arch;
  std::string library;  ///< whose kernel it is, a name in Environment::libraries; empty for the program's own code
  int line = 0;
  /// Arithmetic that the kernel declares to execute, a key into DeviceInfo::peak_tflops: "i8" for FP32 results made of
  /// INT8 products. Empty when it declares none.
  std::string executes;
  /// Share of the operation's FLOP that it declares to execute: 0.875 for one level of Strassen. 0 when it declares
  /// none.
  double work_share = 0;
  std::optional<SkipReason> unavailable;
  std::string reason;
};

enum class SessionPurpose { screen, confirm, baseline };
std::string to_text(SessionPurpose purpose);
std::optional<SessionPurpose> session_purpose_from_text(std::string_view text);
std::vector<std::string> session_purpose_texts();

/// One fresh worker process and the cases it measured.
struct Session {
  std::string id;  ///< "s1", unique in the run
  std::string started;
  SessionPurpose purpose = SessionPurpose::screen;
  DeviceInfo device;
  Environment environment;
  uint64_t seed = 0;
  int restarts = 0;  ///< workers lost to crashes and time-outs
  std::vector<CaseResult> cases;
};

/// Which part of a plan a run measured (shard.h).
struct Shard {
  int index = 0;        ///< from 1; 0 for the run that all shards together make
  int count = 0;        ///< shards of the fan-out
  std::string fan_out;  ///< what its shards have in common, "slurm-4711"; may be empty
  bool operator==(Shard const&) const = default;
};

/// What one `perfcheck run` or `check` produces; one file.
struct Run {
  std::string id;       ///< "20261121T081502Z-3f2a"
  std::string started;  ///< UTC, ISO 8601
  double seconds = 0;
  std::string tool_version;
  /// The program that measured, where it was not a worker of ours: "Google Benchmark 1.7.1". Nobody verified its
  /// results.
  std::string imported_from;
  SourceInfo source;
  WorkerInfo worker;
  std::string suite;
  std::vector<std::string> filters;
  std::vector<std::string> injected;  ///< "PATTERN=PERCENT" as given
  std::optional<Shard> shard;         ///< absent where one process planned and measured everything
  std::vector<KernelEntry> kernels;
  std::vector<ProblemInfo> problems;  ///< those whose operation names axes
  std::vector<Session> sessions;
  /// Of the build that was measured beside it, for `check --base`: what confirmation is compared with; where there are
  /// screens among them, they stand in for a stored baseline that does not know the card.
  std::vector<Session> base_sessions;
};

/// Splits "kernel@problem"; kernel is empty when there is no '@'.
struct CaseName {
  std::string kernel, problem;
};
CaseName split_case_id(std::string const& id);
/// Can this be a case's id? Both parts of kernel@problem, and nothing that could not stand in a line.
bool is_case_id(std::string const& id);
/// What is_case_id() wants, for messages.
inline constexpr char const* kCaseIdRule = "must be a case id of the form kernel@problem, without control characters";
std::string case_id(std::string const& kernel, std::string const& problem);
/// Can this be an operation's name? Lower-case letters, digits, '_' and '-': it becomes part of a file name.
bool is_operation_name(std::string_view text);
/// What names an operation in front of a problem: "softmax:".
std::string problem_prefix(std::string const& operation);
/// The operations of a worker, the main one first.
std::vector<std::string> operations_of(WorkerInfo const& worker);
/// The one of `operations` that a case is of: the one named in front of its problem, else the first.
std::string const& operation_of(std::vector<std::string> const& operations, std::string const& case_id);
/// One hash over the machine code of all launches of a case; empty when any of them is unknown.
std::string machine_code_of(std::vector<LaunchAttributes> const& launches);
std::string machine_code_of(CaseResult const& result);
/// Hash of what was launched: names, grids, blocks, registers, shared memory. It tells which of its kernels a library
/// chose, whose machine code cannot be read. Empty where launches are not known, as of a CPU's libraries.
std::string launch_hash_of(CaseResult const& result);
/// Everything about what was launched that is known and can be hashed, "1:" and a hash: what launch_hash_of() holds,
/// machine code, called code, constants, arguments, attributes, other nodes and their order. The number in front grows
/// with what is hashed, so that hashes of different meaning are never taken for different work. Empty where launches
/// are not known.
std::string work_of(CaseResult const& result);
/// Do these two say that the work is not the same? Not when one is unknown or of another meaning.
bool work_differs(std::string_view before, std::string_view now);
/// Lower-case letters and digits, everything else one dash: "NVIDIA H100 80GB HBM3" -> "nvidia-h100-80gb-hbm3".
std::string slug_of(std::string const& name);

}  // namespace perfcheck::model
