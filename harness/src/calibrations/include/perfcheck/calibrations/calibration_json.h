// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What --json prints for a calibration, and for simulated checks (docs/cli.md).
#pragma once

#include "perfcheck/calibrate/calibration.h"
#include "perfcheck/calibrate/simulation.h"

#include <nlohmann/json_fwd.hpp>

namespace perfcheck::calibrations {

inline constexpr char const* kCalibrationSchema = "perfcheck.calibration/1";

nlohmann::json calibration_json(calibrate::Calibration const& calibration);

inline constexpr char const* kSimulationSchema = "perfcheck.simulation/1";

nlohmann::json simulation_json(calibrate::Simulation const& simulation);

}  // namespace perfcheck::calibrations
