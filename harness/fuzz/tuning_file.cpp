// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of perfcheck tune.
#include "perfcheck/model/json.h"
#include "perfcheck/model/tuning.h"
#include "support/property.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const tuning = fuzz::accepted<model::FormatError>(
      [&] { return model::tuning_from_text(fuzz::text_of(data, size), "gemm.tuned.json"); });
  if (!tuning) {
    return 0;
  }
  std::set<std::string> sessions;
  for (model::TuningSession const& session : tuning->sessions) {
    fuzz::require(sessions.insert(session.id).second, "ids of sessions are unique");
  }
  for (auto const& [problem, points] : tuning->problems) {
    std::set<std::string> kernels;
    for (model::TunedPoint const& point : points) {
      fuzz::require(sessions.contains(point.session), "a point names a known session");
      fuzz::require(std::isfinite(point.time_ns) && point.time_ns > 0, "a time is a time");
      // Both become text in quotes in C++ code.
      for (std::string const& text : {problem, point.kernel}) {
        fuzz::require(
            !text.empty() && std::ranges::none_of(
                                 text, [](unsigned char c) { return c <= ' ' || c == '"' || c == '\\' || c == 0x7F; }),
            "names can stand in quotes");
      }
      kernels.insert(model::split_point(point.kernel).kernel);
    }
    fuzz::require(model::ranking_of(points).size() == kernels.size(), "a ranking has each kernel once");
  }
  std::string const text = model::tuning_to_text(*tuning);
  fuzz::require(model::tuning_to_text(model::tuning_from_text(text, "written")) == text,
                "a file reads back as it was written");
  return 0;
}
