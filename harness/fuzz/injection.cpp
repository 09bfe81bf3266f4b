// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts of --inject-slowdown and --filter, one a line, over a plan of a few cases.
#include "perfcheck/console/errors.h"
#include "perfcheck/measuring/plan.h"
#include "perfcheck/model/one_line.h"
#include "support/property.h"

using namespace perfcheck;

namespace {

measuring::Plan plan() {
  measuring::Plan plan;
  for (char const* id : {"gemm/simt/naive@f32,nn,m64n64k64", "gemm/simt/tiled@f32,nn,m64n64k64", "a@b"}) {
    plan.cases.push_back({.id = id, .reference = id});
  }
  return plan;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static measuring::Plan const some = plan();
  std::string_view rest = fuzz::text_of(data, size);
  std::vector<std::string> texts;
  while (!rest.empty()) {
    // An argument of a program ends at its first NUL.
    texts.emplace_back(std::string(fuzz::take_until(rest, "\n")).c_str());
  }
  try {
    for (auto const& [id, percent] : measuring::injections(texts, some)) {
      fuzz::require(percent > 0 && percent <= 1000, "an injected slowdown is a percentage");
    }
  } catch (UsageError const& error) {
    // What a user typed stands in it as typed; the program makes one line of it when it shows it.
    fuzz::require_message(model::one_line(error.what()));
  }
  (void)config::selected(texts, some.cases.front().id);
  (void)measuring::no_match_message(some, texts);
  return 0;
}
