# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Bundles reports/web and puts the result into the perfcheck program. Needs Node and the packages that ci/setup.sh web
# fetches; without them everything else is built, and `perfcheck report` says what is missing.
include_guard(GLOBAL)

# The version of Node in Ubuntu 24.04.
set(perfcheck_oldest_node 18.19)

option(PERFCHECK_REPORT_PAGE "Bundle the report page (needs Node and the packages of ci/setup.sh web)" ON)

# perfcheck_embed_report_app(TARGET): adds the sources of perfcheck/trends/report_app.h to the target.
function(perfcheck_embed_report_app target)
  set(web "${PROJECT_SOURCE_DIR}/reports/web")
  set(missing "")
  if(NOT PERFCHECK_REPORT_PAGE)
    set(missing "PERFCHECK_REPORT_PAGE is OFF")
  else()
    find_program(PERFCHECK_NODE NAMES node nodejs)
    set(version "")
    if(PERFCHECK_NODE)
      execute_process(COMMAND "${PERFCHECK_NODE}" --version OUTPUT_VARIABLE version ERROR_QUIET)
      string(REGEX MATCH "[0-9.]+" version "${version}")
    endif()
    if(NOT PERFCHECK_NODE)
      set(missing "Node is not installed")
    elseif(version VERSION_LESS perfcheck_oldest_node)
      set(missing "${PERFCHECK_NODE} is of version '${version}', and ${perfcheck_oldest_node} or newer is needed")
    elseif(NOT EXISTS "${web}/node_modules/esbuild")
      set(missing "reports/web/node_modules is not there; ci/setup.sh web fetches it")
    endif()
  endif()
  if(missing)
    message(STATUS "report page: left out: ${missing}")
    target_sources(${target} PRIVATE report_app_absent.cpp)
    return()
  endif()

  set(app "${CMAKE_CURRENT_BINARY_DIR}/report_app")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${web}/src/*")
  add_custom_command(
    OUTPUT "${app}/app.js" "${app}/app.css" "${app}/app.sha256"
    COMMAND "${PERFCHECK_NODE}" build.mjs "${app}"
    WORKING_DIRECTORY "${web}"
    DEPENDS ${sources} "${web}/build.mjs" "${web}/package.json" "${web}/package-lock.json"
    COMMENT "Bundling the report page"
    VERBATIM)
  add_custom_target(perfcheck_report_app DEPENDS "${app}/app.js" "${app}/app.css")
  target_sources(${target} PRIVATE report_app.cpp)
  set_source_files_properties(report_app.cpp PROPERTIES
    COMPILE_DEFINITIONS "PERFCHECK_REPORT_APP=\"${app}\""
    OBJECT_DEPENDS "${app}/app.js;${app}/app.css;${app}/app.sha256")
  add_dependencies(${target} perfcheck_report_app)
endfunction()
