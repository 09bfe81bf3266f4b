// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of one problem, slowest first.
#include "perfcheck/model/one_line.h"
#include "perfcheck/model/run.h"
#include "perfcheck/report/format.h"
#include "perfcheck/report/pictures.h"
#include "svg/axis.h"
#include "svg/canvas.h"
#include "text/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace perfcheck::report {
namespace {

using Anchor = Canvas::Anchor;

constexpr double kEdge = 15, kBarTop = 92, kRow = 20, kBar = 12;
constexpr double kLetter = 7.3;  // width in monospaced text of 12 px; fonts differ by a tenth of it
constexpr std::size_t kLongestName = 36;
constexpr double kSpeedEnd = 724, kShareEnd = kPictureWidth - kEdge, kBarsEnd = 660;

struct Rung {
  ReportCase const* of = nullptr;
  ReportKernel const* kernel = nullptr;
  std::optional<double> tflops;
  bool is_reference = false;

  std::optional<double> share() const {
    return is_reference ? std::nullopt : value_of(of->latest->figures, "reference_share");
  }
};

struct Ladder {
  std::vector<Rung> rungs;
  std::string prefix;  ///< common beginning of all kernels' ids, up to a '/'
  std::optional<double> peak, reference;
  std::string commit;

  double fastest() const {
    double most = 0;
    for (Rung const& rung : rungs) most = std::max(most, rung.tflops.value_or(0));
    return most;
  }
};

/// The case that most others name as their reference.
std::string reference_of(std::vector<Rung> const& rungs) {
  std::map<std::string, int> votes;
  for (Rung const& rung : rungs) {
    if (rung.of->reference != rung.of->id) ++votes[rung.of->reference];
  }
  auto const most =
      std::max_element(votes.begin(), votes.end(), [](auto const& a, auto const& b) { return a.second < b.second; });
  return most == votes.end() ? "" : most->first;
}

std::string common_folder(std::vector<Rung> const& rungs) {
  if (rungs.empty()) return "";
  std::string prefix = rungs.front().kernel->id;
  for (Rung const& rung : rungs) {
    std::string const& id = rung.kernel->id;
    auto const differs = std::mismatch(prefix.begin(), prefix.end(), id.begin(), id.end()).first;
    prefix.erase(differs, prefix.end());
  }
  std::size_t const slash = prefix.rfind('/');
  return slash == std::string::npos ? "" : prefix.substr(0, slash + 1);
}

/// Of the newest run shown; a run of a changed tree is not that of its commit.
std::string commit_of(ReportDevice const& device, std::vector<Rung> const& rungs) {
  int newest = -1;
  for (Rung const& rung : rungs) newest = std::max(newest, rung.of->latest->run);
  if (newest < 0) return "";
  ReportRun const& run = device.runs.at(static_cast<std::size_t>(newest));
  if (run.commit < 0) return "";
  std::string const id = device.commits.at(static_cast<std::size_t>(run.commit)).id.substr(0, 7);
  return run.dirty && !id.empty() ? id + " with changes" : id;
}

Ladder ladder_of(ReportDevice const& device, int problem) {
  Ladder ladder;
  for (ReportCase const& one : device.cases) {
    if (one.problem != problem || !one.latest || one.latest->status == model::CaseStatus::skipped) continue;
    ladder.rungs.push_back(
        {&one, &device.kernels.at(static_cast<std::size_t>(one.kernel)), value_of(one.latest->figures, "tflops")});
  }
  std::string const reference = reference_of(ladder.rungs);
  for (Rung& rung : ladder.rungs) {
    rung.is_reference = rung.of->id == reference;
    if (rung.is_reference) ladder.reference = rung.tflops;
    auto const peak = device.card.peak_tflops.find(rung.of->arithmetic);
    if (peak != device.card.peak_tflops.end() && peak->second > 0) ladder.peak = peak->second;
  }
  ladder.prefix = common_folder(ladder.rungs);
  ladder.commit = commit_of(device, ladder.rungs);
  std::stable_sort(ladder.rungs.begin(), ladder.rungs.end(),
                   [](Rung const& a, Rung const& b) { return a.tflops.value_or(-1) < b.tflops.value_or(-1); });
  return ladder;
}

std::string description_of(Ladder const& ladder) {
  std::string text = "Kernels by speed, slowest first.";
  for (Rung const& rung : ladder.rungs) {
    text += fmt::format(" {}: ", rung.kernel->id);
    text +=
        rung.tflops ? format_number(rung.tflops) + " TFLOP/s" : std::string(model::to_text(rung.of->latest->status));
    if (rung.is_reference) text += ", the reference";
    if (rung.share()) text += fmt::format(", {} of the reference", format_share(rung.share()));
    text += '.';
  }
  if (ladder.peak) text += fmt::format(" Peak of the device: {} TFLOP/s.", format_number(ladder.peak));
  return text;
}

void draw_scale(Canvas& canvas, Ladder const& ladder, Axis const& axis, double bottom) {
  Ticks const ticks = ticks_of(axis.low, axis.high, 5);
  for (double const tick : ticks.values) {
    canvas.line(axis.place(tick), kBarTop - 4, axis.place(tick), bottom, "grid");
    canvas.text(axis.place(tick), bottom + 15, "quiet", Anchor::middle, ticks.text(tick));
  }
  canvas.text(kSpeedEnd, kBarTop - 12, "quiet", Anchor::end, "TFLOP/s");
  if (ladder.reference) canvas.text(kShareEnd, kBarTop - 12, "quiet", Anchor::end, "of reference");
}

/// A line with its label to the left of its top, where there is no bar.
void draw_mark(Canvas& canvas, double x, double label_y, double bottom, std::string_view style,
               std::string const& label, double start) {
  canvas.line(x, label_y - 9, x, bottom, style);
  bool const fits = x - start > 6.5 * static_cast<double>(label.size());
  canvas.text(fits ? x - 5 : x + 5, label_y, "quiet", fits ? Anchor::end : Anchor::start, label);
}

void draw_rung(Canvas& canvas, Ladder const& ladder, Rung const& rung, Axis const& axis, double y) {
  std::string const full = rung.kernel->id;
  std::string const name = shortened(model::one_line(full.substr(ladder.prefix.size())), kLongestName);
  double const baseline = y + kBar - 2;
  canvas.text(axis.from - 8, baseline, rung.is_reference ? "name strong" : "name", Anchor::end, name,
              rung.kernel->summary.empty() ? full : full + ": " + rung.kernel->summary);
  if (!rung.tflops) {
    std::string_view const status = model::to_text(rung.of->latest->status);
    canvas.text(axis.from + 4, baseline, "quiet", Anchor::start, status == "measured" ? "no speed known" : status);
    return;
  }
  canvas.rectangle(axis.from, y, std::max(axis.place(*rung.tflops) - axis.from, 1.0), kBar,
                   rung.kernel->library.empty() ? "own" : "library");
  canvas.text(kSpeedEnd, baseline, rung.is_reference ? "strong" : "plain", Anchor::end, format_number(rung.tflops));
  if (rung.is_reference) {
    canvas.text(kShareEnd, baseline, "strong", Anchor::end, "reference");
  } else if (rung.share()) {
    canvas.text(kShareEnd, baseline, "plain", Anchor::end, format_share(rung.share()));
  }
}

void draw_legend(Canvas& canvas, Ladder const& ladder, double y) {
  auto const any = [&](bool library) {
    return std::any_of(ladder.rungs.begin(), ladder.rungs.end(),
                       [&](Rung const& rung) { return rung.tflops && rung.kernel->library.empty() != library; });
  };
  if (!any(true) || !any(false)) return;
  canvas.rectangle(kEdge, y - 9, 10, 10, "own");
  canvas.text(kEdge + 15, y, "quiet", Anchor::start, "own kernel");
  canvas.rectangle(kEdge + 95, y - 9, 10, 10, "library");
  canvas.text(kEdge + 110, y, "quiet", Anchor::start, "library");
}

}  // namespace

