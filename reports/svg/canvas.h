// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A picture as SVG text, element by element.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::report {

inline constexpr double kPictureWidth = 830;  ///< width of a README on GitHub

/// A coordinate as text: at most one digit after the point, and never "-0".
std::string coordinate(double value);

/// Classes that elements may have; both colour schemes give each a look.
///   text   title, quiet, strong, name (monospaced), slower, faster
///   shape  own, library, reference, peak, grid, axis, line, point, band, baseline, level, slower, faster
class Canvas {
 public:
  enum class Anchor { start, middle, end };

  /// Plain text (escaped here). `tooltip`, when not empty, is what a pointer shows.
  void text(double x, double y, std::string_view style, Anchor anchor, std::string_view content,
            std::string_view tooltip = {});
  void rectangle(double x, double y, double width, double height, std::string_view style);
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  void circle(double x, double y, double radius, std::string_view style);
  /// `data`: path commands.
  void path(std::string_view data, std::string_view style);
  /// Clips everything up to end_clip() at this rectangle. May be used once in a picture.
  void begin_clip(double x, double y, double width, double height);
  void end_clip();

  /// The whole picture; screen readers read `title` and `description`.
  std::string picture(double height, std::string_view title, std::string_view description) const;

 private:
  std::string body_;
};

}  // namespace perfcheck::report
