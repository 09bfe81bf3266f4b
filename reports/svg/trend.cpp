// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One case over the commits.
#include "perfcheck/model/one_line.h"
#include "perfcheck/report/format.h"
#include "perfcheck/report/pictures.h"
#include "svg/axis.h"
#include "svg/canvas.h"
#include "svg/trend_marks.h"
#include "text/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace perfcheck::report {
namespace {

using Anchor = Canvas::Anchor;

constexpr double kEdge = 15, kLeft = 72, kRight = 812, kTop = 50, kLane = 16, kPlot = 220;
constexpr std::size_t kMostPoints = 150;  // with more, circles would merge into a stripe

struct Point {
  int run = 0;
  double value = 0;
  std::optional<double> half_width;
};

/// Values in the unit of the axis; a run without a value ends a stretch.
using Stretches = std::vector<std::vector<Point>>;

struct Unit {
  std::string name;
  double scale = 1;
};

Unit unit_of(Metric metric, double largest) {
  switch (metric) {
    case Metric::ratio: return {"time over the reference's", 1};
    case Metric::cycles:
      if (largest >= 1e6) return {"million cycles", 1e-6};
      return largest >= 1e4 ? Unit{"thousand cycles", 1e-3} : Unit{"cycles", 1};
    case Metric::time:
      if (largest >= 1e9) return {"time in s", 1e-9};
      if (largest >= 1e6) return {"time in ms", 1e-6};
      return largest >= 1e3 ? Unit{"time in \xc2\xb5s", 1e-3} : Unit{"time in ns", 1};
  }
  throw std::logic_error("unknown metric");
}

/// Values outside of this range cannot be measurements, and their sums could overflow a double.
bool known(double value) { return value > 1e-100 && value < 1e100; }

/// Larger half widths are drawn as this one, which already reaches beyond the picture.
constexpr double kWidest = 100;

Stretches stretches_of(Series const& series, Metric metric, double scale) {
  Stretches result(1);
  for (std::size_t i = 0; i < series.size(); ++i) {
    double const value = series.values(metric)[i], half_width = series.half_widths(metric)[i];
    if (!known(value)) {
      if (!result.back().empty()) result.emplace_back();
      continue;
    }
    result.back().push_back(
        {series.run[i], value * scale, half_width >= 0 ? std::optional(std::min(half_width, kWidest)) : std::nullopt});
  }
  if (result.back().empty()) result.pop_back();
  return result;
}

/// The axis leaves room for the values and the baseline, and for intervals unless one is so wide that the rest would
/// look flat.
Axis value_axis(Stretches const& stretches, std::optional<ReportLevel> const& baseline) {
  double low = std::numeric_limits<double>::infinity(), high = 0, lowest = low, highest = 0;
  for (std::vector<Point> const& stretch : stretches) {
    for (Point const& point : stretch) {
      low = std::min(low, point.value);
      high = std::max(high, point.value);
      double const factor = std::exp(point.half_width.value_or(0));
      lowest = std::min(lowest, point.value / factor);
      highest = std::max(highest, point.value * factor);
    }
  }
  if (baseline) {
    low = std::min(low, baseline->low);
    high = std::max(high, baseline->high);
  }
  double const span = std::max(high - low, 0.002 * high);
  low = std::min(low, std::max(lowest, low - span));
  high = std::max(high, std::min(highest, high + span));
  double const margin = std::max(0.06 * (high - low), 0.001 * high);
  return {.low = std::max(low - margin, 0.0), .high = high + margin};
}

std::string point_text(double x, double y) { return coordinate(x) + " " + coordinate(y); }

/// Draws band and line of one stretch. A single point with an interval gets a whisker.
void draw_stretch(Canvas& canvas, std::vector<Point> const& stretch, Axis const& runs, Axis const& values) {
  double const beyond = values.high - values.low;  // outside of the plot, but without huge coordinates
  auto const edge = [&](Point const& point, double sign) {
    double const value = point.value * std::exp(sign * *point.half_width);
    return point_text(runs.place(point.run),
                      values.place(std::clamp(value, values.low - beyond, values.high + beyond)));
  };
  for (std::size_t begin = 0; begin < stretch.size();) {
    std::size_t end = begin;
    std::string upper, lower;
    for (; end < stretch.size() && stretch[end].half_width; ++end) {
      upper += (end == begin ? "M" : "L") + edge(stretch[end], 1);
      lower = "L" + edge(stretch[end], -1) + lower;
    }
    if (end - begin == 1) canvas.path(upper + lower, "whisker");
    if (end - begin > 1) canvas.path(upper + lower + "Z", "band");
    begin = std::max(end, begin + 1);
  }
  std::string line;
  for (Point const& point : stretch)
    line += (line.empty() ? "M" : "L") + point_text(runs.place(point.run), values.place(point.value));
  if (stretch.size() > 1) canvas.path(line, "line");
}

void draw_values(Canvas& canvas, Stretches const& stretches, Axis const& runs, Axis const& values) {
  std::size_t points = 0;
  for (std::vector<Point> const& stretch : stretches) {
    points += stretch.size();
    draw_stretch(canvas, stretch, runs, values);
  }
  for (std::vector<Point> const& stretch : stretches) {
    if (points > kMostPoints && stretch.size() > 1) continue;
    for (Point const& point : stretch) canvas.circle(runs.place(point.run), values.place(point.value), 2.5, "point");
  }
}

void draw_baseline(Canvas& canvas, ReportLevel const& level, Axis const& values) {
  double const top = values.place(level.high), bottom = values.place(level.low), middle = values.place(level.median);
  canvas.rectangle(kLeft, top, kRight - kLeft, std::max(bottom - top, 1.0), "baseline");
  canvas.line(kLeft, middle, kRight, middle, "level");
}

std::string commit_name(ReportDevice const& device, int run) {
  ReportRun const& at = device.runs[static_cast<std::size_t>(run)];
  if (at.commit < 0) return "";
  std::string const id = device.commits.at(static_cast<std::size_t>(at.commit)).id.substr(0, 7);
  return at.dirty && !id.empty() ? id + "+" : id;
}

/// The day of the commit, or of the run where that is not known.
std::string day_of(ReportDevice const& device, int run) {
  ReportRun const& at = device.runs[static_cast<std::size_t>(run)];
  std::string const committed = at.commit < 0 ? "" : device.commits.at(static_cast<std::size_t>(at.commit)).committed;
  return (committed.empty() ? at.started : committed).substr(0, 10);
}

void draw_runs(Canvas& canvas, ReportDevice const& device, Series const& series, Axis const& runs, double bottom) {
  canvas.line(kLeft, bottom, kRight, bottom, "axis");
  std::size_t const labels = std::min<std::size_t>(series.size(), 8);
  for (std::size_t label = 0; label < labels; ++label) {
    std::size_t const i = labels == 1 ? 0 : label * (series.size() - 1) / (labels - 1);
    double const x = runs.place(series.run[i]);
    Anchor const anchor = labels == 1 || (label > 0 && label + 1 < labels) ? Anchor::middle
                          : label == 0                                     ? Anchor::start
                                                                           : Anchor::end;
    canvas.line(x, bottom, x, bottom + 4, "axis");
    canvas.text(x, bottom + 18, "name quiet", anchor, commit_name(device, series.run[i]));
    bool const with_day = label == 0 || label + 1 == labels || label == labels / 2;
    if (with_day) canvas.text(x, bottom + 34, "quiet", anchor, day_of(device, series.run[i]));
  }
}

void draw_grid(Canvas& canvas, Axis const& values) {
  Ticks const ticks = ticks_of(values.low, values.high, 5);
  for (double const tick : ticks.values) {
    double const y = values.place(tick);
    canvas.line(kLeft, y, kRight, y, "grid");
    canvas.text(kLeft - 7, y + 4, "quiet", Anchor::end, ticks.text(tick));
  }
}

std::string legend_of(Stretches const& stretches, bool baseline, std::size_t unlabelled) {
  bool intervals = false;
  for (std::vector<Point> const& stretch : stretches)
    intervals = intervals || std::any_of(stretch.begin(), stretch.end(), [](Point const& p) { return p.half_width; });
  std::string text = intervals ? "Line: medians, with their 95 % intervals." : "Line: medians.";
  if (baseline) text += " Grey: sessions of the baseline.";
  text += " Lower is faster.";
  if (unlabelled == 1) text += " 1 smaller change has no label.";
  if (unlabelled > 1) text += fmt::format(" {} smaller changes have no label.", unlabelled);
  return text;
}

std::string description_of(std::vector<TrendMark> const& marks, Series const& series, std::string const& legend) {
  std::string text = fmt::format("{} runs. {}", series.size(), legend);
  if (marks.empty()) text += " No change of level.";
  for (TrendMark const& mark : marks) {
    text +=
        fmt::format(" {} (95 %: {} to {}).", mark.text, percent_text(mark.change.low), percent_text(mark.change.high));
  }
  return text;
}

void check_arguments(ReportDevice const& device, int case_index, Series const& series) {
  check(series);
  if (case_index < 0 || static_cast<std::size_t>(case_index) >= device.cases.size()) {
    throw std::invalid_argument(fmt::format("there is no case {} among {}", case_index, device.cases.size()));
  }
  if (!series.run.empty() && static_cast<std::size_t>(series.run.back()) >= device.runs.size()) {
    throw std::invalid_argument(fmt::format("there is no run {} among {}", series.run.back(), device.runs.size()));
  }
}

std::optional<ReportLevel> baseline_of(ReportCase const& of, Metric metric, double scale) {
  if (!of.baseline || !of.baseline->level(metric)) return std::nullopt;
  ReportLevel const& level = *of.baseline->level(metric);
  if (!known(level.low) || !known(level.median) || !known(level.high)) return std::nullopt;
  return ReportLevel{level.median * scale, level.low * scale, level.high * scale};
}

}  // namespace

