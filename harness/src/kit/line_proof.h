// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/kit/line_problem.h"

#include <memory>

namespace perfcheck::kit {

/// The values that an output must have, and their scales.
class LineReference {
 public:
  /// From inputs in memory. Throws device::DeviceError.
  LineReference(device::Backend& backend, LineMath& math, Inputs const& inputs, verify::MatrixView const& output);
  /// Valid as long as this object.
  verify::Expectation expectation(verify::Bound const& bound) const;

 private:
  device::Memory values_;  ///< double
  device::Memory scales_;  ///< float
};

/// Judges every element of every timed output. The device must outlive the result.
std::shared_ptr<Proof> make_line_proof(Device& device, std::shared_ptr<LineMath> math, verify::Bound const& bound);

}  // namespace perfcheck::kit
