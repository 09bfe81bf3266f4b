#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Draws the sample history for the browser tests.
#
# Usage: make_sample.sh PERFCHECK REPOSITORY FOLDER
set -euo pipefail
perfcheck=$1 repository=$2 folder=$3
mkdir -p "$folder"
cd "$repository"
rm -f "$folder/sample.sqlite"
xz -dc reports/sample/history.jsonl.xz | "$perfcheck" history import --quiet --history "$folder/sample.sqlite" -
"$perfcheck" report --history "$folder/sample.sqlite" --out "$folder/report.html" --site "$folder/site"
