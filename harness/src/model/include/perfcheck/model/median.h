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

/// Mean of the middle half, a quarter being smaller and a quarter larger (the interquartile mean; of fewer than four
/// values the mean of all): as deaf to outliers as a quartile, and finer than the steps of the clock behind the values.
/// Empty input or a NaN gives nullopt.
std::optional<double> middle_mean(std::span<double const> values);

/// The value above the smallest quarter: right for times of which three quarters may be too long and nearly a quarter
/// too short. Of fewer than four values the smallest. Empty input or a NaN gives nullopt.
std::optional<double> lower_quartile(std::span<double const> values);

}  // namespace perfcheck::model
