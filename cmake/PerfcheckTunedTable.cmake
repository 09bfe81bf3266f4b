# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# perfcheck_write_tuned_table(): what `perfcheck tune` found, as a C++ header, for perfcheck_add_kernels(TUNED ...).
include_guard(GLOBAL)

# perfcheck_take_member(<name> <value> <variable>): takes the first member off an object of objects, the text of a variable
# that string(JSON GET) wrote: its lines end nowhere else than between values, and the member's last brace has a line of its
# own. string(JSON) reads all of a text in each call, which took a minute for the shipped files. <name> is empty if there
# is no such member.
function(perfcheck_take_member name value variable)
  set(${name} "" PARENT_SCOPE)
  set(text "${${variable}}")
  if(NOT text MATCHES "^[{,](\n[ \t]+)\"")
    return()
  endif()
  set(last "${CMAKE_MATCH_1}}")
  string(FIND "${text}" "${last}" end)
  string(LENGTH "${last}" length)
  math(EXPR end "${end} + ${length}")
  math(EXPR length "${end} - 1")
  string(SUBSTRING "${text}" 1 ${length} member)
  string(SUBSTRING "${text}" ${end} -1 rest)
  string(JSON key ERROR_VARIABLE error MEMBER "{${member}}" 0)
  if(error)
    return()
  endif()
  string(JSON entry GET "{${member}}" "${key}")
  set(${name} "${key}" PARENT_SCOPE)
  set(${value} "${entry}" PARENT_SCOPE)
  set(${variable} "${rest}" PARENT_SCOPE)
endfunction()

# perfcheck_libraries_of_ranked(<variable> <object of a problem> <object of libraries by session> <kernel>...): for each of
# these kernels of the ranking, the libraries that its time was measured with.
function(perfcheck_libraries_of_ranked variable entry by_session)
  string(JSON points GET "${entry}" points)
  string(REGEX MATCHALL "{[^{}]*}" points "${points}")  # one object each; string(JSON) would read all for each of them
  set(libraries ${ARGN})
  foreach(point IN LISTS points)
    string(JSON kernel GET "${point}" kernel)
    list(FIND ARGN "${kernel}" place)
    if(NOT place EQUAL -1)
      string(JSON session GET "${point}" session)
      string(JSON found GET "${by_session}" "${session}")
      list(REMOVE_AT libraries ${place})
      list(INSERT libraries ${place} "${found}")
    endif()
  endforeach()
  set(${variable} ${libraries} PARENT_SCOPE)
endfunction()

# perfcheck_libraries_of_sessions(<object> <list> <sessions of a tuned.json>): their libraries, "cuBLAS=13.1.0" or "-" for
# none, as an object by session's id and as a list without duplicates.
function(perfcheck_libraries_of_sessions by_session all sessions)
  set(object "{}")
  set(kinds "")
  string(JSON count LENGTH "${sessions}")
  foreach(index RANGE ${count})
    if(index EQUAL count)
      break()
    endif()
    string(JSON id GET "${sessions}" ${index} id)
    string(JSON libraries GET "${sessions}" ${index} libraries)
    string(JSON names LENGTH "${libraries}")
    set(texts "")
    foreach(number RANGE ${names})
      if(number LESS names)
        string(JSON name MEMBER "${libraries}" ${number})
        string(JSON version GET "${libraries}" "${name}")
        list(APPEND texts "${name}=${version}")
      endif()
    endforeach()
    list(JOIN texts "," text)
    if(NOT text)
      set(text "-")
    endif()
    string(JSON object SET "${object}" "${id}" "\"${text}\"")
    list(APPEND kinds "${text}")
  endforeach()
  list(REMOVE_DUPLICATES kinds)
  set(${by_session} "${object}" PARENT_SCOPE)
  set(${all} "${kinds}" PARENT_SCOPE)
endfunction()

