// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Secret data on the host, many elements at a time.
#pragma once

#include "perfcheck/verify/secret_data.h"

#include <span>

namespace perfcheck::verify {

/// secret_value() of the elements of one line: of row `line` when `by_rows`, else of column `line`. Eight at a time
/// where the processor has AVX2: between two replays on a CPU there is no time to spare.
void secret_line(SecretKey const& key, std::uint32_t line, bool by_rows, std::span<float> values);

/// The same with secret_element(), for any format.
void secret_elements(SecretFormat const& format, SecretKey const& key, std::uint32_t line, bool by_rows,
                     std::span<double> values);

}  // namespace perfcheck::verify
