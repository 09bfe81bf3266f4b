// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/report_app.h"

// The assembler puts the files into the program as they are: no compiler has to read a text of 100 kB, and C++20 has no
// #embed. PERFCHECK_REPORT_APP is the folder that reports/web was built into.
#define PERFCHECK_EMBED(name, file)                                          \
  asm(".pushsection .rodata\n"                                               \
      ".global perfcheck_" #name "_begin\n.global perfcheck_" #name          \
      "_end\n"                                                               \
      "perfcheck_" #name "_begin:\n.incbin \"" PERFCHECK_REPORT_APP "/" file \
      "\"\n"                                                                 \
      "perfcheck_" #name "_end:\n.popsection\n");                            \
  extern "C" char const perfcheck_##name##_begin[], perfcheck_##name##_end[]

PERFCHECK_EMBED(app_js, "app.js");
PERFCHECK_EMBED(app_css, "app.css");
PERFCHECK_EMBED(app_hash, "app.sha256");

namespace perfcheck::trends {

std::string_view report_app_js() { return {perfcheck_app_js_begin, perfcheck_app_js_end}; }
std::string_view report_app_css() { return {perfcheck_app_css_begin, perfcheck_app_css_end}; }
std::string_view report_app_hash() { return {perfcheck_app_hash_begin, perfcheck_app_hash_end}; }

}  // namespace perfcheck::trends
