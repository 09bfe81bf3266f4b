#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# The one job that branch protection requires: did all jobs before it succeed? A job that was skipped or cancelled did
# not; for GitHub itself a skipped one counts as passed.
#
# Usage: RESULTS='success failure ...' ci/all_green.sh          (RESULTS: ${{ join(needs.*.result, ' ') }})
#
# Exit code: 0 all succeeded, 1 not.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"

read -ra results <<< "${RESULTS:-}"
((${#results[@]})) || { say "RESULTS names no job"; exit 1; }
bad=0
for result in "${results[@]}"; do [[ $result == success ]] || bad=$((bad + 1)); done
((bad == 0)) || { say "$bad of ${#results[@]} jobs did not succeed: ${results[*]}"; exit 1; }
say "all ${#results[@]} jobs succeeded"
