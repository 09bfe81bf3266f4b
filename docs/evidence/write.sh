#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes the files of this folder again: the output of the commands in README.md, as the gate and the policy are now.
#
# Usage: docs/evidence/write.sh PERFCHECK [FILE...]
#
#   docs/evidence/write.sh build/cpu-only/bin/perfcheck                        all of them, some minutes
#   docs/evidence/write.sh build/cpu-only/bin/perfcheck h100-simulated.txt     one
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if (($# == 0)); then
  echo "usage: docs/evidence/write.sh PERFCHECK [FILE...]" >&2
  exit 64
fi
perfcheck=$(realpath "$1")
shift
wanted=("$@")

recordings=$(mktemp -d)
trap 'rm -rf "$recordings"' EXIT
for archive in docs/evidence/recordings/*.tar.xz; do
  tar xJf "$archive" -C "$recordings"
done

# write FILE FOLDER [OPTION...]
write() {
  local file=$1 folder=$2
  shift 2
  if ((${#wanted[@]} > 0)) && [[ " ${wanted[*]} " != *" $file "* ]]; then
    return
  fi
  local begin=$SECONDS
  "$perfcheck" calibrate --data "$recordings/$folder" --blocks 0 --history none --quiet "$@" > "$recordings/$file"
  mv "$recordings/$file" "docs/evidence/$file"
  echo "$file: $((SECONDS - begin)) s"
}

write h100-same-card.txt cal --verbose
write h100-held-out.txt cal --held-out
write h100-shipped-baseline.txt cal --stored --baselines docs/evidence/baselines
write h100-simulated.txt cal --simulate 1000 --verbose
for of in neighbours busy-neighbours compiling; do
  write "cpu-$of.txt" "$of" --slowdowns 5 10 15 20 30 50
done
