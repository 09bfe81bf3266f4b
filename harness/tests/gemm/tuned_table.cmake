# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes the table of a tuned file with the given text: cmake -DFOLDER=... -DTEXT=... -P tuned_table.cmake
include("${CMAKE_CURRENT_LIST_DIR}/../../../cmake/PerfcheckTunedTable.cmake")
file(WRITE "${FOLDER}/gemm.tuned.json" "${TEXT}")
perfcheck_write_tuned_table("${FOLDER}/tuned_table.h" "${FOLDER}/gemm.tuned.json")
file(READ "${FOLDER}/tuned_table.h" table)
message("${table}")
