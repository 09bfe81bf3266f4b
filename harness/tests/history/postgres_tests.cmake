# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests of both engines, PostgreSQL by a server of its own. One ctest for each engine and not one for each case: every
# program starts a server.
add_executable(perfcheck_history_writer samples.cpp writer.cpp)
target_link_libraries(perfcheck_history_writer PRIVATE
  perfcheck_history perfcheck_warnings ${PERFCHECK_FMT})

add_executable(perfcheck_history_database_test
  database_test.cpp
  postgres_server.cpp
  samples.cpp
  writers_test.cpp)
if(PERFCHECK_LIBPQ_INCLUDE)
  target_sources(perfcheck_history_database_test PRIVATE postgres_test.cpp)
  target_include_directories(perfcheck_history_database_test SYSTEM PRIVATE "${PERFCHECK_LIBPQ_INCLUDE}")
endif()
target_include_directories(perfcheck_history_database_test PRIVATE "${PROJECT_SOURCE_DIR}/harness/src/history")
target_link_libraries(perfcheck_history_database_test PRIVATE
  perfcheck_history perfcheck_session perfcheck_warnings ${PERFCHECK_FMT}
  GTest::gmock_main)
target_compile_definitions(perfcheck_history_database_test
  PRIVATE "PERFCHECK_HISTORY_WRITER=\"$<TARGET_FILE:perfcheck_history_writer>\""
          PERFCHECK_HAS_POSTGRES=$<BOOL:${PERFCHECK_LIBPQ_INCLUDE}>)
add_dependencies(perfcheck_history_database_test perfcheck_history_writer)

add_test(NAME HistoryDatabase.Sqlite COMMAND perfcheck_history_database_test --gtest_filter=-*/Postgres)
add_test(NAME HistoryDatabase.Postgres COMMAND perfcheck_history_database_test --gtest_filter=*/Postgres)
# Sixteen writers wait for the disk 1,500 times: seconds on an idle machine, minutes on one that builds meanwhile.
set_tests_properties(HistoryDatabase.Sqlite HistoryDatabase.Postgres PROPERTIES TIMEOUT 900)
# All of them are skipped, or none.
set_tests_properties(HistoryDatabase.Postgres PROPERTIES
  SKIP_REGULAR_EXPRESSION "no PostgreSQL server is installed;does not run as root;built without PostgreSQL")
