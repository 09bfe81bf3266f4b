// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The application of the report page, as the build put it into this program.
#pragma once

#include <string_view>

namespace perfcheck::trends {

/// Empty in a build without Node.
std::string_view report_app_js();
std::string_view report_app_css();
/// "sha256-...": the hash of the script for the page's content security policy.
std::string_view report_app_hash();

}  // namespace perfcheck::trends
