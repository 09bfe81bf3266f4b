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
  int code = -1;          ///< which machine code and launches; negative: unknown
  bool improved = false;  ///< the gate called it improved
};

/// Why a case is not judged, or cannot be.
enum class Reason {
  none,
  library,         ///< a library's kernel: none of our commits changes it
  gone,            ///< no longer measured
  few_runs,        ///< too few in the anchor, or since
  other_cards,     ///< no card, or no way of timing, is on both sides
  not_finite,      ///< some of its numbers are not finite
  controls_moved,  ///< cases that no commit changed moved as well: the machine did, or what measures
};
/// Part of a sentence, for messages.
std::string_view to_text(Reason reason);

/// One case over its runs.
struct CaseHistory {
  std::string id;
  double margin = 0;            ///< share by which it may become slower without failing the gate
  double time_ns = 0;           ///< of a launch, in its newest run; 0 unknown
  std::vector<Point> points;    ///< by run, no run twice
  std::optional<int> accepted;  ///< first run at the level of its sessions in the stored baseline
  Reason left_out = Reason::none;
};

struct Options {
  std::optional<int> release;  ///< last run of the release that is compared with; none: the first runs of each case
  double alpha = 0.01;         ///< chance that any case of the device is blamed without a reason
  double min_sd = 0.0005;      ///< lower limit for standard deviations
  double floor_ns = 0;         ///< changes of a launch below this are of no interest
};

enum class Status {
  steady,
  creeping,  ///< significantly above the anchor, by more than half of the margin
  drifted,   ///< significantly above the anchor, by more than the margin
  unknown,   ///< cannot be judged, see CaseCreep::reason
  left_out,  ///< not judged, see CaseCreep::reason
};
/// "steady", "creeping", ...
std::string_view to_text(Status status);

/// What the anchor is.
enum class AnchorKind {
  first_runs,
  release,
  accepted,  ///< sessions of the stored baseline, if they changed the level
  improved,  ///< an improvement that the gate had confirmed
};
/// "the first runs", "the release", ...
std::string_view to_text(AnchorKind kind);

/// A commit that may have contributed, by its first run.
struct Contribution {
  int run = 0;
  int before = 0;  ///< run of the case before it: what lies between may have contributed as well
  std::optional<double> moved, low, high;  ///< rise of the level there, a share, with 95 % limits; empty: unknown
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
  int runs = 0;                         ///< the drift is the mean of this many of the newest runs
  double p = 1;                         ///< p-value of such a drift anywhere in a history without one
  /// If the case is creeping or has drifted: the run at which that began, and the earliest run since which every
  /// judgement would have said so.
  int onset = -1, alarm = -1;
  std::vector<Contribution> contributions;  ///< those that moved the level most first, then by run
};

struct DeviceCreep {
  std::vector<CaseCreep> cases;          ///< in the order given
  int judged = 0;                        ///< cases judged by their numbers
  double correlation = 0;                ///< assumed correlation of neighbouring runs
  int controls = 0, controls_moved = 0;  ///< of the judged, those of the same code since their anchor

  std::vector<CaseCreep const*> with(Status status) const;
};

/// Judges all cases of a device together: it controls the family-wise error rate (Holm 1979) and estimates the
/// correlation of neighbouring runs from all of them. Cases that launched the same code since their anchor are judged
/// too, because equal code is not equal work. But if a fifth of at least eight of them rose, the machine changed, and
/// no case is blamed.
DeviceCreep find_creep(std::vector<CaseHistory> const& cases, Options const& options);

}  // namespace perfcheck::creep
