// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "svg/trend_marks.h"

#include "text/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perfcheck::report {
namespace {

constexpr double kLetter = 7.2;  // width in bold text of 12 px, estimated generously
constexpr double kGap = 8, kLane = 16;
constexpr int kLanes = 5;

double width_of(TrendMark const& mark) { return kLetter * static_cast<double>(character_count(mark.text)); }

bool touch(TrendMark const& a, TrendMark const& b) {
  return a.left < b.left + width_of(b) + kGap && b.left < a.left + width_of(a) + kGap;
}

/// A label's stem crosses the lanes below it.
bool crosses(TrendMark const& upper, TrendMark const& lower) {
  return upper.x > lower.left - kGap && upper.x < lower.left + width_of(lower) + kGap;
}

bool fits(TrendMark const& mark, int lane, std::vector<TrendMark> const& marks) {
  return std::none_of(marks.begin(), marks.end(), [&](TrendMark const& other) {
    if (other.lane < 0) return false;
    if (other.lane == lane) return touch(mark, other);
    return other.lane < lane ? crosses(mark, other) : crosses(other, mark);
  });
}

std::string text_of(ReportChange const& change, std::string const& commit) {
  std::string text = (change.size > 0 ? "\xe2\x96\xb2 " : "\xe2\x96\xbc ") + percent_text(change.size);
  if (!commit.empty()) text += " " + commit;
  return change.went_away ? text + " (went away)" : text;
}

}  // namespace

std::string percent_text(double share) {
  double const percent = 100 * share;
  if (!(percent < 9999.5)) return "over +9999 %";
  return fmt::format("{:+.{}f} %", percent, std::abs(percent) < 99.5 ? 1 : 0);
}

std::vector<TrendMark> place_marks(std::vector<ReportChange> const& changes, std::vector<std::string> const& commits,
                                   Axis const& runs) {
  std::vector<TrendMark> marks;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    TrendMark mark{.change = changes[i], .text = text_of(changes[i], commits[i]), .x = runs.place(changes[i].run)};
    // The first letter of the text stands at the line; near the right edge of the picture, the last one does.
    bool const to_the_right = mark.x + width_of(mark) < runs.to + 5;
    mark.left = to_the_right ? mark.x - 4 : mark.x + 4 - width_of(mark);
    marks.push_back(mark);
  }
  std::vector<std::size_t> order(marks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(std::log1p(changes[a].size)) > std::abs(std::log1p(changes[b].size));
  });
  for (std::size_t const i : order) {
    for (int lane = 0; lane < kLanes && marks[i].lane < 0; ++lane) {
      if (fits(marks[i], lane, marks)) marks[i].lane = lane;
    }
  }
  return marks;
}

int lanes_of(std::vector<TrendMark> const& marks) {
  int lanes = 0;
  for (TrendMark const& mark : marks) lanes = std::max(lanes, mark.lane + 1);
  return lanes;
}

void draw_marks(Canvas& canvas, std::vector<TrendMark> const& marks, Axis const& runs, double top, double bottom) {
  for (TrendMark const& mark : marks) {
    std::string_view const style = mark.change.size > 0 ? "slower" : "faster";
    double const from = runs.place(mark.change.from), to = runs.place(mark.change.to);
    if (to > from) canvas.rectangle(from, top, to - from, bottom - top, style);
    double const y = top - 6 - kLane * mark.lane;
    canvas.line(mark.x, mark.lane < 0 ? top : y + 3, mark.x, bottom, style);
    if (mark.lane < 0) continue;
    bool const to_the_right = mark.left < mark.x && mark.left > mark.x - 5;
    canvas.text(to_the_right ? mark.left : mark.x + 4, y, style,
                to_the_right ? Canvas::Anchor::start : Canvas::Anchor::end, mark.text);
  }
}

}  // namespace perfcheck::report
