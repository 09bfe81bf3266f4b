#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks the sources: format, licence headers, project rules, shell scripts, workflows, clang-tidy. Changes nothing
# without --fix.
#
# Usage: ci/lint.sh [-p PRESET] [--fix | --quick | --recent | --tidy | --all]
#
#   (none)    everything; clang-tidy looks only at files changed since the branch left main
#   --quick   everything but clang-tidy: seconds, needs no build; for a commit hook
#   --recent  clang-tidy alone, of the files that the last 30 commits changed, or that include what these changed, as the
#             dependencies in build/PRESET say; of every file where these are not known, if there are fewer commits, or
#             .clang-tidy or ci/setup.sh changed
#   --tidy    clang-tidy alone, of every file: minutes
#   --all     --quick and --tidy
#   --fix     brings all files into the project's format and stops
#
# The tools have pinned versions (ci/setup.sh lint). clang-tidy looks at what ships, tests left out, with the compile
# commands of build/PRESET.
# Exit code: 0 clean, 1 findings, 2 could not look.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"

mode=changed
for argument in "${arguments[@]}"; do
  case $argument in
    --fix | --quick | --recent | --tidy | --all) mode=${argument#--} ;;
    *) say "unknown argument '$argument'; see --help"; exit 64 ;;
  esac
done

git rev-parse --git-dir > /dev/null 2>&1 || die "ci/lint.sh asks git for the list of files; run it in a git checkout"
# Files of the project that exist, new ones included: files PATTERN...
files() {
  git ls-files -z --cached --others --exclude-standard --deduplicate -- "$@" |
    while IFS= read -r -d '' file; do [[ ! -f $file ]] || printf '%s\n' "$file"; done
}
findings=0
finding() {
  printf '%s\n' "$*"
  findings=$((findings + 1))
}

ci/setup.sh lint
tools=.toolchain/lint/bin
mapfile -t sources < <(files '*.h' '*.cpp' '*.cu' '*.cuh')

check_format() {
  local unformatted
  unformatted=$("$tools/clang-format" --dry-run --Werror "${sources[@]}" 2>&1 |
    sed -n 's/:[0-9]*:[0-9]*: error: code should be clang-formatted.*//p' | sort | uniq -c) || true
  [[ -z $unformatted ]] || finding "$unformatted"$'\n'"  rule: places that clang-format would change; run 'make format'"
}

check_licence_headers() {
  local list lacking
  mapfile -t list < <(files '*.h' '*.cpp' '*.cu' '*.cuh' '*.in' '*.cmake' '*CMakeLists.txt' '*.sh' '*.py' '*.ts' '*.tsx' '*.mjs' '*.css' '*.yml' \
    Makefile .ci/run)
  lacking=$(
    grep -LF 'SPDX-License-Identifier: Apache-2.0' -- "${list[@]}"
    grep -LF 'SPDX-FileCopyrightText: The perfcheck authors' -- "${list[@]}"
  ) || true
  [[ -z $lacking ]] || finding "$(sort -u <<< "$lacking")"$'\n'"  rule: a source file begins with the two SPDX lines"
}

