#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes the files of this folder anew: the output of the commands in README.md, with the present gate and policy.
#
# Usage: docs/evidence/write.sh PERFCHECK [FILE...]
#
# The rules of other tools are no part of perfcheck: the program that replays them has to lie beside it
# (cmake --build build/cpu-only --target perfcheck_peer_rates).
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
peer_rates=$(dirname "$perfcheck")/perfcheck_peer_rates
if [[ ! -x $peer_rates ]]; then
  echo "write.sh: $peer_rates is not there; build the target perfcheck_peer_rates" >&2
  exit 64
fi
shift
wanted=("$@")

recordings=$(mktemp -d)
trap 'rm -rf "$recordings"' EXIT
for archive in docs/evidence/recordings/*.tar.xz; do
  tar xJf "$archive" -C "$recordings"
done

# write FILE PROGRAM [ARGUMENT...]
write() {
  local file=$1 begin=$SECONDS
  if ((${#wanted[@]} > 0)) && [[ " ${wanted[*]} " != *" $file "* ]]; then
    return
  fi
  "${@:2}" > "$recordings/$file"
  mv "$recordings/$file" "docs/evidence/$file"
  echo "$file: $((SECONDS - begin)) s"
}

write h100-same-card.txt "$peer_rates" --data "$recordings/cal" --verbose
write h100-held-out.txt "$peer_rates" --data "$recordings/cal" --held-out
write h100-shipped-baseline.txt "$peer_rates" --data "$recordings/cal" --stored --baselines docs/evidence/baselines
write h100-simulated.txt "$perfcheck" calibrate --data "$recordings/cal" --blocks 0 --history none --quiet --simulate 1000 --verbose
for of in neighbours busy-neighbours compiling; do
  write "cpu-$of.txt" "$peer_rates" --data "$recordings/$of" --slowdowns 5 10 15 20 30 50
done
