// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of report_app.cpp where the page could not be bundled.
#include "perfcheck/trends/report_app.h"

namespace perfcheck::trends {

std::string_view report_app_js() { return {}; }
std::string_view report_app_css() { return {}; }
std::string_view report_app_hash() { return {}; }

}  // namespace perfcheck::trends
