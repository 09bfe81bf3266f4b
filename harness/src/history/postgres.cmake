# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Adds PostgreSQL to the target perfcheck_history. Only the header is needed to build: the library is loaded when a
# history in PostgreSQL is opened.
find_path(PERFCHECK_LIBPQ_INCLUDE libpq-fe.h PATH_SUFFIXES postgresql pgsql)
mark_as_advanced(PERFCHECK_LIBPQ_INCLUDE)

if(PERFCHECK_LIBPQ_INCLUDE)
  target_sources(perfcheck_history PRIVATE
    libpq.cpp
    postgres_connecting.cpp
    postgres_database.cpp
    postgres_errors.cpp
    postgres_session.cpp
    postgres_values.cpp)
  target_include_directories(perfcheck_history SYSTEM PRIVATE "${PERFCHECK_LIBPQ_INCLUDE}")
  target_link_libraries(perfcheck_history PRIVATE ${CMAKE_DL_LIBS})
else()
  message(STATUS "history: libpq-fe.h was not found (package libpq-dev): PostgreSQL is left out")
  target_sources(perfcheck_history PRIVATE postgres_absent.cpp)
endif()