std::string ladder_svg(ReportDevice const& device, int problem) {
  if (problem < 0 || static_cast<std::size_t>(problem) >= device.problems.size()) {
    throw std::invalid_argument(fmt::format("there is no problem {} among {}", problem, device.problems.size()));
  }
  ReportProblem const& about = device.problems[static_cast<std::size_t>(problem)];
  Ladder const ladder = ladder_of(device, problem);
  std::string const what = about.name.empty() ? about.text : fmt::format("{} ({})", about.name, about.text);
  std::string const title = fmt::format("{}: {}", device.operation, what);
  std::string where = device.card.name;
  if (!ladder.commit.empty()) where += ", commit " + ladder.commit;
  if (!ladder.prefix.empty()) where += ", kernels of " + ladder.prefix;

  Canvas canvas;
  canvas.text(kEdge, 28, "title", Anchor::start, shortened(model::one_line(title), 95), title);
  canvas.text(kEdge, 47, "quiet", Anchor::start, shortened(model::one_line(where), 125), where);
  if (!(ladder.fastest() > 0)) {
    canvas.text(kEdge, 80, "plain", Anchor::start, "No speed is known of any kernel on this problem.");
    return canvas.picture(100, title, "No speed is known of any kernel on this problem.");
  }
  std::size_t longest = 0;
  for (Rung const& rung : ladder.rungs)
    longest = std::max(longest, std::min(kLongestName, character_count(rung.kernel->id) - ladder.prefix.size()));
  double const start = kEdge + kLetter * static_cast<double>(longest) + 8;
  Axis const axis{.low = 0, .high = std::max(ladder.fastest(), ladder.peak.value_or(0)), .from = start, .to = kBarsEnd};
  double const bottom = kBarTop + kRow * static_cast<double>(ladder.rungs.size());

  draw_scale(canvas, ladder, axis, bottom);
  double y = kBarTop;
  for (Rung const& rung : ladder.rungs) {
    draw_rung(canvas, ladder, rung, axis, y);
    y += kRow;
  }
  if (ladder.peak) {
    draw_mark(canvas, axis.place(*ladder.peak), 66, bottom, "peak", "peak " + format_number(ladder.peak), start);
  }
  if (ladder.reference) {
    draw_mark(canvas, axis.place(*ladder.reference), 81, bottom, "reference",
              "reference " + format_number(ladder.reference), start);
  }
  draw_legend(canvas, ladder, bottom + 34);
  return canvas.picture(bottom + 44, title + " on " + device.card.name, description_of(ladder));
}

}  // namespace perfcheck::report
