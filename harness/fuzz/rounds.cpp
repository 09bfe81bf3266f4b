// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds as a history keeps them.
#include "rounds_codec.h"

#include "support/property.h"

#include <cmath>

using namespace perfcheck;

namespace {

bool equal(std::vector<double> const& a, std::vector<double> const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

bool equal(model::Rounds const& a, model::Rounds const& b) {
  return a.launches == b.launches && a.reference_launches == b.reference_launches && equal(a.time_ns, b.time_ns) &&
         equal(a.reference_time_ns, b.reference_time_ns) && equal(a.clock_mhz, b.clock_mhz) &&
         equal(a.reference_clock_mhz, b.reference_clock_mhz);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const rounds =
      fuzz::accepted<codec::DecodeError>([&] { return history::unpack_rounds(fuzz::text_of(data, size)); });
  if (rounds) {
    fuzz::require(rounds->time_ns.size() <= size, "a value takes a byte at least");
    fuzz::require(equal(history::unpack_rounds(history::pack(*rounds)), *rounds), "rounds come back as they were");
  }
  return 0;
}
