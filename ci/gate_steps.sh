# shellcheck shell=bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced, after common.sh, by the scripts that run where kernels are measured: options, programs of a pack, results in
# every format, one exit code. They need bash and coreutils, nothing else: a GPU runner is often bare.
# shellcheck disable=SC2034  # variables for those that source it

# What perfcheck leaves in --results-dir. docs/ci.md says who reads which.
results=(
  run.json summary.md comment.md annotations.txt junit.xml perfcheck.sarif check.json cases.csv metrics.txt
  benchmark-time.json benchmark-rate.json bencher.json
)
summary_limit=900000  # bytes; GitHub drops a step's summary above 1024 KiB
name_pattern='^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'

wrong_usage() {
  say "$*; see --help"
  exit 64
}

# read_options 'NAME NAME...' ARGUMENT...: --NAME VALUE goes to given[NAME], arguments after -- go to $further.
read_options() {
  local known=" $1 "
  shift
  declare -gA given=()
  further=()
  while (($#)); do
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
      --)
        further=("${@:2}")
        return
        ;;
      --*)
        [[ $known == *" ${1#--} "* ]] || wrong_usage "unknown option '$1'"
        (($# > 1)) || wrong_usage "$1 needs a value"
        given[${1#--}]=$2
        shift
        ;;
      *) wrong_usage "unknown argument '$1'" ;;
    esac
    shift
  done
}

# filters_in ARGUMENT...: the --filter options among arguments of perfcheck check, into $filters. The merge has to know
# what the shards left out on purpose.
filters_in() {
  filters=()
  while (($#)); do
    case $1 in
      --filter)
        filters+=("${@:1:2}")
        (($# > 1)) && shift
        ;;
      --filter=*) filters+=("$1") ;;
    esac
    shift
  done
}

# required NAME...: options that must be there.
required() {
  local name
  for name in "$@"; do [[ -n ${given[$name]:-} ]] || wrong_usage "--$name is missing"; done
}

# A path that holds wherever it is used; the scripts go back to $caller, the folder that common.sh left.
# shellcheck disable=SC2154  # caller
absolute() { if [[ $1 == /* ]]; then printf '%s' "$1"; else printf '%s/%s' "$caller" "$1"; fi; }

# Quotes one word of a worker's command line, which perfcheck splits as a shell does.
quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; }

# Where the results go. Those of an earlier gate are removed, so that nothing old is taken for this one's; until the end
# the exit code says that there was none.
open_out() {
  out=$(absolute "$1")
  mkdir -p "$out"
  (cd "$out" && rm -f log.txt doctor.txt exit-code shard pull-request "${results[@]}")
  printf '2\n' > "$out/exit-code"
  printf '%s\n' "${GITHUB_RUN_ATTEMPT:-1}" > "$out/attempt"
  : > "$out/log.txt"
}

# The folder of the programs. Artifacts lose the permission to execute, so it is restored.
open_programs() {
  programs=$(absolute "$1")
  perfcheck=$programs/perfcheck
  [[ -f $perfcheck ]] || die "$perfcheck is not there; --programs names the folder that ci/pack_gate.sh made, or one of a build (build/dev/bin)"
  local program
  for program in "$perfcheck" "$programs"/perfcheck[-_]* "$programs"/base/*; do
    [[ ! -f $program || -x $program ]] || chmod u+x "$program"
  done
}

# Sets $policy to the policy and baselines to judge with: those of the options, else those in the pack. There, the
# target branch's come first, because a change must not judge itself. Sets $change to what the change says about its own
# names, which counts where it was measured (docs/how-the-gate-decides.md, "Renamed and retired").
choose_policy() {
  policy=() change=()
  local config=${given[config]:-} baselines=${given[baselines]:-} folder
  for folder in "$programs/target" "$programs"; do
    [[ -n $config || ! -f $folder/perfcheck.toml ]] || config=$folder/perfcheck.toml
    [[ -n $baselines || ! -d $folder/baselines ]] || baselines=$folder/baselines
  done
  if [[ -n $config ]]; then
    config=$(absolute "$config")
    name_source "$(dirname "$config")"
    policy+=(--config "$config")
    [[ $config != "$programs/target/perfcheck.toml" || ! -f $programs/perfcheck.toml ]] ||
      change=(--config-of-change "$programs/perfcheck.toml")
  fi
  [[ -z $baselines ]] || policy+=(--baselines "$(absolute "$baselines")")
}

# name_source FOLDER: makes git in FOLDER, inside the pack, report the packed commit, so that the run can name it.
name_source() {
  [[ $1/ == "$programs"/* && -d $programs/source.git && ! -e $1/.git ]] || return 0
  printf 'gitdir: %s\n' "$programs/source.git" > "$1/.git"
}

# A program's output may contain arbitrary names of kernels; on GitHub, no line of it may become a workflow command.
hush_commands() {
  hush=
  [[ -n ${GITHUB_ACTIONS:-} ]] || return 0
  hush=$(od -An -N 16 -t x1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$hush"
}
heed_commands() { [[ -z ${hush:-} ]] || printf '::%s::\n' "$hush"; }

# logged PROGRAM ARGUMENT...: runs it, keeps what it says in log.txt, leaves its exit code in $code. The history may be
# an address with a password.
logged() {
  local shown
  printf -v shown '%q ' "$@"
  [[ -z ${history:-} ]] || shown=${shown//"$(printf '%q' "$history")"/HISTORY}
  printf '\n$ %s\n' "$shown" >> "$out/log.txt"
  hush_commands
  code=0
  "$@" 2>&1 | tee -a "$out/log.txt" || code=${PIPESTATUS[0]}
  heed_commands
  printf '# exit code %s\n' "$code" >> "$out/log.txt"
}

# Lets check and merge write every result: leaves the options in $result_options. What failed in a pack is measured again
# in that pack, wherever it was unpacked: with the same programs, policy and base.
want_results() {
  local folder
  result_options=(--results-dir "$out")
  if [[ -f $programs/ci/gate.sh && -z ${given[worker]:-}${given[config]:-}${given[baselines]:-} ]]; then
    printf -v folder '%q' "${programs##*/}"
    result_options+=(--repro "bash $folder/ci/gate.sh --programs $folder --out out --")
  fi
  [[ -z $1 ]] || result_options+=(--result-name "$1")
}

# Results that are missing or empty; the annotations may be empty.
lacking_results() {
  local file
  for file in "${results[@]}"; do
    [[ -s $out/$file || ($file == annotations.txt && -f $out/$file) ]] || printf '%s ' "$file"
  done
}

# trusted CODE: the exit code to end with, and the reason if it differs from CODE. A program that died, and a success
# without its results, are failures.
trusted() {
  local code=$1 lacking
  lacking=$(lacking_results)
  case $code in
    0 | 1)
      if [[ -n $lacking ]]; then
        say "perfcheck ended with $code but wrote no ${lacking% }: that is no result. Look at $out/log.txt"
        code=2
      elif ((code == 0)) && ! grep -qE '"exit_code": *0[,[:space:]}]*$' "$out/check.json"; then
        say "perfcheck ended with 0 but $out/check.json does not say so: that is no success"
        code=2
      fi
      ;;
    2 | 3 | 64 | 74 | 130) ;;
    *)
      say "perfcheck itself died with code $code$( ((code > 128)) && printf ' (signal %s)' "$((code - 128))"): nothing was decided. Look at $out/log.txt"
      code=2
      ;;
  esac
  printf '%s' "$code"
}

# finish CODE NAME: keeps the exit code, shows summary and annotations where GitHub looks for them, and ends.
finish() {
  local final
  final=$(trusted "$1")
  printf '%s\n' "$final" > "$out/exit-code"
  if [[ ! -s $out/summary.md ]]; then
    poor_summary "$final" "$2" > "$out/summary.md"
    # With the marker, so that it replaces the comment on an earlier commit.
    { printf '<!-- perfcheck:%s -->\n' "${2:-perfcheck}"; poor_summary "$final" "$2"; } > "$out/comment.md"
  fi
  [[ ! -s $programs/target/note.md ]] || { printf '\n'; cat "$programs/target/note.md"; } >> "$out/summary.md"
  if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
    # Cut at a line's end; the results contain all of it.
    if (($(wc -c < "$out/summary.md") > summary_limit)); then
      { head -c "$summary_limit" "$out/summary.md" | sed '$d'; printf '\n...\n'; } >> "$GITHUB_STEP_SUMMARY"
    else
      cat "$out/summary.md" >> "$GITHUB_STEP_SUMMARY"
    fi
  fi
  # Only annotations: a file must not issue other workflow commands.
  [[ -z ${GITHUB_ACTIONS:-} || ! -f $out/annotations.txt ]] ||
    grep -E '^::(error|warning|notice)( [^:]*)?::' "$out/annotations.txt" || true
  say "exit code $final; results in $out"
  exit "$final"
}

# Shown if perfcheck wrote no summary: says so, with the last lines of its output.
poor_summary() {
  printf '### perfcheck%s: no result\n\nIt ended with exit code %s and wrote no summary. The last lines of its log:\n\n<pre>\n' \
    "${2:+ $2}" "$1"
  tail -n 30 "$out/log.txt" | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g'
  printf '</pre>\n'
}
