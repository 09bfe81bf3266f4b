// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/page_data.h"

#include <stdexcept>

namespace perfcheck::report {

std::optional<ReportLevel> const& ReportBaseline::level(Metric metric) const {
  switch (metric) {
    case Metric::ratio: return ratio;
    case Metric::cycles: return cycles;
    case Metric::time: return time_ns;
  }
  throw std::logic_error("unknown metric");
}

}  // namespace perfcheck::report
