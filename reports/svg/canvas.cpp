// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "svg/canvas.h"

#include "text/markup.h"

#include <fmt/format.h>

namespace perfcheck::report {
namespace {

// Every text has a contrast of at least 4.5 : 1 with its background, every shape that shows a value one of 3 : 1.
constexpr std::string_view kStyle = R"(
text{font:12px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2328}
.name{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
.title{font-size:16px;font-weight:600}.strong{font-weight:600}
text.quiet{fill:#59636e}text.slower{fill:#b3211b;font-weight:600}text.faster{fill:#116329;font-weight:600}
.ground{fill:#fff}
.own{fill:#0969da}.library{fill:#818b98}.point{fill:#0969da}
.band{fill:#0969da;fill-opacity:.2}.baseline{fill:#59636e;fill-opacity:.16}
path.line{fill:none;stroke:#0969da;stroke-width:1.5;stroke-linejoin:round}
path.whisker{fill:none;stroke:#0969da;stroke-opacity:.45}
line{stroke:#59636e}line.grid{stroke:#d1d9e0}
line.reference{stroke:#1f2328;stroke-dasharray:5 3}line.peak{stroke:#9a6700;stroke-width:1.5}
line.level{stroke-dasharray:2 3}
line.slower{stroke:#b3211b}line.faster{stroke:#116329}
rect.slower{fill:#b3211b;fill-opacity:.1}rect.faster{fill:#116329;fill-opacity:.1}
@media (prefers-color-scheme:dark){
text{fill:#f0f6fc}text.quiet{fill:#9198a1}text.slower{fill:#ff7b72}text.faster{fill:#56d364}
.ground{fill:#0d1117}
.own,.point{fill:#4493f8}.library{fill:#7d8590}
.band{fill:#4493f8;fill-opacity:.28}.baseline{fill:#9198a1;fill-opacity:.2}
path.line,path.whisker{stroke:#4493f8}
line{stroke:#9198a1}line.grid{stroke:#2f353d}
line.reference{stroke:#f0f6fc}line.peak{stroke:#d29922}
line.slower{stroke:#ff7b72}line.faster{stroke:#56d364}
rect.slower{fill:#ff7b72;fill-opacity:.16}rect.faster{fill:#56d364;fill-opacity:.16}
}
)";

std::string_view attribute(Canvas::Anchor anchor) {
  switch (anchor) {
    case Canvas::Anchor::start: return "";
    case Canvas::Anchor::middle: return " text-anchor=\"middle\"";
    case Canvas::Anchor::end: return " text-anchor=\"end\"";
  }
  return "";
}

}  // namespace

std::string coordinate(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

void Canvas::text(double x, double y, std::string_view style, Anchor anchor, std::string_view content,
                  std::string_view tooltip) {
  body_ +=
      fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\"{}>", coordinate(x), coordinate(y), style, attribute(anchor));
  if (!tooltip.empty()) body_ += "<title>" + markup_escaped(tooltip) + "</title>";
  body_ += markup_escaped(content) + "</text>\n";
}

void Canvas::rectangle(double x, double y, double width, double height, std::string_view style) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"/>\n", coordinate(x),
                       coordinate(y), coordinate(width), coordinate(height), style);
}

void Canvas::line(double x1, double y1, double x2, double y2, std::string_view style) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", coordinate(x1), coordinate(y1),
                       coordinate(x2), coordinate(y2), style);
}

void Canvas::circle(double x, double y, double radius, std::string_view style) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"/>\n", coordinate(x), coordinate(y),
                       coordinate(radius), style);
}

void Canvas::path(std::string_view data, std::string_view style) {
  body_ += fmt::format("<path d=\"{}\" class=\"{}\"/>\n", data, style);
}

void Canvas::begin_clip(double x, double y, double width, double height) {
  body_ += fmt::format(
      "<clipPath id=\"plot\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n<g "
      "clip-path=\"url(#plot)\">\n",
      coordinate(x), coordinate(y), coordinate(width), coordinate(height));
}

void Canvas::end_clip() { body_ += "</g>\n"; }

std::string Canvas::picture(double height, std::string_view title, std::string_view description) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-labelledby=\"t d\">\n<title id=\"t\">{2}</title>\n<desc id=\"d\">{3}</desc>\n<style>{4}</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" rx=\"6\" class=\"ground\"/>\n{5}</svg>\n",
      coordinate(kPictureWidth), coordinate(height), markup_escaped(title), markup_escaped(description), kStyle, body_);
}

}  // namespace perfcheck::report
