// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The middle value, for everything that summarises rounds or sessions.
#pragma once

#include <optional>
#include <span>

namespace perfcheck::model {

/// Middle value, mean of the two middle values for even n. Empty input or a NaN gives nullopt.
std::optional<double> median(std::span<double const> values);

/// Interquartile mean: the mean of the middle half of the values, or of all values if there are fewer than four. As
/// robust against outliers as a quartile, and finer than the resolution of the clock that measured the values. Empty
/// input or a NaN gives nullopt.
std::optional<double> middle_mean(std::span<double const> values);

/// Lower quartile: the value just above the smallest quarter, or the smallest if there are fewer than four. Suits times
/// of which up to three quarters may be too long and nearly a quarter too short. Empty input or a NaN gives nullopt.
std::optional<double> lower_quartile(std::span<double const> values);

}  // namespace perfcheck::model