# Reads a *.tuned.json file: C++ initialisers of its problems, and the points in its rankings. A file is read once only.
function(perfcheck_read_tuned rows_variable points_variable file)
  string(MAKE_C_IDENTIFIER "PERFCHECK_TUNED_${file}" known)
  get_property(is_known GLOBAL PROPERTY ${known} SET)
  if(NOT is_known)
    file(READ "${file}" json)
    string(JSON device ERROR_VARIABLE error GET "${json}" device_slug)
    string(JSON problems ERROR_VARIABLE problems_error GET "${json}" problems)
    string(JSON count ERROR_VARIABLE count_error LENGTH "${problems}")
    string(JSON sessions ERROR_VARIABLE sessions_error GET "${json}" sessions)
    foreach(one IN ITEMS error problems_error count_error sessions_error)
      if(${one})
        message(FATAL_ERROR "${file}: is no result of perfcheck tune (${${one}}); restore it from version control")
      endif()
    endforeach()
    perfcheck_libraries_of_sessions(by_session all "${sessions}")
    list(LENGTH all kinds)
    set(rows "")
    set(points "")
    set(index 0)
    while(index LESS count)
      perfcheck_take_member(problem entry problems)
      if(problem STREQUAL "")
        message(FATAL_ERROR "${file}: problem ${index} is none; restore the file from version control")
      endif()
      string(JSON ranking GET "${entry}" ranking)
      string(REGEX MATCHALL "[^][\", \n]+" ranking "${ranking}")
      list(TRANSFORM ranking REPLACE ".+" "${all}" OUTPUT_VARIABLE libraries)
      if(kinds GREATER 1)
        perfcheck_libraries_of_ranked(libraries "${entry}" "${by_session}" ${ranking})
      endif()
      list(APPEND points ${ranking})
      list(JOIN ranking " " ranking)
      list(JOIN libraries " " libraries)
      string(APPEND rows "    {\"${device}\", \"${problem}\",\n     \"${ranking}\",\n     \"${libraries}\"},\n")
      math(EXPR index "${index} + 1")
    endwhile()
    list(FILTER points INCLUDE REGEX ":")
    set_property(GLOBAL PROPERTY ${known} "${rows}")
    set_property(GLOBAL PROPERTY ${known}_POINTS "${points}")
  endif()
  get_property(rows GLOBAL PROPERTY ${known})
  get_property(points GLOBAL PROPERTY ${known}_POINTS)
  set(${rows_variable} "${rows}" PARENT_SCOPE)
  set(${points_variable} "${points}" PARENT_SCOPE)
endfunction()

# Writes what `perfcheck tune` found (the *.tuned.json files) as a C++ header (perfcheck/gemm_tuning.h).
function(perfcheck_write_tuned_table header)
  set(problems "")
  set(points "")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    perfcheck_read_tuned(rows_of_file points_of_file "${file}")
    string(APPEND problems "${rows_of_file}")
    list(APPEND points ${points_of_file})
  endforeach()
  list(REMOVE_DUPLICATES points)
  list(SORT points)
  set(names "")
  foreach(point IN LISTS points)
    string(APPEND names "    \"${point}\",\n")
  endforeach()
  # A C++ array has at least one element; the span leaves that one out.
  list(LENGTH points count)
  string(REGEX MATCHALL "{\"" rows "${problems}")
  list(LENGTH rows row_count)
  file(CONFIGURE OUTPUT "${header}" @ONLY CONTENT [=[
// Written by perfcheck_add_kernels(TUNED ...) from the results of `perfcheck tune`. Included by perfcheck/gemm_tuning.h.
#pragma once

// Not inline: sets of kernels with different tables may be linked into one program.
namespace perfcheck {

[[maybe_unused]] constexpr TunedProblem kTunedProblemsAndEnd[] = {
@problems@    {}};
[[maybe_unused]] constexpr std::span<TunedProblem const> kTunedProblems{kTunedProblemsAndEnd, @row_count@};

/// Points that are the best of their kernel on at least one of the problems.
[[maybe_unused]] constexpr std::string_view kTunedPointsAndEnd[] = {
@names@    {}};
[[maybe_unused]] constexpr std::span<std::string_view const> kTunedPoints{kTunedPointsAndEnd, @count@};

}  // namespace perfcheck
]=])
endfunction()
