#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the fuzz targets (preset fuzz) and runs each on its corpus with libFuzzer. The corpus itself stays as it is.
#
# Usage: ci/fuzz.sh [--seconds N] [--no-build] [TARGET...]         (default: 60 seconds, every target)
#
#   ci/fuzz.sh --seconds 600 import run_file      two readers, ten minutes each
#   ci/fuzz.sh --no-build --seconds 600           the programs in build/fuzz/bin, which may come from another machine
#
# Runs as many at once as there are processors; PERFCHECK_JOBS gives another number. What was found, and the log of each
# target, are in build/fuzz/findings. docs/fuzzing.md says what to do with a finding.
# Exit code: 0 nothing found, 1 findings, 2 could not look.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

seconds=60
build=yes
targets=()
while (($#)); do
  case $1 in
    -h | --help)
      usage
      exit 0
      ;;
    --seconds)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || { say "--seconds needs a whole number above 0"; exit 64; }
      seconds=$2
      shift
      ;;
    --no-build) build=no ;;
    -*) say "unknown argument '$1'; see --help"; exit 64 ;;
    *) targets+=("$1") ;;
  esac
  shift
done

sources=harness/fuzz
programs=build/fuzz/bin
findings=build/fuzz/findings
known=("$sources"/corpus/*)
known=("${known[@]##*/}")
for target in "${targets[@]}"; do
  [[ " ${known[*]} " == *" $target "* ]] || { say "no fuzz target '$target'; there are: ${known[*]}"; exit 64; }
done
((${#targets[@]})) || targets=("${known[@]}")

if [[ $build == yes ]]; then
  ci/setup.sh fuzz
  command -v clang++-19 > /dev/null || die "clang++-19 is not there (Debian's and Ubuntu's package clang-19), and libFuzzer \
comes with it; without it, ctest -R '^fuzz[.]' replays the corpora"
  PERFCHECK_CUDA=OFF ci/build.sh -p fuzz "${targets[@]/#/perfcheck_fuzz_}" >&2
fi
for target in "${targets[@]}"; do
  [[ -x $programs/perfcheck_fuzz_$target ]] || die "$programs/perfcheck_fuzz_$target is not there; run without --no-build"
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$findings"
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}

# fuzz_one TARGET: leaves its log in $findings/TARGET.log and its exit code in $scratch/TARGET.code.
fuzz_one() {
  local target=$1 corpus=$scratch/$1 dictionary=$sources/dictionaries/$1.dict code=0
  cp -r "$sources/corpus/$target" "$corpus"
  # Most readers read JSON.
  [[ -f $dictionary ]] || dictionary=$sources/dictionaries/json.dict
  "$programs/perfcheck_fuzz_$target" -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=2048 \
    -malloc_limit_mb=512 -print_final_stats=1 -dict="$dictionary" -artifact_prefix="$findings/$target-" "$corpus" \
    > "$findings/$target.log" 2>&1 < /dev/null || code=$?
  printf '%s\n' "$code" > "$scratch/$target.code"
}

say "${#targets[@]} targets, $seconds s each"
for target in "${targets[@]}"; do
  while (($(jobs -rp | wc -l) >= ${PERFCHECK_JOBS:-$(nproc)})); do wait -n || true; done
  rm -f "$findings/$target".log "$findings/$target"-{crash,leak,oom,timeout,slow-unit}-*
  fuzz_one "$target" &
done
wait

# The number behind a name in a target's log: statistic TARGET PATTERN.
statistic() { sed -nE "s/.*$2 *([0-9]+).*/\1/p" "$findings/$1.log" | tail -n 1; }

row='%-16s %12s %9s %10s %8s  %s\n'
# shellcheck disable=SC2059  # the format is the row
printf "$row" target executions per-second edges corpus result
found=0
for target in "${targets[@]}"; do
  result=clean
  if [[ $(< "$scratch/$target.code") != 0 ]]; then
    # libFuzzer writes the input to a file and names it; without one the program itself could not run.
    result=$(sed -nE 's/.*Test unit written to (.*)/\1/p' "$findings/$target.log" | tail -n 1)
    [[ -n $result ]] || die "$target could not run; its log is $findings/$target.log"
    found=$((found + 1))
  fi
  # shellcheck disable=SC2059
  printf "$row" "$target" "$(statistic "$target" number_of_executed_units:)" "$(statistic "$target" average_exec_per_sec:)" \
    "$(statistic "$target" 'cov:')" "$(statistic "$target" 'corp:')" "$result"
  if [[ $result != clean ]]; then
    grep -m 1 -E '^(does not hold|the message)|ERROR: |runtime error:|terminate called|  what\(\)' "$findings/$target.log" | sed 's/^/    /' || true
    printf '    again: %s %s\n' "$programs/perfcheck_fuzz_$target" "$result"
    printf '    smaller: %s -minimize_crash=1 -runs=10000 %s\n' "$programs/perfcheck_fuzz_$target" "$result"
    printf '    remedy: mend the reader, then keep the input as %s/corpus/%s/WHAT_IT_IS: ctest replays it from then on\n' \
      "$sources" "$target"
  fi
done
((found == 0)) || { say "$found findings"; exit 1; }
say "nothing found"
