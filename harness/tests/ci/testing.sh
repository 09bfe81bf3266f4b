# shellcheck shell=bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the tests in this folder, which are run as: NAME_test.sh FUNCTION. Each starts in its own folder, $scratch,
# without the variables that a CI service may have set.
set -euo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$tests/../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
unset "${!GITHUB_@}" "${!PERFCHECK_@}" "${!INPUT_@}" "${!RUNNER_@}" "${!CI_@}" "${!GIT_@}" GH_TOKEN
export GIT_CONFIG_GLOBAL=$scratch/gitconfig GIT_CONFIG_NOSYSTEM=1
printf '[user]\n\tname = Tester\n\temail = tester@example.org\n[init]\n\tdefaultBranch = main\n' > "$GIT_CONFIG_GLOBAL"

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

# expect CODE COMMAND...: runs the command, keeps its output in $scratch/said, and compares its exit code with CODE.
expect() {
  local expected=$1 code=0
  shift
  "$@" > "$scratch/said" 2>&1 || code=$?
  ((code == expected)) || { cat "$scratch/said" >&2; fail "exit code $code instead of $expected: $*"; }
}
said() { grep -qF -e "$1" "$scratch/said" || { cat "$scratch/said" >&2; fail "did not say: $1"; }; }
unsaid() { ! grep -qF -e "$1" "$scratch/said" || { cat "$scratch/said" >&2; fail "said: $1"; }; }
has() { grep -qF -e "$2" "$1" || { cat "$1" >&2; fail "$1 lacks: $2"; }; }
lacks() { ! grep -qF -e "$2" "$1" || { cat "$1" >&2; fail "$1 has: $2"; }; }
same() { [[ $1 == "$2" ]] || fail "'$1' is not '$2'"; }
there() { [[ -s $1 ]] || fail "$1 is not there, or empty"; }
absent() { [[ ! -e $1 ]] || fail "$1 is there"; }
# Fails if a shell executed a hostile name.
not_pwned() { [[ -z $(find "$scratch" -name 'pwned*') ]] || fail "a name reached a shell"; }

# Make a pack in $scratch/pack: with the real perfcheck, or with one that does as FAKE_PERFCHECK says.
real_programs() {
  mkdir -p pack
  ln -s "$TEST_PERFCHECK" pack/perfcheck
  printf '%s\n' '[policy]' 'margin = 0.01' '[suites.default.cpu]' \
    'problems = ["f32,nn,m64n64k64", "f32,nn,m65n66k67", "f32,nn,m96n96k96", "f32,nn,m80n80k80"]' > pack/perfcheck.toml
}
fake_programs() {
  mkdir -p pack
  cp "$tests/fake/perfcheck" pack/
  : > pack/perfcheck.toml
}
# Prints the scripted worker's command line; each process is a new session.
worker() { printf '%s' "$TEST_WORKER --sessions $scratch/sessions ${1:-}"; }

# Puts tests/fake first on PATH: gh and curl that keep their state in $FAKE_SERVICE.
fake_services() {
  export FAKE_SERVICE=$scratch/service
  mkdir -p "$FAKE_SERVICE"
  PATH=$tests/fake/bin:$PATH
}

# policy MARGIN: writes a perfcheck.toml for work, recognisable by its first line.
policy() {
  printf '%s\n' "margin = $1" '[workers]' 'cuda = "build/dev/bin/perfcheck-gemm"' 'cpu = "perfcheck-gemm-cpu"' > work/perfcheck.toml
}
# Makes a git repository in $scratch/work with the project's ci/ and a first commit on main.
work_repository() {
  git init --quiet work
  mkdir work/ci
  cp -r "$repository/ci/." work/ci/
  policy 1
  mkdir -p work/baselines/device
  printf '{"stored": "main"}\n' > work/baselines/device/gemm.json
  printf '/build/\n/.toolchain\n' > work/.gitignore
  git -C work add -A
  git -C work commit --quiet -m 'first'
}

[[ ${1:-} == test_* ]] || fail "name a test: ${0##*/} test_..."
wanted=$1
# At the end of each *_test.sh.
run_wanted() {
  declare -F "$wanted" > /dev/null || fail "there is no $wanted"
  "$wanted"
}
