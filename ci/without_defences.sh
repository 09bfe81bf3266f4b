#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Shows what each defence is good for (docs/trust.md, "Without one of them"): builds the exploits with all defences and
# without each of them, and runs those that it alone stops. With all of them an exploit must get no time; without the
# one, the time that harness/tests/exploits/defences.tsv says.
#
# Usage: ci/without_defences.sh [-p PRESET] [--cpu | --gpu] [--build | --prebuilt DIR] [DEFENCE...]
#
#   --cpu | --gpu     rows of the CPU (default), or of a GPU
#   --build           builds into build/without/cpu or gpu and runs nothing: for a machine with a GPU, which gets the
#                     folder, this tree's ci/ and the table
#   --prebuilt DIR    builds nothing: DIR holds what --build made
#   DEFENCE...        only these, as in defences.tsv, such as FRESH_DATA or INVENTORY,STEPS; default: all
#
# Exit code: 0 every row holds, 1 one does not, 2 could not tell.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"

backend=cpu run=1 folder=''
only=()
set -- ${arguments[@]+"${arguments[@]}"}
while (($#)); do
  case $1 in
    --cpu) backend=cpu ;;
    --gpu) backend=cuda ;;
    --build) run=0 ;;
    --prebuilt)
      (($# > 1)) || { say "--prebuilt needs a folder"; exit 64; }
      folder=$2
      shift
      ;;
    -*) say "unknown argument '$1'; see --help"; exit 64 ;;
    *) only+=("$1") ;;
  esac
  shift
done

cuda=OFF suffix=-cpu
[[ $backend == cpu ]] || cuda=ON suffix=''
table=harness/tests/exploits/defences.tsv
# build_folder NAME WITHOUT TARGET...: one build folder; objects that do not depend on a defence come from ccache.
build_folder() {
  local name=$1 without=$2
  shift 2
  {
    cmake --preset "$preset" -B "$folder/$name" "-DPERFCHECK_WITHOUT=${without//,/;}" -DPERFCHECK_REPORT_PAGE=OFF \
      "-DPERFCHECK_CUDA=$cuda" && cmake --build "$folder/$name" --target "$@"
  } > "$folder/$name.log" 2>&1 || die "$name does not build; see $folder/$name.log"
}

if [[ -z $folder ]]; then
  folder=build/without/$backend
  mkdir -p "$folder"
  mapfile -t rows < <(awk -F'\t' -v backend="$backend" '$1 == backend { print $2 "\t" $3 }' "$table" | sort -u)
  mapfile -t workers < <(printf '%s\n' "${rows[@]}" | cut -f2 | sort -u | sed 's/^/perfcheck-gemm-/')
  say "building with all defences"
  build_folder full '' perfcheck "perfcheck-gemm-before-exploits$suffix" "${workers[@]}"
  for row in "${rows[@]}"; do
    IFS=$'\t' read -r without worker <<< "$row"
    ((${#only[@]} == 0)) || [[ " ${only[*]} " == *" $without "* ]] || continue
    say "building without $without"
    targets=("perfcheck-gemm-$worker")
    [[ $without != *PHYSICS* ]] || targets+=(perfcheck)  # perfcheck itself applies this defence
    build_folder "${without//,/+}" "$without" "${targets[@]}"
  done
fi
((run)) || exit 0
exec python3 ci/without_defences.py --table "$table" --builds "$folder" --backend "$backend" ${only[@]+"${only[@]}"}
