// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known about one case, as logarithms of session medians by witness; nothing is decided here.
#pragma once

#include "perfcheck/gate/gate.h"

#include <array>

namespace perfcheck::gate {

enum class Metric { ratio, cycles, time };
inline constexpr std::array<Metric, 3> kMetrics = {Metric::ratio, Metric::cycles, Metric::time};

/// A value per metric, where the metric can be used.
template <typename T>
class PerMetric {
 public:
  std::optional<T>& operator[](Metric metric) { return values_[static_cast<std::size_t>(metric)]; }
  std::optional<T> const& operator[](Metric metric) const { return values_[static_cast<std::size_t>(metric)]; }

 private:
  std::array<std::optional<T>, kMetrics.size()> values_;
};

enum class Stage { screen, confirm };

/// What one card measured, in the order of its sessions.
struct OfCard {
  std::vector<double> logs;
  std::vector<int> occasions;  ///< of each session (occasion.h)
};
using ByCard = std::map<std::string, OfCard>;

/// Logarithms of one metric's session medians.
struct Series {
  /// The baseline's, by the card that made them.
  ByCard baseline;
  /// The base build's, measured beside the confirmation; empty where confirmation is compared with `baseline`.
  ByCard confirm_base;
  std::vector<double> screen, confirm;
  int occasion = 0;  ///< of the new sessions

  std::vector<double> const& fresh(Stage stage) const { return stage == Stage::screen ? screen : confirm; }
  ByCard const& stored(Stage stage) const {
    return stage == Stage::screen || confirm_base.empty() ? baseline : confirm_base;
  }
  std::size_t baseline_sessions() const;
};

/// What slow rounds cost in each session (model::SessionSummary::tail).
struct Tails {
  std::vector<double> baseline;  ///< empty where the baseline does not tell
  /// The base build's, measured beside the confirmation; empty where confirmation is compared with `baseline`.
  std::vector<double> confirm_base;
  std::vector<double> screen, confirm;
};

/// What a case can be judged by.
enum class Basis {
  ratio,         ///< the ratio, and cycles where the clock can be read
  cycles,        ///< no usable ratio
  time,          ///< neither ratio nor clocks
  incomparable,  ///< nothing that was measured on both sides can be compared; `obstacle` says why
};

/// Why it is less likely that a commit made a case slower. Such a case is tested like any other, with less weight: what
/// can be hashed is not all that can change (docs/how-the-gate-decides.md).
enum class Control {
  no,
  library,     ///< a library's own kernel, its version and its launches are those of the baseline
  equal_code,  ///< machine code and launches are those of the baseline
};

struct Evidence {
  std::string id;
  std::string card;   ///< that measured it now; empty for a kernel whose cases several cards measured
  double margin = 0;  ///< log scale
  PerMetric<Series> series;
  Basis basis = Basis::incomparable;
  std::string obstacle;         ///< why the ratio, or everything, cannot be used; empty when nothing is in the way
  std::string obstacle_code;    ///< stable name of it
  bool lost_clock = false;      ///< the baseline has cycles, the new sessions have none
  bool needs_sessions = false;  ///< fewer baseline sessions than the policy asks for
  std::size_t baseline_sessions = 0;
  double baseline_time_ns = 0;  ///< median over the baseline's sessions
  Control control = Control::no;
  std::string reference;  ///< case id; its own where it is timed against nothing else
  Tails tails;
  std::vector<std::string> stored_sessions;  ///< ids of the baseline's sessions, in the order of the series
  std::size_t cases = 1;                     ///< more than one when it is about all cases of a kernel
};

/// In Holm's procedures: a case that launches what it launched for the baseline needs evidence that is four times as
/// strong, and leaves the others the more. It is not left out.
inline double weight_of(Evidence const& evidence) { return evidence.control == Control::no ? 1 : 0.25; }

/// Where evidence comes from.
struct Sources {
  model::Baseline const& baseline;
  model::Baseline const* confirm_base;  ///< null: `baseline`
  model::BaselineSession const& measured_on;
  Policy const& policy;
};

/// The evidence about a case that both sides measured, or why the numbers cannot be used: empty columns, a value that
/// is not finite and positive, sessions that disagree about the reference.
std::optional<Evidence> gather(Sources const& sources, model::BaselineCase const& stored, Observation const& seen,
                               std::string& why_not);

}  // namespace perfcheck::gate
