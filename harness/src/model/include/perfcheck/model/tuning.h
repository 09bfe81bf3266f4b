// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What `perfcheck tune` found on one device model: baselines/<device-slug>/<operation>.tuned.json. Builds compile the
// rankings in (perfcheck/gemm_tuning.h).
#pragma once

#include "perfcheck/model/run.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::model {

inline constexpr char const* kTuningSchema = "perfcheck.tuning/2";
/// Older versions that are still read. Version 1 lacks what tells whether points of another program are still valid:
/// `command` and `timing` of a session, `code` and `reference_code` of a point.
inline constexpr std::array<char const*, 1> kEarlierTuningSchemas = {"perfcheck.tuning/1"};

/// Where and with what points were measured.
struct TuningSession {
  std::string id;  ///< "s1", unique in the file
  std::string started;
  std::string device_uuid;
  std::string driver, cuda_runtime;
  std::map<std::string, std::string> libraries;
  std::string commit;   ///< "-dirty" is appended when the working tree held changes
  std::string worker;   ///< hash of the worker's program and of its command
  std::string command;  ///< hash of the command alone: its words and programs, except for the worker's; may be empty
  int timing = kFirstTiming;  ///< Environment::timing
};

/// One point of one kernel on one problem; verified.
struct TunedPoint {
  std::string kernel;   ///< "gemm/simt/persistent:8x1", or a kernel without a tuning space
  std::string session;  ///< id
  double time_ns = 0;
  std::optional<double> ratio;  ///< to the reference's time, median over the rounds
  bool brief = false;           ///< measured only briefly, because others were clearly faster
  /// What the case launched, and which reference launched what: hashes of tuning/validity.h; empty where unknown.
  std::string code = {}, reference_code = {};
};

struct Tuning {
  std::string operation;
  std::string device_slug, device_name;
  std::vector<TuningSession> sessions;
  std::map<std::string, std::vector<TunedPoint>> problems;  ///< by problem text; points sorted by kernel
};

/// "gemm/simt/persistent:8x1" is a point of gemm/simt/persistent; a kernel without a space is its only point.
struct PointId {
  std::string kernel, point;
};
PointId split_point(std::string const& kernel);

/// Sorted by speed: by ratio if every point has one, else by time.
std::vector<TunedPoint> fastest_first(std::vector<TunedPoint> points);
/// Each kernel's fastest point, the fastest kernel first.
std::vector<std::string> ranking_of(std::vector<TunedPoint> const& points);

/// File text, one line per point.
std::string tuning_to_text(Tuning const& tuning);
/// Throws FormatError naming place and remedy, also for a ranking that does not match its points.
Tuning tuning_from_text(std::string_view text, std::string_view origin);

}  // namespace perfcheck::model
