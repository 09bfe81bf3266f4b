// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known about one case: logarithms of session medians, by witness. Nothing is decided here.
#pragma once

#include "perfcheck/gate/gate.h"

#include <array>

namespace perfcheck::gate {

enum class Metric { ratio, cycles, time };
inline constexpr std::array<Metric, 3> kMetrics = {Metric::ratio, Metric::cycles, Metric::time};

/// A value for each metric that can be used.
template <typename T>
class PerMetric {
 public:
  std::optional<T>& operator[](Metric metric) { return values_[static_cast<std::size_t>(metric)]; }
  std::optional<T> const& operator[](Metric metric) const { return values_[static_cast<std::size_t>(metric)]; }

 private:
  std::array<std::optional<T>, kMetrics.size()> values_;
};

enum class Stage { screen, confirm };

/// What was measured on one card, in the order of its sessions.
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
  std::vector<double> baseline;  ///< empty where the baseline does not record it
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

/// Why a commit is less likely to have made a case slower. Such a case is tested like any other, but with less weight:
/// hashes do not cover everything that can change (docs/how-the-gate-decides.md).
enum class Control {
  no,
  library,     ///< a library's own kernel; its version and its launches are as in the baseline
  equal_code,  ///< machine code and launches are as in the baseline
};

struct Evidence {
  std::string id;
  std::string card;   ///< on which it was measured now; empty for a kernel whose cases several cards measured
  double margin = 0;  ///< log scale
  PerMetric<Series> series;
  Basis basis = Basis::incomparable;
  std::string obstacle;         ///< why the ratio, or everything, cannot be used; empty when nothing is in the way
  std::string obstacle_code;    ///< its stable name
  bool lost_clock = false;      ///< the baseline has cycles, the new sessions have none
  bool needs_sessions = false;  ///< fewer baseline sessions than the policy asks for
  std::size_t baseline_sessions = 0;
  double baseline_time_ns = 0;  ///< median over the baseline's sessions
  Control control = Control::no;
  std::string reference;  ///< case id of the reference; the case's own id if it has none
  Tails tails;
  std::vector<std::string> stored_sessions;  ///< ids of the baseline's sessions, in the order of the series
  std::size_t cases = 1;                     ///< more than one when the evidence is about a kernel as a whole
};

/// Weight in Holm's procedures. A case that launches the same as for the baseline needs a p-value four times as small,
/// which leaves more of alpha to the others; but it is not left out.
inline double weight_of(Evidence const& evidence) { return evidence.control == Control::no ? 1 : 0.25; }

/// Where evidence comes from.
struct Sources {
  model::Baseline const& baseline;
  model::Baseline const* confirm_base;  ///< null: `baseline`
  model::BaselineSession const& measured_on;
  Policy const& policy;
};

/// The evidence about a case that both sides measured. Empty, with the reason in `why_not`, when the numbers cannot be
/// used: empty columns, a value that is not finite and positive, sessions with different references.
std::optional<Evidence> gather(Sources const& sources, model::BaselineCase const& stored, Observation const& seen,
                               std::string& why_not);

}  // namespace perfcheck::gate
