// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The worker protocol, version 2: one JSON object per line, requests on the worker's standard input, answers on its
// standard output. docs/protocol.md is the specification; this header is its C++ form, used by both sides.
#pragma once

#include "perfcheck/model/json.h"
#include "perfcheck/model/run.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace perfcheck::protocol {

inline constexpr int kProtocolVersion = 2;
/// A longer line is a protocol error: the peer is flooding.
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

/// Seeds stay below 2^53, so that a worker in a language whose numbers are doubles reads the same seed.
inline constexpr uint64_t kMaxSeed = (uint64_t{1} << 53) - 1;

/// The peer speaks another version of the protocol. Thrown before anything else in its hello is read.
class VersionError : public model::FormatError {
 public:
  using model::FormatError::FormatError;
};

// ---- requests: perfcheck to worker -------------------------------------------------------------------------------

/// First message. `device` is the index of the device to use, as the driver counts.
struct HelloRequest {
  int protocol = kProtocolVersion;
  std::string client;
  int device = 0;
};

/// Asks which cases the worker makes of these problems.
struct PlanRequest {
  std::vector<std::string> problems;
};

/// How to measure one case. All limits are the worker's to keep; the client's watchdog is separate and longer.
struct MeasureOptions {
  uint64_t seed = 1;         ///< input data of verification and timing derive from it
  bool verify_only = false;  ///< stop after verification
  double replay_ms = 1.0;    ///< target length of a replay, which makes launch cost and event resolution negligible
  double max_seconds = 0.4;  ///< of timed work per case, including the reference
  double idle_share = 0;  ///< rest after each replay, as a multiple of its length: keeps a device off its power limit
  int min_rounds = 12;
  int max_rounds = 400;
  double precision = 0.001;   ///< stop when the standard error of the median ratio falls below this share
  double inject_percent = 0;  ///< lengthen the case's timed work by this share
  /// An earlier process of this worker already verified the case and its reference in this run, so it is timed at once.
  /// Sent only to workers with `skips_verification`.
  bool verified = false;
};

struct MeasureRequest {
  std::string case_id;
  MeasureOptions options;
};

/// Asks what one case launches, without verifying or timing it. Sent only to workers with `tells_launches`.
struct LaunchesRequest {
  std::string case_id;
};

/// Ends the worker; it answers nothing and exits 0. Closing its standard input does the same.
struct ByeRequest {};

using Request = std::variant<HelloRequest, PlanRequest, MeasureRequest, LaunchesRequest, ByeRequest>;

// ---- answers: worker to perfcheck --------------------------------------------------------------------------------

struct HelloAnswer {
  int protocol = kProtocolVersion;
  model::WorkerInfo worker;
  model::DeviceInfo device;
  model::Environment environment;
  std::vector<model::KernelEntry> kernels;
  /// The device's state at this moment; absent if the worker cannot tell.
  std::optional<model::DeviceState> state;
  bool skips_verification = false;  ///< understands MeasureOptions::verified
  bool tells_launches = false;      ///< understands LaunchesRequest
};

/// One case that a problem and a kernel make. Skipped ones are part of the plan, with their reason.
struct PlannedCase {
  std::string id;
  std::string reference;
  model::Work work;
  std::string arithmetic;
  std::optional<model::SkipReason> skip_reason;
  std::string reason;
};

/// A problem text that no operation of the worker could read.
struct RejectedProblem {
  std::string problem, message;
};

struct PlanAnswer {
  std::vector<PlannedCase> cases;
  std::vector<RejectedProblem> rejected;
  std::vector<model::ProblemInfo> problems;  ///< axes of those that have any
};

/// Sign of life while a case runs.
struct ProgressAnswer {
  std::string case_id;
  std::string phase;  ///< "verify", "warm_up", "measure"
};

struct ResultAnswer {
  model::CaseResult result;
  /// The device context is lost (sticky CUDA error): the worker exits after this answer and must be restarted.
  bool context_lost = false;
};

struct LaunchesAnswer {
  std::string case_id;
  std::vector<model::LaunchAttributes> launches;  ///< empty where none can be read, as for a library on the CPU
  std::string message;                            ///< why it could not be launched; empty if it could
  bool context_lost = false;                      ///< as for a result
};

/// The request could not be carried out at all.
struct ErrorAnswer {
  std::string code;  ///< "no_device", "protocol", "unknown_case", "internal"
  std::string message;
};

using Answer = std::variant<HelloAnswer, PlanAnswer, ProgressAnswer, ResultAnswer, LaunchesAnswer, ErrorAnswer>;

/// One line, newline included. Invalid UTF-8 is mended with replacement characters. Throws std::invalid_argument for
/// what a line cannot carry: a seed above kMaxSeed, or a message longer than kMaxLineBytes.
std::string encode(Request const& request);
std::string encode(Answer const& answer);
/// Strict: unknown types and keys throw model::FormatError naming `origin` and the place, unknown versions
/// VersionError. What one message alone cannot show (does the result answer the request?) is checked by
/// protocol/contract.h.
Request decode_request(std::string_view line, std::string_view origin);
Answer decode_answer(std::string_view line, std::string_view origin);

}  // namespace perfcheck::protocol
