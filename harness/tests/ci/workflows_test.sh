#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/lint_workflows.sh accepts the project's workflows and refuses broken ones.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"
# Tests must not fetch these modules.
[[ -d $repository/.toolchain/lint/node_modules ]] || skip "the lint tools are not there; ci/setup.sh lint fetches them"

lint() { bash "$repository/ci/lint_workflows.sh" "$scratch/tree"; }
copy() {
  mkdir -p tree/ci
  cp -r "$repository/.github" "$repository/action.yml" tree/
  cp -r "$repository/ci/gitlab" tree/ci/
}
# broken FILE FROM TO SAYS: adds a broken copy of a workflow, or breaks another FILE in place: replaces FROM, which must
# be there, with TO. Starting the linters is slow, so `refused` starts them once for all broken files.
declare -A says=()
whole=()
broken() {
  local file=$1
  if [[ ! -d tree ]]; then
    copy
    mapfile -t whole < <(cd tree && printf '%s\n' .github/workflows/*.yml action.yml ci/gitlab/*.yml)
  fi
  [[ $file != .github/* ]] || file=.github/workflows/broken-${#says[@]}.yml
  [[ ! -v says[$file] ]] || fail "$file is broken already"
  says[$file]=$4
  python3 - "$repository/$1" "tree/$file" "$2" "$3" <<'PYTHON'
import sys
path, to, before, after = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()
if before not in text:
    sys.exit(f"{path} holds no {before!r}")
with open(to, "w", encoding="utf-8") as file:
    file.write(text.replace(before, after, 1))
PYTHON
}
# refused BY: expects the linters BY to refuse each broken file with the words given for it, and no other file.
refused() {
  local file
  expect 1 lint
  said "findings of $1: see above"
  for file in "${!says[@]}"; do
    # A finding begins with its file.
    sed -nE "s|^ *${file//./\\.}:||p" said | grep -F -e "${says[$file]}" > findings ||
      { cat said >&2; fail "$file is not refused with: ${says[$file]}"; }
  done
  for file in "${whole[@]}"; do
    [[ -v says[$file] ]] || unsaid "$file:"
  done
}
gate=.github/workflows/perfcheck.yml

test_what_is_there_is_clean() {
  copy
  expect 0 lint
}
test_an_untrusted_expression_in_a_script_is_refused() {
  broken $gate 'run: ci/fleet.sh' 'run: ci/fleet.sh ${{ github.head_ref }}' 'potentially untrusted'
  broken $gate 'run: ci/fleet.sh' 'run: ci/fleet.sh ${{ github.run_id }}' 'becomes part of the script'
  broken action.yml '/ci/action.sh"' '/ci/action.sh" ${{ inputs.suite }}' 'becomes part of the script'
  refused 'actionlint, the rules'
}
test_what_github_does_not_know_is_refused() {
  broken $gate 'runs-on: ubuntu-24.04' 'runs-off: ubuntu-24.04' 'runs-off'
  broken $gate 'needs: [build,' 'needs: [biuld,' 'biuld'
  broken $gate 'steps.fleet.outputs' 'steps.fleets.outputs' 'fleets'
  broken $gate 'queue: max' 'queues: max' 'queues'
  broken .github/workflows/baseline.yml 'linux, gpu,' 'linux, gppu,' 'gppu'
  broken .github/workflows/nightly.yml '17 3 * * *' '17 25 * * *' 'invalid CRON'
  refused 'actionlint, the schema of workflows'
}
test_what_the_schemas_do_not_know_is_refused() {
  broken action.yml 'using: composite' 'using: composit' "'using': 'composit'"
  broken ci/gitlab/perfcheck.gitlab-ci.yml 'resource_group: ' 'resource_groups: ' "'resource_groups' was unexpected"
  refused 'the schema of actions, the schema of GitLab'
}
test_rules_of_this_project_are_kept() {
  broken $gate 'permissions: {}' '' 'names no permissions'
  broken $gate 'actions/checkout@v4' 'actions/checkout@main' 'not pinned'
  broken $gate $'fetch-depth: 0\n          persist-credentials: false' 'fetch-depth: 0' 'leaves its token'
  broken $gate '  pull_request:' '  pull_request_target:' 'workflow_run'
  broken $gate '    timeout-minutes: 60' '' 'timeout-minutes'
  broken $gate 'run: ci/fleet.sh' 'run: curl https://example.org' 'one call of a script'
  refused 'the rules'
}
test_nothing_to_look_at_is_not_clean() {
  mkdir tree
  expect 2 lint
}
test_each_run_calls_a_script_that_is_there() {
  local script
  grep -rhoE 'ci/[a-z_/]+\.sh' "$repository"/.github/workflows/*.yml "$repository/action.yml" "$repository"/ci/gitlab/*.yml | sort -u > scripts
  while read -r script; do [[ -x $repository/$script ]] || fail "$script is not there, or may not run"; done < scripts
  (($(wc -l < scripts) > 10)) || fail 'hardly any script was found'
}
run_wanted
