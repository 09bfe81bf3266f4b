// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps below the margin that add up over many commits: which cases of a device crept away from an earlier level, how
// far, since when, and with which commits (docs/change-points.md, Creep). Pure: values in, values out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::creep {

/// One run of a case. Runs are named by their place on the device's axis, which is in the order of the commits.
struct Point {
  int run = 0;
  double value = 0;       ///< logarithm of what the gate decides by: cycles, ratio or time
  int group = 0;          ///< card and way of timing, counted from 0
  int commit = -1;        ///< which commit; negative: unknown, one of its own
  int code = -1;          ///< which machine code and launches; negative: nobody can tell
  bool improved = false;  ///< the gate said so
};

/// Why a case is not judged, or cannot be.
enum class Reason {
  none,
  library,         ///< a library's kernel: none of our commits changes it
  gone,            ///< no longer measured
  few_runs,        ///< too few in the anchor, or since
  other_cards,     ///< no card, or no way of timing, is on both sides
  not_finite,      ///< its numbers are none
  controls_moved,  ///< cases that no commit changed moved as well: the machine did, or what measures
};
/// A half sentence.
std::string_view to_text(Reason reason);

/// One case over its runs.
struct CaseHistory {
  std::string id;
  double margin = 0;            ///< share by which the gate lets it become slower
  double time_ns = 0;           ///< of a launch, in its newest run; 0 unknown
  std::vector<Point> points;    ///< by run, no run twice
  std::optional<int> accepted;  ///< first run at the level of its sessions in the stored baseline
  Reason left_out = Reason::none;
};

struct Options {
  std::optional<int> release;  ///< last run of the release that is compared with; none: the first runs of each case
  double alpha = 0.01;         ///< chance that any case of the device is told without a reason
  double min_sd = 0.0005;      ///< no standard deviation below this is believed
  double floor_ns = 0;         ///< changes of a launch below this are of no interest
};

enum class Status {
  steady,
  creeping,  ///< higher than the anchor, beyond chance, by more than half of the margin
  drifted,   ///< beyond chance, and by more than the margin
  unknown,   ///< cannot be told, see CaseCreep::reason
  left_out,  ///< not judged, see CaseCreep::reason
};
/// "steady", "creeping", ...
std::string_view to_text(Status status);

/// What the anchor is.
enum class AnchorKind {
  first_runs,
  release,
  accepted,  ///< the stored baseline's sessions, whose level is another than before them
  improved,  ///< an improvement that the gate had confirmed
};
/// "the first runs", "the release", ...
std::string_view to_text(AnchorKind kind);

/// A commit that may have contributed, by its first run.
struct Contribution {
  int run = 0;
  int before = 0;  ///< run of the case before it: what lies between may have contributed as well
  std::optional<double> moved, low, high;  ///< share the level rose by there, with 95 % limits; none: not to be told
  bool likeliest = false;  ///< the step's most probable place; others with the same numbers are not excluded
};

struct CaseCreep {
  std::string id;
  Status status = Status::unknown;
  Reason reason = Reason::none;
  double margin = 0;
  AnchorKind anchor = AnchorKind::first_runs;
  int anchor_from = -1, anchor_to = -1;  ///< its first and its last run
  int anchor_runs = 0;
  double drift = 0, low = 0, high = 0;  ///< shares, each limit at 95 %
  int runs = 0;                         ///< how many of the newest the drift is the mean of
  double p = 1;                         ///< of such a drift anywhere in a history without one
  /// Of a case that is creeping or has drifted: the run at which it began, and the first of those without a break at
  /// which it could be told.
  int onset = -1, alarm = -1;
  std::vector<Contribution> contributions;  ///< those that moved the level most first, then by run
};

struct DeviceCreep {
  std::vector<CaseCreep> cases;          ///< as they were given
  int judged = 0;                        ///< that have a status by their numbers
  double correlation = 0;                ///< of neighbouring runs, as it was taken to be
  int controls = 0, controls_moved = 0;  ///< of the judged, those of the same code since their anchor

  std::vector<CaseCreep const*> with(Status status) const;
};

/// Judges all cases of a device together: their error rate is that of the family (Holm 1979), and how much neighbouring
/// runs agree is known from all of them. Cases that launched the same code since their anchor are judged too, for equal
/// code is not equal work; but where a fifth of at least eight of them rose, the machine did, and no case is blamed.
DeviceCreep find_creep(std::vector<CaseHistory> const& cases, Options const& options);

}  // namespace perfcheck::creep
