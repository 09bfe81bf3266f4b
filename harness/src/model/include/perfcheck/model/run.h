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
/// Older versions that are still read, newest first. Version 3 has no problem axes and only one operation. Version 2
/// also lacks LaunchAttributes::called_code to graph. Version 1 also lacks proof of results, declared arithmetic, cache
/// rate and launch cost.
inline constexpr std::array<char const*, 3> kEarlierRunSchemas = {"perfcheck.run/3", "perfcheck.run/2",
                                                                  "perfcheck.run/1"};
inline constexpr char const* kBaselineSchema = "perfcheck.baseline/3";
/// Older versions that are still read, newest first. Version 2 has no digest, no overridden findings, no tails, no
/// `work`, and not LaunchAttributes::called_code to graph. Version 1 also lacks what a case launched, its input policy,
/// clocks and power.
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

/// Environment::timing of results that do not state it.
inline constexpr int kFirstTiming = 1;

/// Prefix of a session's warning that a case was measured again in a fresh process, at its worker's request.
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
  /// Version of the timing method. A worker raises it when a change of its harness may change the times of equal code.
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

/// What LaunchAttributes::other_nodes say where all nodes are kernels.
inline constexpr char const* kNoOtherNodes = "none";

/// One kernel launch of a case, read from the recorded work itself. A hash is empty if there is nothing to hash, or if
/// the code is not ours to read. docs/file-formats.md says what enters each hash, and what does not.
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
  /// Only set for the first kernel of a case, for the whole launch: its nodes other than kernels, in words ("none",
  /// "memset ..."), and a hash of all its nodes and of their dependency order.
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

/// How much of a case's timed work was also proven correct (docs/protocol.md, "What keeps a worker honest").
struct Proof {
  int replays = 0;               ///< of the case and its reference, each on inputs drawn for it alone
  int compared = 0;              ///< of those, replays whose outputs were all compared
  int64_t outputs_compared = 0;  ///< outputs of all launches in these
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
  /// Why the machine was not fit to measure the case: "busy: pid 8123 (python)". If not empty, the result says nothing
  /// about the code.
  std::vector<std::string> unfit;
  double seconds = 0;  ///< wall time spent on the case
  /// Time for which launches of the case and its reference kept the device busy, to calibrate their number, to warm up
  /// and to be timed. Verification is not included.
  std::optional<double> device_seconds;
};

/// A kernel that the worker offers, for `list` and reports.
struct KernelEntry {
  std::string id, summary, file, arch;
  std::string library;  ///< the library it comes from, a name in Environment::libraries; empty for own code
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
  /// The program that measured, if not a perfcheck worker: "Google Benchmark 1.7.1". Its results are not verified.
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
  /// Sessions of the base build, which `check --base` measures alongside. Confirmation compares with them; any
  /// screening sessions among them replace a stored baseline that does not know the card.
  std::vector<Session> base_sessions;
};

/// Splits "kernel@problem"; kernel is empty when there is no '@'.
struct CaseName {
  std::string kernel, problem;
};
CaseName split_case_id(std::string const& id);
/// Is this a valid case id: both parts of kernel@problem, and only characters that one_line() keeps?
bool is_case_id(std::string const& id);
/// The rule of is_case_id(), for messages.
inline constexpr char const* kCaseIdRule = "must be a case id of the form kernel@problem, without control characters";
std::string case_id(std::string const& kernel, std::string const& problem);
/// Is this a valid name of an operation: lower-case letters, digits, '_' and '-'? It becomes part of a file name.
bool is_operation_name(std::string_view text);
/// The prefix that names the operation in a problem's text: "softmax:".
std::string problem_prefix(std::string const& operation);
/// The operations of a worker, the main one first.
std::vector<std::string> operations_of(WorkerInfo const& worker);
/// The operation of a case: the one of `operations` that its problem is prefixed with, else the first.
std::string const& operation_of(std::vector<std::string> const& operations, std::string const& case_id);
/// One hash over the machine code of all launches of a case; empty when any of them is unknown.
std::string machine_code_of(std::vector<LaunchAttributes> const& launches);
std::string machine_code_of(CaseResult const& result);
/// Hash of what was launched: names, grids, blocks, registers, shared memory. It tells which of its kernels a library
/// chose, since machine code of libraries cannot be read. Empty if launches are unknown, as for CPU libraries.
std::string launch_hash_of(std::vector<LaunchAttributes> const& launches);
std::string launch_hash_of(CaseResult const& result);
/// Hash of everything known about what was launched, as "1:" and a hash: what launch_hash_of() covers, machine code,
/// called code, constants, arguments, attributes, other nodes and their order. The number in front is raised when what
/// is hashed changes, so that hashes of different meaning are never taken for different work. Empty if launches are
/// unknown.
std::string work_of(std::vector<LaunchAttributes> const& launches);
std::string work_of(CaseResult const& result);
/// Do these results of work_of() show that the work differs? False if one is empty or their meanings differ.
bool work_differs(std::string_view before, std::string_view now);
/// Lower-case letters, digits, and one dash for all between: "NVIDIA H100 80GB HBM3" -> "nvidia-h100-80gb-hbm3".
std::string slug_of(std::string const& name);

}  // namespace perfcheck::model
