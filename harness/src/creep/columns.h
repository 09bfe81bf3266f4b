// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The runs of a case as columns, as the functions of stats take them.
#pragma once

#include "perfcheck/creep/creep.h"

#include <vector>

namespace perfcheck::creep {

struct Columns {
  std::vector<double> values;
  std::vector<int> groups;
};

inline Columns columns_of(std::vector<Point> const& points) {
  Columns columns;
  for (Point const& point : points) {
    columns.values.push_back(point.value);
    columns.groups.push_back(point.group);
  }
  return columns;
}

}  // namespace perfcheck::creep
