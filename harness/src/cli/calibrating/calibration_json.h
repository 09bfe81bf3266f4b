// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What --json prints for a calibration (docs/cli.md).
#pragma once

#include "perfcheck/calibrate/calibration.h"

#include <nlohmann/json_fwd.hpp>

namespace perfcheck::cli {

inline constexpr char const* kCalibrationSchema = "perfcheck.calibration/1";

nlohmann::json calibration_json(calibrate::Calibration const& calibration);

}  // namespace perfcheck::cli