# forbid RULE PATTERN FILE...: no file may contain a line that matches.
forbid() {
  local rule=$1 pattern=$2 hits
  shift 2
  (($#)) || return 0
  hits=$(grep -nE "$pattern" -- "$@" /dev/null) || return 0
  finding "$hits"$'\n'"  rule: $rule"
}

check_project_rules() {
  local list file lines
  mapfile -t list < <(files '*.h' '*.cpp' '*.cu' '*.cuh' ':!harness/src/device' ':!harness/tests' ':!harness/bench' ':!kernels/exploits')
  forbid "device memory has one owner: allocate through device::Backend" '\bcudaMalloc[A-Za-z]*\(' "${list[@]}"
  mapfile -t list < <(files 'kernels/*.h' 'kernels/*.cpp' 'kernels/*.cu' 'kernels/*.cuh' ':!kernels/*/operation' ':!kernels/exploits')
  forbid "a kernel must not wait for the device: its launch is captured into a graph" \
    '\bcuda(Device|Stream)Synchronize\(' "${list[@]}"
  forbid "a kernel launches on args.stream, never on the default stream" '<<<[^,>]*,[^,>]*>>>' "${list[@]}"
  mapfile -t list < <(files 'harness/src/*.h' 'harness/src/*.cpp' ':!harness/src/cli' ':!harness/src/device/*.cu')
  forbid "libraries never print or exit; only cli does" '\bstd::(cout|cerr|exit)\b|\b(printf|puts)\(' "${list[@]}"
  forbid "no unfinished work in the tree: finish it or file an issue" '\b(TODO|FIXME|XXX)\b' "${sources[@]}"
  for file in "${sources[@]}"; do
    lines=$(wc -l < "$file")
    ((lines <= 400)) || say "warning: $file has $lines lines; above 400 a file usually holds two ideas"
  done
}

check_shell_scripts() {
  local list
  mapfile -t list < <(files '*.sh' .ci/run)
  "$tools/shellcheck" -x -P ci "${list[@]}" || finding "shellcheck: see above"
}

check_workflows() {
  local code=0
  ci/lint_workflows.sh || code=$?
  ((code < 2)) || die "the workflows could not be checked, see above"
  ((code == 0)) || finding "workflows: see above"
}

# Writes down which files each object of the build depends on. Fails where that is not known.
write_dependencies() {
  [[ -s build/$preset/.ninja_deps ]] && ninja -C "build/$preset" -t deps > "build/$preset/dependencies.txt"
}

# Of the sources on standard input, those that read one of the changed files when they were compiled, and those of which
# that is not known: affected_sources CHANGED...
affected_sources() {
  awk -v root="$PWD/" '
    FNR == 1 { part++ }
    part == 1 { changed[$0]; next }
    part == 2 && /^[^ ]/ { source = ""; next }  # an object; its source is the first file that it depends on
    part == 2 {
      sub(/^ +/, ""); if (index($0, root) == 1) $0 = substr($0, length(root) + 1)
      if (source == "") { source = $0; known[source] }
      if ($0 in changed) affected[source]
      next
    }
    $0 in changed || $0 in affected || !($0 in known)
  ' <(printf '%s\n' "$@") "build/$preset/dependencies.txt" -
}

# The .cpp files to check, of those that ship.
tidy_files() {
  local base="" all changed
  mapfile -t all < <(files 'harness/src/*.cpp' 'kernels/*.cpp' 'reports/*.cpp' ':!kernels/exploits')
  if [[ $mode == changed ]]; then
    base=$(git merge-base HEAD origin/main 2> /dev/null || git rev-parse -q --verify HEAD || true)
  elif [[ $mode == recent ]] && base=$(git rev-parse -q --verify HEAD~30); then
    git diff --quiet "$base" -- .clang-tidy ci/setup.sh && write_dependencies || base=""
  fi
  if [[ -z $base ]]; then
    printf '%s\n' "${all[@]}"
    return
  fi
  mapfile -t changed < <(git diff --name-only "$base"; git ls-files --others --exclude-standard)
  if [[ $mode == recent ]]; then
    printf '%s\n' "${all[@]}" | affected_sources "${changed[@]}"
  else
    printf '%s\n' "${all[@]}" | grep -Fxf <(printf '%s\n' "${changed[@]}") || true
  fi
}

check_tidy() {
  local database=build/$preset list
  ci/configure.sh -p "$preset" > /dev/null
  # A file that no target compiles has no compile command for clang-tidy.
  mapfile -t list < <(tidy_files | while read -r file; do
    ! grep -qF "\"$PWD/$file\"" "$database/compile_commands.json" || printf '%s\n' "$file"
  done)
  ((${#list[@]})) || {
    say "clang-tidy: no changed file"
    return 0
  }
  say "clang-tidy: ${#list[@]} files"
  printf '%s\0' "${list[@]}" |
    xargs -0 -n 1 -P "${PERFCHECK_JOBS:-$(nproc)}" "$tools/clang-tidy" -p "$database" --quiet \
      --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations 2> >(grep -v -E '^[0-9]+ warnings? generated|^Suppressed ' >&2) ||
    finding "clang-tidy: see above"
}

if [[ $mode == fix ]]; then
  exec "$tools/clang-format" -i "${sources[@]}"
fi
if [[ $mode != tidy && $mode != recent ]]; then
  check_format
  check_licence_headers
  check_project_rules
  check_shell_scripts
  check_workflows
fi
[[ $mode == quick ]] || check_tidy

((findings == 0)) || { say "$findings findings"; exit 1; }
say "clean (${#sources[@]} source files)"