std::string trend_svg(ReportDevice const& device, int case_index, Series const& series, SeriesFacts const& facts,
                      Metric metric) {
  check_arguments(device, case_index, series);
  ReportCase const& of = device.cases[static_cast<std::size_t>(case_index)];
  double largest = 0;
  for (double const value : series.values(metric)) largest = known(value) ? std::max(largest, value) : largest;
  Unit const unit = unit_of(metric, largest);
  Stretches const stretches = stretches_of(series, metric, unit.scale);

  Canvas canvas;
  canvas.text(kEdge, 28, "title", Anchor::start, shortened(model::one_line(of.id), 92), of.id);
  canvas.text(kEdge, 47, "quiet", Anchor::start, shortened(model::one_line(device.card.name), 90) + ": " + unit.name);
  if (stretches.empty()) {
    canvas.text(kEdge, 80, "plain", Anchor::start, fmt::format("No run knows the {} of this case.", to_text(metric)));
    return canvas.picture(100, of.id, "No values.");
  }
  std::vector<ReportChange> changes;
  std::vector<std::string> commits;
  for (ReportChange const& change : facts.changes) {
    if (change.metric != metric) continue;
    changes.push_back(change);
    commits.push_back(commit_name(device, device.runs.size() > static_cast<std::size_t>(change.run) ? change.run : 0));
  }
  auto const [first, last] = std::pair(static_cast<double>(series.run.front()), static_cast<double>(series.run.back()));
  // A single run stands in the middle.
  Axis const runs{
      .low = first == last ? first - 1 : first, .high = first == last ? last + 1 : last, .from = kLeft, .to = kRight};
  std::vector<TrendMark> const marks = place_marks(changes, commits, runs);
  std::optional<ReportLevel> const baseline = baseline_of(of, metric, unit.scale);
  double const top = kTop + 12 + kLane * lanes_of(marks), bottom = top + kPlot;
  Axis values = value_axis(stretches, baseline);
  values.from = bottom;
  values.to = top;

  draw_grid(canvas, values);
  draw_runs(canvas, device, series, runs, bottom);
  canvas.begin_clip(kLeft - 3, top, kRight - kLeft + 6, kPlot);
  if (baseline) draw_baseline(canvas, *baseline, values);
  draw_values(canvas, stretches, runs, values);
  canvas.end_clip();
  draw_marks(canvas, marks, runs, top, bottom);
  auto const unlabelled = static_cast<std::size_t>(
      std::count_if(marks.begin(), marks.end(), [](TrendMark const& mark) { return mark.lane < 0; }));
  std::string const legend = legend_of(stretches, baseline.has_value(), unlabelled);
  canvas.text(kEdge, bottom + 58, "quiet", Anchor::start, legend);
  return canvas.picture(bottom + 70, fmt::format("{} on {}: {} over commits", of.id, device.card.name, to_text(metric)),
                        description_of(marks, series, legend));
}

}  // namespace perfcheck::report
