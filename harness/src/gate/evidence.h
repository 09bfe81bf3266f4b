// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known about one case, as logarithms of session medians by witness; nothing is decided here.
#pragma once

#include "gate/gate.h"

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

/// Logarithms of one metric's session medians.
struct Series {
  /// The baseline's, by the card that made them.
  std::map<std::string, std::vector<double>> baseline;
  std::vector<double> screen, confirm;

  std::vector<double> const& fresh(Stage stage) const { return stage == Stage::screen ? screen : confirm; }
  std::size_t baseline_sessions() const;
};

/// What a case can be judged by.
enum class Basis {
  ratio,         ///< the ratio, and cycles where the clock can be read
  cycles,        ///< no usable ratio
  time,          ///< neither ratio nor clocks
  incomparable,  ///< nothing that was measured on both sides can be compared; `obstacle` says why
};

struct Evidence {
  std::string id;
  double margin = 0;  ///< log scale
  PerMetric<Series> series;
  Basis basis = Basis::incomparable;
  std::string obstacle;         ///< why the ratio, or everything, cannot be used; empty when nothing is in the way
  std::string obstacle_code;    ///< stable name of it
  bool needs_sessions = false;  ///< fewer baseline sessions than the policy asks for
  std::size_t baseline_sessions = 0;
  double baseline_time_ns = 0;  ///< median over the baseline's sessions
  /// A library's own kernel whose version and launches are those of the baseline: no commit changed it.
  bool frozen_control = false;
};

/// The evidence about a case that both sides measured, or why the numbers cannot be used: empty columns, a value that
/// is not finite and positive, sessions that disagree about the reference.
std::optional<Evidence> gather(model::Baseline const& baseline, model::BaselineCase const& stored,
                               Observation const& seen, model::BaselineSession const& measured_on, Policy const& policy,
                               std::string& why_not);

}  // namespace perfcheck::gate
