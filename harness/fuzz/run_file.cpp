// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Run files.
#include "perfcheck/model/json.h"
#include "support/property.h"
#include "support/run_property.h"

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const run =
      fuzz::accepted<model::FormatError>([&] { return model::run_from_text(fuzz::text_of(data, size), "run.json"); });
  if (run) {
    fuzz::require(fuzz::text_of(data, size).find('\0') == std::string_view::npos,
                  "nothing hides behind a byte of value 0");
    fuzz::require_usable(*run);
  }
  return 0;
}
