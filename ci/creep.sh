#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Asks a history which cases became slower by many steps that no gate sees (docs/change-points.md, Creep). Needs no GPU.
#
# Usage: ci/creep.sh --programs DIR --out DIR [--history PLACE] [--anchor COMMIT] [--config FILE] [--baselines DIR]
#        ci/creep.sh --answer DIR
#
#   --programs DIR    folder that holds perfcheck: what ci/pack_gate.sh made, or a build's
#   --out DIR         gets creep.txt (for people), creep.json and exit-code; what is there is removed
#   --history PLACE   the history (default: PERFCHECK_HISTORY)
#   --anchor COMMIT   compare with this commit or tag (default: the last release, as perfcheck.toml says)
#   --config FILE     perfcheck.toml, and
#   --baselines DIR   baselines (default: as for ci/gate.sh)
#   --answer DIR      show what was answered there before, and end with it: 0 where it cannot be told
#
# Exit code: 0 no case crept beyond its margin, 1 one did, 3 it cannot be told, as in the first weeks of a history: a job
# need not fail for that; 2 perfcheck died, or said nothing; 64 usage.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
cd "$caller"

read_options "programs out answer history anchor config baselines" "$@"

# show DIR: creep.txt, in the summary of a GitHub job as well where something crept.
show() {
  hush_commands
  cat "$1/creep.txt"
  heed_commands
  [[ $code == 1 && -n ${GITHUB_STEP_SUMMARY:-} ]] || return 0
  {
    printf '### Slower by many small steps\n\n<pre>\n'
    head -c "$summary_limit" "$1/creep.txt" | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g'
    printf '</pre>\n'
  } >> "$GITHUB_STEP_SUMMARY"
}
advise() {
  case $code in
    1) say "cases crept beyond their margins, see above: mend them, or accept their level (docs/ci.md, Creep)" ;;
    3) say "whether anything crept cannot be told, see above" ;;
  esac
}

if [[ -n ${given[answer]:-} ]]; then
  answer=$(absolute "${given[answer]}")
  code=$(cat "$answer/exit-code" 2> /dev/null) || die "$answer holds no answer of ci/creep.sh"
  [[ $code == [0123] ]] || die "$answer/exit-code holds no exit code of ci/creep.sh"
  [[ $code != 2 ]] || die "perfcheck could not say whether anything crept; look at the job before this one"
  show "$answer"
  advise
  exit $((code == 3 ? 0 : code))
fi

required programs out
history=${given[history]:-${PERFCHECK_HISTORY:-}}
[[ -n $history ]] || wrong_usage "--history or PERFCHECK_HISTORY says where the history is"
out=$(absolute "${given[out]}")
mkdir -p "$out"
rm -f "$out/creep.txt" "$out/creep.json"
printf '2\n' > "$out/exit-code"
open_programs "${given[programs]}"
choose_policy
arguments=("${policy[@]}" --history "$history")
[[ -z ${given[anchor]:-} ]] || arguments+=(--anchor "${given[anchor]}")

code=0
"$perfcheck" history creep "${arguments[@]}" --json > "$out/creep.json" || code=$?
case $code in
  0 | 1 | 3)
    grep -qE "\"exit_code\": *${code}[,[:space:]}]*$" "$out/creep.json" ||
      die "perfcheck history creep ended with $code but $out/creep.json does not say so: that is no answer"
    ;;
  *) die "perfcheck history creep ended with $code: nothing is known about creep" ;;
esac
"$perfcheck" history creep "${arguments[@]}" > "$out/creep.txt" || true
printf '%s\n' "$code" > "$out/exit-code"
show "$out"
advise
exit "$code"
