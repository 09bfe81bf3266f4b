// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include <perfcheck/gemm_types.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace perfcheck {
namespace {

constexpr std::pair<GemmScaling, std::string_view> kScalings[] = {
    {GemmScaling::tensor, ",scale"}, {GemmScaling::rows, ",scalerow"}, {GemmScaling::blocks, ",scale128"}};

struct Row {
  GemmTypes types;
  std::string text;
};

std::vector<GemmTypes> make_types() {
  std::vector<GemmTypes> all(std::begin(detail::kUnscaledTypes), std::end(detail::kUnscaledTypes));
  all.insert(all.end(), std::begin(detail::kOtherTypes), std::end(detail::kOtherTypes));
  for (GemmTypes const& types : detail::kUnscaledTypes) {
    if (format_of(types.a).bits != 8 || format_of(types.a).integer) continue;  // FP8 comes with any scaling
    for (auto const& [scaling, text] : kScalings) all.push_back(types.scaled(scaling));
  }
  return all;
}

}  // namespace

std::span<GemmTypes const> all_gemm_types() {
  static std::vector<GemmTypes> const all = make_types();
  return all;
}

std::string to_text(GemmTypes const& types) {
  if (types.compute == types.accumulate && types.a == Element::f64) return "f64";
  if (types.a == Element::f32) return std::string(to_text(types.compute));
  std::string text(to_text(types.a));
  if (types.b != types.a) text += "*" + std::string(to_text(types.b));
  if (types.scaling == GemmScaling::groups) text += "g128";
  text += "." + std::string(to_text(types.accumulate));
  if (types.d != (sums_are_integers(types) ? types.accumulate : types.a)) text += "." + std::string(to_text(types.d));
  for (auto const& [scaling, suffix] : kScalings) {
    if (scaling == types.scaling) text += suffix;
  }
  return text;
}

GemmTypes const* find_gemm_types(std::string_view text) {
  static auto const rows = [] {
    std::vector<Row> made;
    for (GemmTypes const& types : all_gemm_types()) made.push_back({types, to_text(types)});
    return made;
  }();
  auto const found = std::find_if(rows.begin(), rows.end(), [&](Row const& row) { return row.text == text; });
  return found == rows.end() ? nullptr : &found->types;
}

}  // namespace perfcheck
