// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Patterns over case ids and kernel ids, the same in filters, suite rules, margins and injected slowdowns.
#pragma once

#include <string>

namespace perfcheck::gate {

/// Does the whole of `text` match the shell pattern: `*` any characters ('/' included), `?` one, `[ab]` one of a set?
bool glob_matches(std::string const& pattern, std::string const& text);

/// Does `pattern` match the whole case id ("gemm/simt/naive@f32,nn,m64n64k64") or its kernel ("gemm/simt/naive")?
bool glob_matches_case(std::string const& pattern, std::string const& case_id);

}  // namespace perfcheck::gate
